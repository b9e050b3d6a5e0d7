import type { AuditAnswer } from './answers.ts';

/** The scores, 0..100, from which a pair passes, and from which it needs no person. */
export interface TierThresholds {
  readonly passScore: number;
  readonly acceptScore: number;
}

/** A pair's audit: its score, the result of the static check, and the number of refinements so far. */
export interface Audited {
  readonly score: number;
  readonly solvable: boolean;
  readonly refinements: number;
}

/** Returns the score of an audit, 0..100: the lower of its two grades, because a pair needs both. */
export const minAuditGrade = ({
  semanticEquivalence,
  parameterSolvability,
}: Pick<AuditAnswer, 'semanticEquivalence' | 'parameterSolvability'>): number =>
  Math.min(semanticEquivalence, parameterSolvability);

/**
 * Returns what follows an audit: from `acceptScore` on the pair is accepted, from `passScore` on a person decides, and
 * below it is refined while refinements are left. A pair that the static check finds unsolvable is below, regardless of
 * its score. Source: section 4.3 of the paper; the defaults (80, 90, 3 refinements) are those of `explorationConfig`.
 */
export const nextAfterAudit = (
  { score, solvable, refinements }: Audited,
  { passScore, acceptScore, maxRefinements }: TierThresholds & { readonly maxRefinements: number },
): 'accept' | 'review' | 'refine' | 'reject' => {
  if (solvable && score >= acceptScore) return 'accept';
  if (solvable && score >= passScore) return 'review';
  return refinements < maxRefinements ? 'refine' : 'reject';
};
