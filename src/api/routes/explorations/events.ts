import { runEvents } from '../run-events.ts';
import { findExploration } from './find.ts';

export const followExploration = runEvents({
  resource: 'explorations',
  summary: 'Follow an exploration',
  end: 'After `run.ended` the stream ends with an event `end`.',
  find: findExploration,
});
