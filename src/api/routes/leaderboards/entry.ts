import { createRoute, z } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { etagOf, tagged } from '../../etag.ts';
import { openProblems } from '../../problem.ts';
import { leaderboardNamed } from './find.ts';
import { entryParams, metricQuery, notModified, place, publishedEntry, versioned } from './form.ts';
import { placed, placeOf } from './placed.ts';
import { isCurrent, rankingOf } from './ranking.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/leaderboards/{id}/entries/{entry}',
  tags: ['leaderboards'],
  summary: 'Read an entry, where it stands and why',
  description:
    'Needs no key. `place` has the paired comparison, unit by unit, with the entry that leads the group of ties, from which it cannot be told, and with the leader of the group above, from which it can.',
  security: [],
  request: { params: entryParams, query: metricQuery },
  responses: {
    200: {
      description: 'The entry',
      headers: versioned,
      content: { 'application/json': { schema: z.object({ entry: publishedEntry, place }) } },
    },
    ...notModified,
    ...openProblems('not-found', 'entry-gone', 'ranking-unreachable'),
  },
});

export const getEntry: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id, entry } = c.req.valid('param');
    const { metric } = c.req.valid('query');
    const versionAt = (seq: number) => etagOf(id, entry, seq, metric);
    if (await isCurrent(c, await rankingOf(c, id), versionAt)) return c.body(null, 304);
    const found = await placed(c, id, entry, metric);
    const why = await placeOf(await leaderboardNamed(c, id), metric, found);
    tagged(c, versionAt(found.seq));
    return c.json({ entry: found.entry, place: why }, 200);
  });
