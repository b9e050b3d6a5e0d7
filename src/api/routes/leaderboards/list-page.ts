import type { Endpoint } from '../../context.ts';
import { htmlPage } from '../../html/frame.ts';
import { leaderboardList } from '../../html/leaderboard-list.ts';
import { forPeople } from '../../html/refused.ts';
import { page } from '../../pages.ts';
import { refusal } from '../../problem.ts';

const limit = 100;

/** The leaderboards as a page for people. */
export const leaderboardsPage: Endpoint = (api) =>
  void api.get('/leaderboards', (c) =>
    forPeople(c, async () => {
      const cursor = c.req.query('cursor') ?? '';
      if (cursor.length > 100) throw refusal('invalid-request', 'the cursor is none of ours');
      const read = await c.var.services.directory.listLeaderboards(cursor, limit + 1);
      const { items, nextCursor } = page(read, limit, ({ id }) => id);
      return htmlPage(c, { title: 'Leaderboards', body: leaderboardList(items, nextCursor) });
    }),
  );
