import { runEvents } from '../run-events.ts';
import { findKnowledge } from './find.ts';

export const followKnowledge = runEvents({
  resource: 'knowledge',
  summary: 'Follow what is loaded into an index',
  end: 'The stream ends with an event `end` where the index is deleted.',
  find: findKnowledge,
});
