import { createRoute, z } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { openProblems } from '../../problem.ts';
import { leaderboardNamed } from './find.ts';
import { entryParams, publishedEntry } from './form.ts';
import { pastOf } from './past.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/leaderboards/{id}/entries/{entry}/history',
  tags: ['leaderboards'],
  summary: 'Follow an agent over submissions and versions of the benchmark',
  description:
    'Needs no key. The entries of the same name by the same submitter, on this leaderboard and on up to 20 that it says it follows, the newest leaderboard first, and on each its 50 newest entries, the newest first.',
  security: [],
  request: { params: entryParams },
  responses: {
    200: {
      description: 'The entries',
      content: {
        'application/json': {
          schema: z.object({
            items: z.array(z.object({ leaderboard: z.string(), benchmark: z.string(), entry: publishedEntry })),
          }),
        },
      },
    },
    ...openProblems('not-found', 'entry-gone'),
  },
});

export const getHistory: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id, entry } = c.req.valid('param');
    await leaderboardNamed(c, id);
    return c.json({ items: await pastOf(c.var.services, id, entry) }, 200);
  });
