import { createRoute, z } from '@hono/zod-openapi';
import { catalogRecord } from '#core/catalog/server.ts';
import { tool } from '#core/catalog/tool.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/catalogs/{id}',
  tags: ['catalogs'],
  summary: 'Read a catalog and its tools',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    200: {
      description: 'The catalog with its tools, by name',
      content: {
        'application/json': {
          schema: z.object({ catalog: catalogRecord.openapi('Catalog'), tools: z.array(tool.openapi('Tool')) }),
        },
      },
    },
    ...problems('not-found'),
  },
});

export const getCatalog: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const workspace = c.var.services.workspace(c.var.caller.workspace);
    const catalog = unwrap(await workspace.getCatalog(id));
    return c.json({ catalog, tools: await workspace.getCatalogTools(id) }, 200);
  });
