import type { Context } from 'hono';
import { defaultMetric, rankingMetric, type RankingMetric } from '#core/leaderboards/metrics.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { etagOf, tagged } from '../etag.ts';
import { entryPage } from '../html/entry-page.ts';
import { htmlPage } from '../html/frame.ts';
import { leaderboardList } from '../html/leaderboard-list.ts';
import { leaderboardTable } from '../html/leaderboard-table.ts';
import { forPeople } from '../html/refused.ts';
import { isCurrent, leaderboardNamed, placed, placeOf, rankingOf, read } from '../leaderboard-reads.ts';
import { page } from '../pages.ts';
import { refusal, unwrap } from '../problem.ts';
import { rankedEntryOf } from './entries.ts';

const leaderboardsPerPage = 100;
const entriesPerPage = 50;

/** The metric in a page's query. */
function metricOf(c: Context<ApiEnv>): RankingMetric {
  const { data } = rankingMetric.safeParse(c.req.query('metric') ?? defaultMetric);
  if (data === undefined)
    throw refusal('invalid-request', `there is no such metric; there are ${rankingMetric.options.join(', ')}`);
  return data;
}

/** The list of leaderboards as a page for people. */
const leaderboardsPage: Endpoint = (api) =>
  void api.get('/leaderboards', (c) =>
    forPeople(c, async () => {
      const cursor = c.req.query('cursor') ?? '';
      if (cursor.length > 100) throw refusal('invalid-request', 'the cursor is none of ours');
      const read = await c.var.services.directory.listLeaderboards(cursor, leaderboardsPerPage + 1);
      const { items, nextCursor } = page(read, leaderboardsPerPage, ({ id }) => id);
      return htmlPage(c, { title: 'Leaderboards', body: leaderboardList(items, nextCursor) });
    }),
  );

/** A leaderboard as a page for people. */
const leaderboardPage: Endpoint = (api) =>
  void api.get('/leaderboards/:id', (c) =>
    forPeople(c, async () => {
      const id = c.req.param('id');
      const metric = metricOf(c);
      const cursor = c.req.query('cursor') ?? '';
      if (!/^\d{0,7}$/.test(cursor)) throw refusal('invalid-request', 'the cursor is the number of entries before');
      const from = Number(cursor);
      const leaderboard = await leaderboardNamed(c, id);
      const ranking = await rankingOf(c, id);
      const versionAt = (seq: number) => etagOf(id, seq, metric, from, 'page');
      if (await isCurrent(c, ranking, versionAt)) return c.body(null, 304);
      const [shown, page, front] = await Promise.all([
        leaderboard.get(),
        ranking.page(metric, from, entriesPerPage),
        leaderboard.front(),
      ]);
      const board = unwrap(shown);
      const { rows, total, seq } = read(page);
      tagged(c, versionAt(seq));
      const table = { board, metric, rows: rows.map(rankedEntryOf), front, from, limit: entriesPerPage, total };
      return htmlPage(c, { title: board.name, body: leaderboardTable(table), wide: true });
    }),
  );

/** An entry as a page for people. */
const publishedEntryPage: Endpoint = (api) =>
  void api.get('/leaderboards/:id/entries/:entry', (c) =>
    forPeople(c, async () => {
      const { id, entry } = c.req.param();
      const metric = metricOf(c);
      const leaderboard = await leaderboardNamed(c, id);
      const versionAt = (seq: number) => etagOf(id, entry, seq, metric, 'page');
      if (await isCurrent(c, await rankingOf(c, id), versionAt)) return c.body(null, 304);
      const found = await placed(c, id, entry, metric);
      const [board, place, vouched] = await Promise.all([
        leaderboard.get(),
        placeOf(leaderboard, metric, found),
        leaderboard.getRecord(entry),
      ]);
      const page = { board: unwrap(board), entry: found.entry, place, vouched: unwrap(vouched) };
      tagged(c, versionAt(found.seq));
      return htmlPage(c, { title: found.entry.name, body: entryPage(page), wide: true });
    }),
  );

export const leaderboardPageEndpoints: readonly Endpoint[] = [leaderboardsPage, leaderboardPage, publishedEntryPage];
