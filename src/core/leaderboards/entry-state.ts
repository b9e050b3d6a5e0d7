import { z } from 'zod';
import { err, ok, type Result } from '#core/values/result.ts';
import type { LeaderboardCreation, LogLine } from './record.ts';

export const entryState = z.enum(['published', 'hidden', 'withdrawn']);
export type EntryState = z.infer<typeof entryState>;

/** The state of an entry, with time and reason. */
export interface EntryStanding {
  readonly state: EntryState;
  readonly since: string;
  readonly reason: string;
}

/** Why something cannot be done on a leaderboard. */
export type LeaderboardRefusal =
  | ({ readonly reason: 'leaderboard-exists' } & Pick<
      LeaderboardCreation,
      'id' | 'name' | 'trials' | 'mounting' | 'claimMs' | 'judgeAccuracy'
    >)
  /** The workspace was given private units of this leaderboard for an earlier submission, maybe on another one. */
  | { readonly reason: 'private-units-given'; readonly submission: string }
  | { readonly reason: 'no-entry'; readonly id: string }
  | { readonly reason: 'entry-gone'; readonly standing: EntryStanding }
  /** The entry is in a state from which the decision does not lead on. */
  | { readonly reason: 'cannot-move'; readonly standing: EntryStanding };

/** A decision about an entry: its target state, the states it applies to, and its name in the log. */
interface EntryMove {
  readonly to: EntryState;
  readonly from: readonly EntryState[];
  readonly kind: LogLine['kind'];
}

export const entryMoves = {
  hide: { to: 'hidden', from: ['published'], kind: 'hidden' },
  show: { to: 'published', from: ['hidden'], kind: 'shown' },
  withdraw: { to: 'withdrawn', from: ['published', 'hidden'], kind: 'withdrawn' },
} as const satisfies Record<string, EntryMove>;
export type EntryVerb = keyof typeof entryMoves;

/** Decides whether an entry moves. `done` if it has the state already. */
export function decideEntryMoveOrRefuse(
  verb: EntryVerb,
  standing: EntryStanding,
): Result<'move' | 'done', LeaderboardRefusal> {
  const { to, from }: EntryMove = entryMoves[verb];
  if (standing.state === to) return ok('done');
  return from.includes(standing.state) ? ok('move') : err({ reason: 'cannot-move', standing });
}

/** Refuses an entry that is not on the leaderboard; `standing` is null if it never was. */
export function refuseEntryUnlessPublished(
  id: string,
  standing: EntryStanding | null,
): Result<null, LeaderboardRefusal> {
  if (standing === null) return err({ reason: 'no-entry', id });
  return standing.state === 'published' ? ok(null) : err({ reason: 'entry-gone', standing });
}
