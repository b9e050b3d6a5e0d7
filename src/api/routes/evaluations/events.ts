import { runEvents } from '../run-events.ts';
import { runParams } from '../run-params.ts';
import { findWithUnits } from './find.ts';

export const followEvaluation = runEvents({
  resource: 'evaluations',
  summary: 'Follow an evaluation',
  path: '/v1/evaluations/{id}',
  params: runParams,
  find: (c, params) => findWithUnits(c, runParams.parse(params).id),
  end: 'After `run.ended` the stream ends with an event `end`.',
});
