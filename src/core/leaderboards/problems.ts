import type { Problem } from '#core/values/errors.ts';
import { defaultClaimMs } from '#core/evaluation/lease.ts';
import { mountingName, oracleMounting } from '#core/units/mounting/mounting.ts';
import type { LeaderboardRefusal } from './entry-state.ts';

/** What a client is told. */
export function makeLeaderboardRefusalProblem(refusal: LeaderboardRefusal): Problem {
  switch (refusal.reason) {
    case 'leaderboard-exists': {
      const { id, name, trials, mounting = oracleMounting, claimMs = defaultClaimMs, judgeAccuracy } = refusal;
      const judge =
        judgeAccuracy === undefined ? '' : `, and a judge that is right on ${judgeAccuracy} of known attempts`;
      return {
        code: 'leaderboard-exists',
        detail: `it is ${id}, "${name}", with ${trials} ${trials === 1 ? 'trial' : 'trials'}, the mounting ${mountingName(mounting)} and claims of at most ${claimMs / 1_000} s${judge}`,
      };
    }
    case 'private-units-given':
      return {
        code: 'private-units-given',
        detail: `the workspace was given private units of this leaderboard for ${refusal.submission}, and a workspace is given each of them once`,
      };
    case 'no-entry':
      return { code: 'not-found', detail: `there is no entry ${refusal.id} on this leaderboard` };
    case 'entry-gone': {
      const { state, since, reason } = refusal.standing;
      return { code: 'entry-gone', detail: `it was ${state} on ${since}: ${reason}` };
    }
    case 'cannot-move': {
      const { state, since } = refusal.standing;
      return { code: 'wrong-state', detail: `the entry has been ${state} since ${since}` };
    }
  }
}
