import { runEvents } from '../run-events.ts';
import { findExploration } from './find.ts';

export const followExploration = runEvents({
  resource: 'explorations',
  summary: 'Follow an exploration',
  find: findExploration,
});
