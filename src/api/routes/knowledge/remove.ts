import { createRoute, z } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { unwrapReached } from '../../index-fault.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findKnowledge, openKnowledge } from './find.ts';

const idsPerCall = 1_000;

const route = createRoute({
  method: 'delete',
  path: '/v1/knowledge/{id}',
  tags: ['knowledge'],
  summary: 'Delete a knowledge index',
  description: 'Of an index at Upstash only what was loaded through Sextant is taken out.',
  middleware: [requires('run')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    204: { description: 'The index and its passages are gone' },
    ...problems('not-found', 'index-unreachable'),
  },
});

export const removeKnowledge: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const index = await findKnowledge(c, id);
    for (let some = await index.someElsewhere(idsPerCall); some !== null;) {
      const { opened } = await openKnowledge(c, id);
      unwrapReached(await opened.store.remove(some.namespace, some.ids));
      unwrap(await index.noteElsewhere('forget', some.namespace, some.ids));
      some = await index.someElsewhere(idsPerCall);
    }
    // What is listed can be deleted once more, should this be cut off before its end.
    await index.discard();
    await c.var.services.workspace(c.var.caller.workspace).removeResource('knowledge', id);
    return c.body(null, 204);
  });
