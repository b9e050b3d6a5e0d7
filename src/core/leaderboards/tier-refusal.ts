import { scorersOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import type { SubmissionTier } from './submissions/state.ts';
import type { LeaderboardCreation } from './record.ts';

/** Returns why submissions of a tier cannot be measured on a leaderboard; null if they can. */
export function findTierRefusalText(
  { protocol, checkedUnits = 0 }: Pick<LeaderboardCreation, 'protocol' | 'checkedUnits'>,
  tier: SubmissionTier,
): string | null {
  const needs = scorersOfProtocol(protocol).flatMap((scorer) => scorer.needs);
  if (tier !== 'service' && checkedUnits > 0 && needs.includes('truth'))
    return `checks decide on ${checkedUnits} of its units: calls that this service makes before and after an attempt of its own; submit in the tier service`;
  if (tier === 'self-reported' && needs.includes('call-forms'))
    return 'whether calls fit the schemas of their tools is a part of the scores, and a file can only claim it; submit in the tier service or gateway';
  return null;
}
