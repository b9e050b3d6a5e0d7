import { createRoute } from '@hono/zod-openapi';
import { keyRecord } from '#core/access.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { problems } from '../../problem.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/keys',
  tags: ['keys'],
  summary: 'List the keys of the workspace',
  middleware: [requires('admin')] as const,
  request: { query: pageQuery },
  responses: {
    200: {
      description: 'A page of keys',
      content: { 'application/json': { schema: pageOf(keyRecord.openapi('Key')) } },
    },
    ...problems(),
  },
});

export const listKeys: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.directory.listKeys(c.var.caller.workspace, cursor, limit + 1);
    return c.json(
      page(read, limit, (key) => key.id),
      200,
    );
  });
