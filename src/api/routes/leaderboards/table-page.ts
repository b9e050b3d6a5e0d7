import type { Endpoint } from '../../context.ts';
import { etagOf, tagged } from '../../etag.ts';
import { htmlPage } from '../../html/frame.ts';
import { leaderboardTable } from '../../html/leaderboard-table.ts';
import { forPeople } from '../../html/refused.ts';
import { refusal, unwrap } from '../../problem.ts';
import { rankedEntryOf } from './entries.ts';
import { leaderboardNamed } from './find.ts';
import { metricOf } from './page-query.ts';
import { isCurrent, rankingOf, read } from './ranking.ts';

const limit = 50;

/** A leaderboard as a page for people. */
export const leaderboardPage: Endpoint = (api) =>
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
      const board = unwrap(await leaderboard.get());
      const [page, front] = await Promise.all([ranking.page(metric, from, limit), leaderboard.front()]);
      const { rows, total, seq } = read(page);
      tagged(c, versionAt(seq));
      const table = { board, metric, rows: rows.map(rankedEntryOf), front, from, limit, total };
      return htmlPage(c, { title: board.name, body: leaderboardTable(table), wide: true });
    }),
  );
