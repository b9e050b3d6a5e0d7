import { runEvents } from '../run-events.ts';
import { findEvaluation } from './find.ts';

export const followEvaluation = runEvents({
  resource: 'evaluations',
  summary: 'Follow an evaluation',
  end: 'After `run.ended` the stream ends with an event `end`.',
  find: findEvaluation,
});
