import { createRoute } from '@hono/zod-openapi';
import { catalogRecord } from '#core/catalog/server.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { problems } from '../../problem.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/catalogs',
  tags: ['catalogs'],
  summary: 'List the catalogs',
  middleware: [requires('read')] as const,
  request: { query: pageQuery },
  responses: {
    200: {
      description: 'A page of catalogs',
      content: { 'application/json': { schema: pageOf(catalogRecord.openapi('Catalog')) } },
    },
    ...problems(),
  },
});

export const listCatalogs: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.workspace(c.var.caller.workspace).listCatalogs(cursor, limit + 1);
    return c.json(
      page(read, limit, (catalog) => catalog.id),
      200,
    );
  });
