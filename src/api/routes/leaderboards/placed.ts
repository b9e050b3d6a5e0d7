import type { Context } from 'hono';
import type { RankingMetric } from '#core/leaderboards/metrics.ts';
import type { RankedPlace } from '#core/leaderboards/ranking.ts';
import { entry, type Entry, type EntryPlace, type PairedPlace } from '#core/leaderboards/record.ts';
import type { ApiEnv } from '../../context.ts';
import { refusal, unwrap } from '../../problem.ts';
import type { LeaderboardService } from '../../services.ts';
import { leaderboardNamed } from './find.ts';
import { rankingOf, read } from './ranking.ts';

export interface Placed {
  readonly entry: Entry;
  /** The number of the ranking's last change. */
  readonly seq: number;
  readonly ranked: RankedPlace;
}

/** An entry where it stands by a metric; refused where it is not published. */
export async function placed(c: Context<ApiEnv>, board: string, id: string, metric: RankingMetric): Promise<Placed> {
  const ranked = read(await (await rankingOf(c, board)).place(metric, id));
  if (ranked !== null) return { entry: entry.parse(JSON.parse(ranked.json)), seq: ranked.seq, ranked };
  // The leaderboard says what became of it.
  unwrap(await (await leaderboardNamed(c, board)).getEntry(id));
  throw refusal('ranking-unreachable', `the entry ${id} is published, but not ranked yet`);
}

/** Why an entry is where it is: held against the leader of its group, and against that of the group above. */
export async function placeOf(
  board: LeaderboardService,
  metric: RankingMetric,
  { entry: { id }, ranked }: Placed,
): Promise<EntryPlace> {
  const against = (other: string | null): Promise<PairedPlace | null> =>
    other === null || other === id ? Promise.resolve(null) : board.paired(metric, id, other);
  const [leader, above] = await Promise.all([against(ranked.leader), against(ranked.above)]);
  const { position, rank, total, onFront } = ranked;
  return { metric, position, rank, of: total, onFront, leader, above };
}
