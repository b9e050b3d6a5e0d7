import { createRoute, z } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { openProblems } from '../../problem.ts';
import { leaderboardNamed } from './find.ts';
import { leaderboardParams, publishedEntry } from './form.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/leaderboards/{id}/front',
  tags: ['leaderboards'],
  summary: 'Read the Pareto front of cost and execution',
  description:
    'Needs no key. The entries that no other one beats both in cost an attempt and in execution score, the cheapest first. Entries whose cost is not known are not on it. Of a longer front 200 entries are given, both its ends among them and the others evenly between; `onFront` of an entry is always exact.',
  security: [],
  request: { params: leaderboardParams },
  responses: {
    200: {
      description: 'The entries',
      content: { 'application/json': { schema: z.object({ items: z.array(publishedEntry) }) } },
    },
    ...openProblems('not-found'),
  },
});

export const getFront: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const board = await leaderboardNamed(c, c.req.valid('param').id);
    return c.json({ items: await board.front() }, 200);
  });
