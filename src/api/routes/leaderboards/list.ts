import { createRoute } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { openProblems } from '../../problem.ts';
import { leaderboardSummary } from './form.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/leaderboards',
  tags: ['leaderboards'],
  summary: 'List the leaderboards of the deployment',
  description: 'Needs no key. By id.',
  security: [],
  request: { query: pageQuery },
  responses: {
    200: {
      description: 'A page of leaderboards',
      content: { 'application/json': { schema: pageOf(leaderboardSummary) } },
    },
    ...openProblems(),
  },
});

export const listLeaderboards: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.directory.listLeaderboards(cursor, limit + 1);
    return c.json(
      page(read, limit, ({ id }) => id),
      200,
    );
  });
