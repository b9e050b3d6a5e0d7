import { createRoute, z } from '@hono/zod-openapi';
import type { RankedRow } from '#core/leaderboards/ranking.ts';
import { entry, type RankedEntry } from '#core/leaderboards/record.ts';
import type { Endpoint } from '../../context.ts';
import { etagOf, tagged } from '../../etag.ts';
import { pageOf, pageQuery } from '../../pages.ts';
import { openProblems } from '../../problem.ts';
import { leaderboardParams, metricQuery, notModified, rankedEntryRecord, versioned } from './form.ts';
import { isCurrent, rankingOf, read } from './ranking.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/leaderboards/{id}/entries',
  tags: ['leaderboards'],
  summary: 'List the entries of a leaderboard in their order by a metric',
  description:
    'Needs no key. `rank` is the position of the best entry that an entry cannot be told from; entries with equal ranks are ties. Entries without a score come last. A page costs the same wherever it is and however many entries there are.',
  security: [],
  request: {
    params: leaderboardParams,
    query: pageQuery.extend({
      ...metricQuery.shape,
      cursor: z
        .string()
        .regex(/^\d{0,7}$/, 'how many entries come before')
        .default('')
        .openapi({ description: '`nextCursor` of the page before' }),
    }),
  },
  responses: {
    200: {
      description: 'A page of entries',
      headers: versioned,
      content: { 'application/json': { schema: pageOf(rankedEntryRecord).extend({ total: z.int() }) } },
    },
    ...notModified,
    ...openProblems('not-found', 'ranking-unreachable'),
  },
});

export const listEntries: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const { metric, limit, cursor } = c.req.valid('query');
    const from = Number(cursor);
    const ranking = await rankingOf(c, id);
    const versionAt = (seq: number) => etagOf(id, seq, metric, from, limit);
    if (await isCurrent(c, ranking, versionAt)) return c.body(null, 304);
    const { rows, total, seq } = read(await ranking.page(metric, from, limit));
    const end = from + rows.length;
    const nextCursor = end < total && rows.length > 0 ? String(end) : null;
    tagged(c, versionAt(seq));
    // Entries stand in the ranking as the leaderboard wrote them: to read and write them anew would be most of the work.
    const items = rows.map(
      ({ position, rank, onFront, json }) =>
        `{"position":${position},"rank":${rank},"onFront":${onFront},"entry":${json}}`,
    );
    const body = `{"items":[${items.join(',')}],"nextCursor":${JSON.stringify(nextCursor)},"total":${total}}`;
    return c.body(body, 200, { 'content-type': 'application/json' });
  });

/** A row of a ranking as it is shown. */
export const rankedEntryOf = ({ json, ...row }: RankedRow): RankedEntry => ({
  ...row,
  entry: entry.parse(JSON.parse(json)),
});
