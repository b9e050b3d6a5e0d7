import { agreementShare, yesNoKappa } from '#core/statistics/kappa.ts';
import type { Decision } from '#core/units/review.ts';
import type { Agreement } from './record.ts';

/**
 * Returns how far reviewers agree with the critic, by the first decision on each unit. All these units lie in the
 * middle tier, so the critic's vote is the half of the tier in which its score lies; a reviewer's vote is yes if the
 * unit was approved unchanged.
 */
export function computeReviewAgreement(
  firstDecisions: readonly Pick<Decision, 'verdict' | 'score'>[],
  open: number,
  { passScore, acceptScore }: { passScore: number; acceptScore: number },
): Agreement {
  const middle = (passScore + acceptScore) / 2;
  const countDecisions = (decision: Decision['verdict']['decision']): number =>
    firstDecisions.filter(({ verdict }) => verdict.decision === decision).length;
  const ratings = { both: 0, first: 0, second: 0, neither: 0 };
  for (const { verdict, score } of firstDecisions) {
    const approves = verdict.decision === 'approve';
    const leans = score >= middle;
    ratings[approves ? (leans ? 'both' : 'first') : leans ? 'second' : 'neither'] += 1;
  }
  return {
    open,
    decided: firstDecisions.length,
    approved: countDecisions('approve'),
    edited: countDecisions('edit'),
    rejected: countDecisions('reject'),
    accuracy: agreementShare(ratings),
    kappa: yesNoKappa(ratings),
  };
}
