import { createRoute, z } from '@hono/zod-openapi';
import { badge } from '#core/leaderboards/badge.ts';
import { defaultMetric } from '#core/leaderboards/metrics.ts';
import type { Endpoint } from '../../context.ts';
import { etagOf, tagged } from '../../etag.ts';
import { openProblems } from '../../problem.ts';
import { entryParams, notModified, versioned } from './form.ts';
import { placed } from './placed.ts';
import { isCurrent, rankingOf, read } from './ranking.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/leaderboards/{id}/entries/{entry}/badge.svg',
  tags: ['leaderboards'],
  summary: 'A badge that shows where an entry stands',
  description: 'Needs no key. For a page of your own; it follows the leaderboard.',
  security: [],
  request: { params: entryParams },
  responses: {
    200: { description: 'The badge', headers: versioned, content: { 'image/svg+xml': { schema: z.string() } } },
    ...notModified,
    ...openProblems('not-found', 'entry-gone', 'ranking-unreachable'),
  },
});

export const getBadge: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id, entry } = c.req.valid('param');
    const versionAt = (seq: number) => etagOf(id, entry, seq, 'badge');
    const ranking = await rankingOf(c, id);
    if (await isCurrent(c, ranking, versionAt)) return c.body(null, 304);
    const found = await placed(c, id, entry, defaultMetric);
    const { position, rank, total: of } = found.ranked;
    // Ties stand one below the other: who leads its rank has it alone unless the next one has it too.
    const tied = rank !== position || read(await ranking.page(defaultMetric, position, 1)).rows[0]?.rank === rank;
    tagged(c, versionAt(found.seq));
    return c.body(badge(found.entry, { rank, of, tied }), 200, {
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'",
    });
  });
