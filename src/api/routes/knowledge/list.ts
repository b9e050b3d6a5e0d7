import { createRoute } from '@hono/zod-openapi';
import { knowledgeSummary } from '#core/knowledge/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { problems } from '../../problem.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/knowledge',
  tags: ['knowledge'],
  summary: 'List the knowledge indexes, oldest first',
  middleware: [requires('read')] as const,
  request: { query: pageQuery },
  responses: {
    200: {
      description: 'A page of indexes',
      content: { 'application/json': { schema: pageOf(knowledgeSummary.openapi('KnowledgeSummary')) } },
    },
    ...problems(),
  },
});

export const listKnowledge: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const workspace = c.var.services.workspace(c.var.caller.workspace);
    const read = await workspace.listResources('knowledge', cursor, limit + 1);
    const items = read.map(({ json }) => knowledgeSummary.parse(JSON.parse(json)));
    return c.json(
      page(items, limit, ({ id }) => id),
      200,
    );
  });
