import type { Context } from 'hono';
import type { ApiEnv } from '../../context.ts';
import { refusal } from '../../problem.ts';
import type { LeaderboardService } from '../../services.ts';

const leaderboardId = /^lb_[0-9a-f]{24}$/;

/** Leaderboards that this process has asked for and found: none ever goes away. */
const known = new Set<string>();

/**
 * The leaderboard with this id; refused where there is none. The directory is asked first: an object that is asked is made with its
 * tables, and whoever guesses ids would leave one behind for each guess.
 */
export async function leaderboardNamed(
  { var: { services } }: Context<ApiEnv>,
  id: string,
): Promise<LeaderboardService> {
  const isThere = known.has(id) || (leaderboardId.test(id) && (await services.directory.hasLeaderboard(id)));
  if (!isThere) throw refusal('not-found', `there is no leaderboard ${id}`);
  known.add(id);
  return services.leaderboard(id);
}
