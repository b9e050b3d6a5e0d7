import { createRoute, z } from '@hono/zod-openapi';
import { headersContext, serverRecord } from '#core/catalog/server.ts';
import { nameOnServer } from '#core/catalog/tool.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, refusal, unwrap } from '../../problem.ts';
import { unseal } from '../../secrets.ts';
import { listTools } from './listing.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/servers/{id}/relist',
  tags: ['servers'],
  summary: 'List the tools of a server anew',
  description: 'Catalogs that were frozen before stay as they are. Categories of tools that stay are kept.',
  middleware: [requires('run')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    200: { description: 'The server', content: { 'application/json': { schema: serverRecord.openapi('Server') } } },
    ...problems(
      'unsupported-media-type',
      'body-too-large',
      'not-found',
      'address-forbidden',
      'server-unreachable',
      'server-timeout',
      'server-unauthorized',
      'not-an-mcp-server',
      'no-tools',
      'duplicate-tool',
      'broken-tool-schema',
      'too-many-tools',
      'tools-too-large',
    ),
  },
});

const headersJson = z.record(z.string(), z.string());

export const relistServer: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const { settings } = c.var.services;
    const workspace = c.var.services.workspace(c.var.caller.workspace);
    const server = unwrap(await workspace.getServer(id));
    const connection = await workspace.serverConnection(id);
    if (connection === null) throw refusal('not-found', `there is no server ${id}`);
    const headers =
      connection.headers === null
        ? {}
        : headersJson.parse(JSON.parse(await unseal(settings, connection.headers, headersContext(connection.url))));
    const categories = Object.fromEntries(
      (await workspace.getServerTools(id)).map((tool) => [nameOnServer(tool.name), tool.category]),
    );
    const tools = unwrap(await listTools({ ...server, headers }, categories, settings, c.var.admission));
    return c.json(unwrap(await workspace.relistServer(id, tools, new Date().toISOString())), 200);
  });
