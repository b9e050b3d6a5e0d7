import { runEvents } from '../run-events.ts';
import { runParams } from '../run-params.ts';
import { findEvaluation } from './find.ts';

export const followEvaluation = runEvents({
  resource: 'evaluations',
  summary: 'Follow an evaluation',
  path: '/v1/evaluations/{id}',
  params: runParams,
  find: (c, params) => findEvaluation(c, runParams.parse(params).id),
  end: 'After `run.ended` the stream ends with an event `end`.',
});
