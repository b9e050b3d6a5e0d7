import { createRoute, z } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, refusal } from '../../problem.ts';

const route = createRoute({
  method: 'delete',
  path: '/v1/servers/{id}',
  tags: ['servers'],
  summary: 'Remove a server',
  description: 'Catalogs keep its tools, runs under way keep going; new runs over those catalogs are refused.',
  middleware: [requires('run')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: { 204: { description: 'The server and its secrets are gone' }, ...problems('not-found') },
});

export const removeServer: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const removed = await c.var.services.workspace(c.var.caller.workspace).removeServer(id);
    if (!removed) throw refusal('not-found', `there is no server ${id}`);
    return c.body(null, 204);
  });
