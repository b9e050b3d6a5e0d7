import { createRoute, z } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, refusal } from '../../problem.ts';

const route = createRoute({
  method: 'delete',
  path: '/v1/keys/{id}',
  tags: ['keys'],
  summary: 'Remove a key',
  middleware: [requires('admin')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: { 204: { description: 'The key opens nothing any more' }, ...problems('not-found') },
});

export const removeKey: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const removed = await c.var.services.directory.removeKey(c.var.caller.workspace, id);
    if (!removed) throw refusal('not-found', `there is no key ${id}`);
    c.var.knownKeys.forget(id);
    return c.body(null, 204);
  });
