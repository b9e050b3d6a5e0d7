import type { Context } from 'hono';
import { chooseRankingSource as rankingIn } from '#adapters/ranking/choose-ranking.ts';
import type { ExplainedCase } from '#core/evaluation/explained-case.ts';
import { evaluationIdOfSubmission } from '#core/leaderboards/submissions/evaluation-id.ts';
import {
  getMetricTitleAndDirection,
  listOfferedMetrics,
  rankingOrdersOfProtocol,
  type RankingMetric,
} from '#core/leaderboards/metrics.ts';
import type { Ranked, RankedPlace, RankingReader } from '#core/leaderboards/ranking.ts';
import {
  entry,
  type Entry,
  type EntryPlace,
  type LeaderboardCreation,
  type PairedPlace,
} from '#core/leaderboards/record.ts';
import type { ApiEnv, Services } from './context.ts';
import { ifNoneMatchHasEtag, setEtagAndCacheHeaders } from './etag.ts';
import { makePageFromItemsAndOneMore } from './pages.ts';
import { refusal, unwrap } from './problem.ts';
import type { LeaderboardService } from './services.ts';

const leaderboardId = /^lb_[0-9a-f]{24}$/;

/** Leaderboards that this process has found; leaderboards are never removed. */
const known = new Set<string>();

/**
 * Returns the leaderboard with this id, or refuses. The directory is asked first, because asking an object creates it
 * with its tables, and every guessed id would leave one.
 */
export async function requireLeaderboardObject(
  { var: { services } }: Context<ApiEnv>,
  id: string,
): Promise<LeaderboardService> {
  const isThere = known.has(id) || (leaderboardId.test(id) && (await services.directory.hasLeaderboard(id)));
  if (!isThere) throw refusal('not-found', `there is no leaderboard ${id}`);
  known.add(id);
  return services.object('leaderboard', id);
}

/** What orders a leaderboard's entries, which never changes. */
type OrderedLeaderboard = Pick<LeaderboardCreation, 'id' | 'protocol' | 'trials'>;

/** By id, those that this process has read. */
const ordered = new Map<string, OrderedLeaderboard>();

/** Returns what orders the entries of a leaderboard, or refuses if there is no such leaderboard. */
async function readProtocolAndTrialsOnce(c: Context<ApiEnv>, id: string): Promise<OrderedLeaderboard> {
  const held = ordered.get(id);
  if (held !== undefined) return held;
  const { protocol, trials } = unwrap(await (await requireLeaderboardObject(c, id)).creation());
  const read = { id, protocol, trials };
  ordered.set(id, read);
  return read;
}

/** Returns the order that a reader asks for, by default the headline; refuses one that the leaderboard does not have. */
export async function requireOfferedMetricOrHeadline(
  c: Context<ApiEnv>,
  id: string,
  asked: RankingMetric | undefined,
): Promise<RankingMetric> {
  const { protocol, trials } = await readProtocolAndTrialsOnce(c, id);
  const { headline } = rankingOrdersOfProtocol(protocol);
  const offered = listOfferedMetrics(protocol, trials);
  if (asked === undefined || offered.includes(asked)) return asked ?? headline;
  const { title } = getMetricTitleAndDirection(asked);
  throw refusal(
    'invalid-request',
    `metric: this leaderboard has no order by ${title}; it has ${offered.join(', ')}, and ranks nobody by other scorers`,
  );
}

/** Returns the ranking of a leaderboard, or refuses if there is no such leaderboard. */
export const requireRankingReader = async (c: Context<ApiEnv>, id: string): Promise<RankingReader> =>
  rankingIn(
    c.var.services.settings,
    await readProtocolAndTrialsOnce(c, id),
    await requireLeaderboardObject(c, id),
    c.var.admission,
  );

/** Returns the value of a ranking's answer, or refuses the request. */
export function unwrapRankingAnswer<T>(answer: Ranked<T>): T {
  if (answer.ok) return answer.value;
  throw refusal('ranking-unreachable', answer.fault.detail);
}

