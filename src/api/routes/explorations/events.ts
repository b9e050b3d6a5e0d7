import { runEvents } from '../run-events.ts';
import { runParams } from '../run-params.ts';
import { findExploration } from './find.ts';

export const followExploration = runEvents({
  resource: 'explorations',
  summary: 'Follow an exploration',
  path: '/v1/explorations/{id}',
  params: runParams,
  find: (c, params) => findExploration(c, runParams.parse(params).id),
  end: 'After `run.ended` the stream ends with an event `end`.',
});
