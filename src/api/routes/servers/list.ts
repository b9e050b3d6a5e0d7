import { createRoute } from '@hono/zod-openapi';
import { serverRecord } from '#core/catalog/server.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { problems } from '../../problem.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/servers',
  tags: ['servers'],
  summary: 'List the registered servers',
  middleware: [requires('read')] as const,
  request: { query: pageQuery },
  responses: {
    200: {
      description: 'A page of servers',
      content: { 'application/json': { schema: pageOf(serverRecord.openapi('Server')) } },
    },
    ...problems(),
  },
});

export const listServers: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.workspace(c.var.caller.workspace).listServers(cursor, limit + 1);
    return c.json(
      page(read, limit, (server) => server.id),
      200,
    );
  });
