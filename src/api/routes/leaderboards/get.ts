import { createRoute } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { openProblems, unwrap } from '../../problem.ts';
import { leaderboardNamed } from './find.ts';
import { leaderboard, leaderboardParams } from './form.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/leaderboards/{id}',
  tags: ['leaderboards'],
  summary: 'Read what a leaderboard is',
  description: 'Needs no key.',
  security: [],
  request: { params: leaderboardParams },
  responses: {
    200: { description: 'The leaderboard', content: { 'application/json': { schema: leaderboard } } },
    ...openProblems('not-found'),
  },
});

export const getLeaderboard: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const board = await leaderboardNamed(c, c.req.valid('param').id);
    return c.json(unwrap(await board.get()), 200);
  });
