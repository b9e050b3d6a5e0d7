import { listMetricsWithUnitValues } from './metrics.ts';
import type { LeaderboardCreation } from './record.ts';
import type { SubmissionTier } from './submissions/state.ts';
import { tierRules } from './submissions/tiers.ts';
import type { Publication } from './scored-submission.ts';

/** Submissions that we score at once: their judges are one endpoint. */
const scoredAtOnce = 20;
/** At most this many of one workspace, so that its slow endpoints cannot keep all others waiting. */
export const maxScoredOfWorkspace = 10;
/** Maximum entries of a leaderboard, so that its ranking can be rebuilt within the 30 seconds that a request may compute. */
export const maxEntries = 20_000;
/** Entries that one answer holds: of one name, and of the front. */
export const maxEntriesOfName = 50;
export const maxFrontEntries = 200;

/** Returns whether one more submission may be scored next to `all` others, of which `own` are its workspace's. */
export const mayScoreAnotherSubmission = ({ all, own }: { readonly all: number; readonly own: number }): boolean =>
  all < scoredAtOnce && own < maxScoredOfWorkspace;

/** Returns how many more submissions may be scored next to so many. */
export const countFreeScoringPlaces = (all: number): number => Math.max(0, scoredAtOnce - all);

/** Returns why a submission cannot have a place among `entries` others, however good it is; null if it can. */
export function findEntryRefusalText(
  leaderboard: Pick<LeaderboardCreation, 'protocol' | 'publicUnits' | 'privateUnits'>,
  entries: number,
  { tier, scored: { values } }: Pick<Publication, 'tier' | 'scored'>,
): string | null {
  if (entries >= maxEntries) return `a leaderboard has at most ${maxEntries} entries, and this one has`;
  const isPrivate = givesPrivateUnitsToTier(leaderboard, tier);
  const units = isPrivate ? leaderboard.privateUnits : leaderboard.publicUnits;
  const wrong = listMetricsWithUnitValues(leaderboard.protocol).find((metric) => values[metric]?.length !== units);
  if (wrong === undefined) return null;
  return `it has ${values[wrong]?.length ?? 0} values of ${wrong}, and the entries of its tier rank by ${units} ${isPrivate ? 'private' : 'public'} units; submit it again`;
}

/** Returns whether a leaderboard gives the submissions of a tier private units, by which they then rank. */
export const givesPrivateUnitsToTier = (
  { privateUnits }: Pick<LeaderboardCreation, 'privateUnits'>,
  tier: SubmissionTier,
): boolean => privateUnits > 0 && tierRules[tier].split === 'all';
