import { runEvents } from '../run-events.ts';
import { evolutionParams, evolutionPath, findEvolution } from './path.ts';

export const followEvolution = runEvents({
  resource: 'explorations',
  path: evolutionPath,
  params: evolutionParams,
  summary: 'Follow an evolution',
  end: 'After `run.ended` the stream ends with an event `end`.',
  find: (c, params) => findEvolution(c, evolutionParams.parse(params)),
});
