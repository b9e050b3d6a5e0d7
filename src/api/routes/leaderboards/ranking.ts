import type { Context } from 'hono';
import { rankingOf as rankingIn } from '#adapters/ranking/ranking-of.ts';
import type { Ranked, RankingReader } from '#core/leaderboards/ranking.ts';
import type { ApiEnv } from '../../context.ts';
import { holds, tagged } from '../../etag.ts';
import { refusal } from '../../problem.ts';
import { leaderboardNamed } from './find.ts';

/** Where the ranking of a leaderboard is read; refused where there is no such leaderboard. */
export const rankingOf = async (c: Context<ApiEnv>, id: string): Promise<RankingReader> =>
  rankingIn(c.var.services.settings, id, await leaderboardNamed(c, id), c.var.admission);

/** What was read of a ranking, or a refusal that ends the request. */
export function read<T>(answer: Ranked<T>): T {
  if (answer.ok) return answer.value;
  throw refusal('ranking-unreachable', answer.fault.detail);
}

/**
 * Whether the client holds what it would get: then nothing but the number of the ranking's last change was asked for. `versionAt` is
 * the entity tag of the answer after so many changes.
 */
export async function isCurrent(
  c: Context<ApiEnv>,
  ranking: RankingReader,
  versionAt: (seq: number) => string,
): Promise<boolean> {
  const held = c.req.header('if-none-match');
  if (held === undefined) return false;
  const version = versionAt(read(await ranking.seq()));
  if (!holds(held, version)) return false;
  tagged(c, version);
  return true;
}
