import type { Entry } from '#core/leaderboards/record.ts';
import type { Services } from '../../context.ts';
import { refusal, unwrap } from '../../problem.ts';

/** How far back an agent is followed. */
const earlierLeaderboards = 20;

export interface PastEntry {
  readonly leaderboard: string;
  readonly benchmark: string;
  readonly entry: Entry;
}

/**
 * The entries of one name by one submitter: on the leaderboard of one of them, and on those of the benchmark's versions before. The newest
 * leaderboard comes first, and on each the newest entry. Refused where the entry is not published.
 */
export async function pastOf({ leaderboard }: Services, id: string, entryId: string): Promise<PastEntry[]> {
  unwrap(await leaderboard(id).getEntry(entryId));
  const owner = await leaderboard(id).ownerOf(entryId);
  if (owner === null) throw refusal('not-found', `there is no entry ${entryId}`);
  const past: PastEntry[] = [];
  const seen = new Set<string>();
  for (let at: string | null = id; at !== null && !seen.has(at) && seen.size <= earlierLeaderboards;) {
    seen.add(at);
    const board = leaderboard(at);
    const [birth, entries]: [Awaited<ReturnType<typeof board.birth>>, Entry[]] = await Promise.all([
      board.birth(),
      board.entriesLike(owner.name, owner.workspace),
    ]);
    if (!birth.ok) break;
    const { id: leaderboardId, benchmark, previous } = birth.value;
    past.push(...entries.map((entry) => ({ leaderboard: leaderboardId, benchmark, entry })));
    at = previous;
  }
  return past;
}
