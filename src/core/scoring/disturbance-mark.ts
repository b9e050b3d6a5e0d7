import type { DisturbedAttempt } from '#core/traces/disturbances/attempt-under-disturbance.ts';
import type { AttemptEvidence } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';

/**
 * Returns a way to score what is seen of an attempt under a disturbance: 1 for yes, 0 for no. Unscored where there is no disturbance, where it met no
 * call, and where `find` says null, because such a thing cannot happen under it.
 */
export const scoreMark =
  (find: (attempt: DisturbedAttempt) => boolean | null) =>
  ({ trace }: Pick<AttemptEvidence, 'trace'>): Score => {
    const { disturbance } = trace;
    if (disturbance === undefined) return makeUnscored('not-disturbed', {});
    const found = find({ ...trace, disturbance });
    if (found === null) return makeUnscored(disturbance.met ? 'nothing-to-notice' : 'not-met', {});
    return makeScore(found ? 1 : 0, {});
  };
