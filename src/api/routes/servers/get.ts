import { createRoute, z } from '@hono/zod-openapi';
import { serverRecord } from '#core/catalog/server.ts';
import { tool } from '#core/catalog/tool.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/servers/{id}',
  tags: ['servers'],
  summary: 'Read a server and its tools',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    200: {
      description: 'The server with its tools as it listed them',
      content: {
        'application/json': {
          schema: z.object({ server: serverRecord.openapi('Server'), tools: z.array(tool.openapi('Tool')) }),
        },
      },
    },
    ...problems('not-found'),
  },
});

export const getServer: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const workspace = c.var.services.workspace(c.var.caller.workspace);
    const server = unwrap(await workspace.getServer(id));
    return c.json({ server, tools: await workspace.getServerTools(id) }, 200);
  });
