import type { Context } from 'hono';
import { rankingMetric, type RankingMetric } from '#core/leaderboards/metrics.ts';
import type { LeaderboardRecord } from '#core/leaderboards/record.ts';
import { firstTierWithEntries, submissionTier, type SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { makeEtagFromParts, setEtagAndCacheHeaders } from '../etag.ts';
import { caseListHtml } from '../html/case-list-page.ts';
import { entryPageHtml } from '../html/entry-page.ts';
import { respondWithPage } from '../html/page-frame.ts';
import { leaderboardListHtml } from '../html/leaderboard-list.ts';
import { leaderboardTierPageHtml } from '../html/leaderboard-page.ts';
import { respondOrShowRefusalAsPage } from '../html/refusal-page.ts';
import {
  setVersionHeadersIfClientHasIt,
  requireLeaderboardObject,
  requireRankedEntry,
  compareWithGroupLeaders,
  readPublicCasesPage,
  requireOfferedMetricOrHeadline,
  requireRankingReader,
  unwrapRankingAnswer,
} from '../leaderboard-reads.ts';
import { readFloorIfUnderProtocol } from '../measure-floor.ts';
import { readMeasures } from '../measure-judge.ts';
import { cursorChars, makePageFromItemsAndOneMore } from '../pages.ts';
import { refusal, unwrap } from '../problem.ts';
import { requireLeaderboardWithPublicTexts } from '../require-public.ts';
import { parseRankedEntry } from '../ranked-entry.ts';

const leaderboardsPerPage = 100;
const entriesPerPage = 50;
const casesPerPage = 20;

/** The metric in a page's query, also as `by`, the command line's word; by default the leaderboard's headline. */
async function parseMetricOrRefuse(c: Context<ApiEnv>, id: string): Promise<RankingMetric> {
  const { data, error } = rankingMetric.optional().safeParse(c.req.query('metric') ?? c.req.query('by'));
  if (error !== undefined) throw refusal('invalid-request', `metric: ${error.issues[0]?.message ?? 'unknown'}`);
  return requireOfferedMetricOrHeadline(c, id, data);
}

/** The tier in a page's query; by default the first one that has entries. */
function parseTierOrRefuse(c: Context<ApiEnv>, { entries }: Pick<LeaderboardRecord, 'entries'>): SubmissionTier {
  const asked = c.req.query('tier');
  if (asked === undefined) return firstTierWithEntries(entries);
  const { data } = submissionTier.safeParse(asked);
  if (data === undefined) throw refusal('invalid-request', `tier: one of ${submissionTier.options.join(', ')}`);
  return data;
}

/** The list of leaderboards as a page for people. */
const addLeaderboardListPage: Endpoint = (api) =>
  void api.get('/leaderboards', (c) =>
    respondOrShowRefusalAsPage(c, async () => {
      const cursor = c.req.query('cursor') ?? '';
      if (cursor.length > 100) throw refusal('invalid-request', 'the cursor is none of ours');
      const read = await c.var.services.directory.listLeaderboards(cursor, leaderboardsPerPage + 1);
      const { items, nextCursor } = makePageFromItemsAndOneMore(read, leaderboardsPerPage, ({ id }) => id);
      return respondWithPage(c, { title: 'Leaderboards', body: leaderboardListHtml(items, nextCursor) });
    }),
  );

/** A leaderboard as a page for people. */
const addLeaderboardPage: Endpoint = (api) =>
  void api.get('/leaderboards/:id', (c) =>
    respondOrShowRefusalAsPage(c, async () => {
      const id = c.req.param('id');
      const metric = await parseMetricOrRefuse(c, id);
      const cursor = c.req.query('cursor') ?? '';
      if (!/^\d{0,7}$/.test(cursor)) throw refusal('invalid-request', 'the cursor is the number of entries before');
      const from = Number(cursor);
      const leaderboard = await requireLeaderboardObject(c, id);
      const ranking = await requireRankingReader(c, id);
      const board = unwrap(await leaderboard.get());
      const tier = parseTierOrRefuse(c, board);
      const { workspace } = unwrap(await leaderboard.creation());
      const [floor, judges] = await Promise.all([
        readFloorIfUnderProtocol(c, board.benchmark, board.protocol),
        readMeasures(c, workspace, [board.judge]),
      ]);
      const versionAt = (seq: number) =>
        makeEtagFromParts(id, seq, tier, metric, from, JSON.stringify([floor, judges]), 'page');
      if (await setVersionHeadersIfClientHasIt(c, ranking, versionAt)) return c.body(null, 304);
      const [page, front] = await Promise.all([
        ranking.page(tier, metric, from, entriesPerPage),
        leaderboard.listThinnedFront(tier),
      ]);
      const { rows, total, seq } = unwrapRankingAnswer(page);
      setEtagAndCacheHeaders(c, versionAt(seq));
      const table = {
        board,
        tier,
        metric,
        rows: rows.map(parseRankedEntry),
        front,
        floor,
        judges,
        from,
        limit: entriesPerPage,
        total,
      };
      const description = `${total} ${total === 1 ? 'entry' : 'entries'} (${tier}) on ${board.publicUnits} public and ${board.privateUnits} private units of MCP tools, protocol ${board.protocol}.`;
      return respondWithPage(c, {
        title: board.name,
        description,
        picturePath: `/leaderboards/${id}/card.png`,
        body: leaderboardTierPageHtml(table),
        wide: true,
      });
    }),
  );

/** An entry as a page for people. */
const addEntryPage: Endpoint = (api) =>
  void api.get('/leaderboards/:id/entries/:entry', (c) =>
    respondOrShowRefusalAsPage(c, async () => {
      const { id, entry } = c.req.param();
      const metric = await parseMetricOrRefuse(c, id);
      const leaderboard = await requireLeaderboardObject(c, id);
      const versionAt = (seq: number) => makeEtagFromParts(id, entry, seq, metric, 'page');
      if (await setVersionHeadersIfClientHasIt(c, await requireRankingReader(c, id), versionAt))
        return c.body(null, 304);
      const found = await requireRankedEntry(c, id, entry, metric);
      const [board, place, vouched] = await Promise.all([
        leaderboard.get(),
        compareWithGroupLeaders(leaderboard, metric, found),
        leaderboard.getShownSignedRecord(entry),
      ]);
      const page = { board: unwrap(board), entry: found.entry, place, vouched: unwrap(vouched) };
      setEtagAndCacheHeaders(c, versionAt(found.seq));
      const { tier, name } = found.entry;
      return respondWithPage(c, {
        title: name,
        description: `${place.ranked ? `Rank ${place.rank} of ${place.of}` : `Not ranked among ${place.of}`} in the tier ${tier} of ${page.board.name}.`,
        picturePath: `/leaderboards/${id}/entries/${entry}/card.png`,
        body: entryPageHtml(page),
        wide: true,
      });
    }),
  );

/** An entry's cases of public units as a page for people. */
const addPublicCasesPage: Endpoint = (api) =>
  void api.get('/leaderboards/:id/entries/:entry/cases', (c) =>
    respondOrShowRefusalAsPage(c, async () => {
      const { id, entry } = c.req.param();
      const found = unwrap(await (await requireLeaderboardWithPublicTexts(c, id)).getShownEntry(entry));
      const after = (c.req.query('after') ?? '').slice(0, cursorChars);
      const { items, nextCursor } = await readPublicCasesPage(c.var.services, entry, after, casesPerPage);
      const page = { entry: found, cases: items, next: nextCursor };
      return respondWithPage(c, { title: `Cases of ${found.name}`, body: caseListHtml(page), wide: true });
    }),
  );

export const leaderboardPageEndpoints: readonly Endpoint[] = [
  addLeaderboardListPage,
  addLeaderboardPage,
  addEntryPage,
  addPublicCasesPage,
];
