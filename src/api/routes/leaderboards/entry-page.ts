import type { Endpoint } from '../../context.ts';
import { etagOf, tagged } from '../../etag.ts';
import { entryPage } from '../../html/entry-page.ts';
import { htmlPage } from '../../html/frame.ts';
import { forPeople } from '../../html/refused.ts';
import { unwrap } from '../../problem.ts';
import { leaderboardNamed } from './find.ts';
import { metricOf } from './page-query.ts';
import { placed, placeOf } from './placed.ts';
import { isCurrent, rankingOf } from './ranking.ts';

/** An entry as a page for people. */
export const publishedEntryPage: Endpoint = (api) =>
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
