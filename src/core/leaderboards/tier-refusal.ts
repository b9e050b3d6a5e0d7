import { getProtocol } from '#core/protocols/protocols.ts';
import { outcome } from '#core/scoring/outcome.ts';
import { validArguments } from '#core/scoring/valid-arguments.ts';
import type { SubmissionTier } from '#core/submissions/state.ts';
import type { LeaderboardCreation } from './record.ts';

/** Returns why submissions of a tier cannot be measured on a leaderboard; null if they can. */
export function findTierRefusalText(
  { protocol, checkedUnits = 0 }: Pick<LeaderboardCreation, 'protocol' | 'checkedUnits'>,
  tier: SubmissionTier,
): string | null {
  const { scorers } = getProtocol(protocol);
  if (tier !== 'service' && checkedUnits > 0 && scorers.includes(outcome.key))
    return `checks decide on ${checkedUnits} of its units: calls that this service makes before and after an attempt of its own; submit in the tier service`;
  if (tier === 'self-reported' && scorers.includes(validArguments.key))
    return 'whether calls fit the schemas of their tools is a part of the scores, and a file can only claim it; submit in the tier service or gateway';
  return null;
}