/**
 * Sets the version headers and returns true if the client has the current answer; this reads only the number of the ranking's last change.
 * `versionAt` is the entity tag of the answer after that many changes.
 */
export async function setVersionHeadersIfClientHasIt(
  c: Context<ApiEnv>,
  ranking: RankingReader,
  versionAt: (seq: number) => string,
): Promise<boolean> {
  const held = c.req.header('if-none-match');
  if (held === undefined) return false;
  const version = versionAt(unwrapRankingAnswer(await ranking.seq()));
  if (!ifNoneMatchHasEtag(held, version)) return false;
  setEtagAndCacheHeaders(c, version);
  return true;
}

export interface PlacedEntry {
  readonly entry: Entry;
  /** The number of the ranking's last change. */
  readonly seq: number;
  readonly ranked: RankedPlace;
}

/** Returns an entry with its rank by a metric; refuses if it is not published. */
export async function requireRankedEntry(
  c: Context<ApiEnv>,
  board: string,
  id: string,
  metric: RankingMetric,
): Promise<PlacedEntry> {
  const ranked = unwrapRankingAnswer(await (await requireRankingReader(c, board)).place(metric, id));
  if (ranked !== null) return { entry: entry.parse(JSON.parse(ranked.json)), seq: ranked.seq, ranked };
  // The leaderboard knows why it is gone.
  unwrap(await (await requireLeaderboardObject(c, board)).getShownEntry(id));
  throw refusal('ranking-unreachable', `the entry ${id} is published, but not ranked yet`);
}

/** Explains an entry's rank: compares it with the leader of its group, and with that of the group above. */
export async function compareWithGroupLeaders(
  board: LeaderboardService,
  metric: RankingMetric,
  { entry: { id }, ranked }: PlacedEntry,
): Promise<EntryPlace> {
  const against = (other: string | null): Promise<PairedPlace | null> =>
    other === null || other === id ? Promise.resolve(null) : board.compareEntries(metric, id, other);
  const [leader, above] = await Promise.all([against(ranked.leader), against(ranked.above)]);
  const { position, rank, ranked: hasPlace, total, onFront } = ranked;
  return { metric, position, rank, ranked: hasPlace, of: total, onFront, leader, above };
}

/** How many earlier leaderboards of an agent are read. */
const earlierLeaderboards = 20;

export interface PastEntry {
  readonly leaderboard: string;
  readonly benchmark: string;
  readonly entry: Entry;
}

/**
 * Returns the entries of one name by one submitter, on one leaderboard and on those of the benchmark's earlier
 * versions. The newest leaderboard comes first, and on each the newest entry. Refuses if the entry is not published.
 */
export async function listEntriesUnderSameName(services: Services, id: string, entryId: string): Promise<PastEntry[]> {
  const owner = unwrap(await services.object('leaderboard', id).getShownEntryOwner(entryId));
  const past: PastEntry[] = [];
  const seen = new Set<string>();
  for (let at: string | null = id; at !== null && !seen.has(at) && seen.size <= earlierLeaderboards;) {
    seen.add(at);
    const board: LeaderboardService = services.object('leaderboard', at);
    const [creation, entries]: [Awaited<ReturnType<typeof board.creation>>, Entry[]] = await Promise.all([
      board.creation(),
      board.listEntriesOfName(owner.name, owner.workspace),
    ]);
    if (!creation.ok) break;
    const { id: leaderboardId, benchmark, previous } = creation.value;
    past.push(...entries.map((entry) => ({ leaderboard: leaderboardId, benchmark, entry })));
    at = previous;
  }
  return past;
}

/** Returns a page of an entry's cases of public units. The entry must be published. */
export async function readPublicCasesPage(
  services: Services,
  entryId: string,
  after: string,
  limit: number,
): Promise<{ items: ExplainedCase[]; nextCursor: string | null }> {
  const evaluation = services.object('evaluation', evaluationIdOfSubmission(entryId));
  return makePageFromItemsAndOneMore(
    unwrap(await evaluation.cases.listFinishedPublic(after, limit + 1)),
    limit,
    (each) => each.case,
  );
}
