import { runEvents } from '../run-events.ts';
import { runParams } from '../run-params.ts';
import { findKnowledge } from './find.ts';

export const followKnowledge = runEvents({
  resource: 'knowledge',
  summary: 'Follow what is loaded into an index',
  end: 'The stream ends with an event `end` where the index is deleted.',
  path: '/v1/knowledge/{id}',
  params: runParams,
  find: (c, params) => findKnowledge(c, runParams.parse(params).id),
});
