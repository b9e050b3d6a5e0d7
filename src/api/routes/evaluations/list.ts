import { createRoute, z } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { problems } from '../../problem.ts';

const listed = z.object({ id: z.string(), createdAt: z.string() }).openapi('ListedRun');
const stored = z.object({ createdAt: z.string() });

const route = createRoute({
  method: 'get',
  path: '/v1/evaluations',
  tags: ['evaluations'],
  summary: 'List the evaluations, oldest first',
  middleware: [requires('read')] as const,
  request: { query: pageQuery },
  responses: {
    200: { description: 'A page of runs', content: { 'application/json': { schema: pageOf(listed) } } },
    ...problems(),
  },
});

export const listEvaluations: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.workspace(c.var.caller.workspace).listResources('evaluation', cursor, limit + 1);
    const runs = read.map(({ id, json }) => ({ id, ...stored.parse(JSON.parse(json)) }));
    return c.json(
      page(runs, limit, (run) => run.id),
      200,
    );
  });
