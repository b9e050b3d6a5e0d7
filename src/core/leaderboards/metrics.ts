import { z } from 'zod';
import { byKey } from '#core/scoring/by-key.ts';
import { comparedTitle, headline, scorerKeys, scorerOf, type ScorerKey } from '#core/scoring/scorers.ts';

/** What a leaderboard can be sorted by: every scorer, the reliability in four trials, and what attempts took. */
export const rankingMetric = z.enum([...scorerKeys, 'pass-hat-4', 'cost', 'tokens', 'duration'] as const);
export type RankingMetric = z.infer<typeof rankingMetric>;

/** What ranks where nobody says otherwise. */
export const defaultMetric = headline;

/** What attempts took: no unit has a value of it. */
export const spentMetric = rankingMetric.extract(['cost', 'tokens', 'duration']);

/** Metrics that every unit has a value of, by which two entries can be compared unit by unit. Where values near 0 are best, it is the absolute one. */
export const unitMetric = rankingMetric.exclude(spentMetric.options);
export type UnitRankingMetric = z.infer<typeof unitMetric>;

interface About {
  readonly title: string;
  readonly lowerIsBetter: boolean;
}

const others: Readonly<Record<Exclude<RankingMetric, ScorerKey>, About>> = {
  'pass-hat-4': { title: 'pass^4', lowerIsBetter: false },
  cost: { title: 'cost', lowerIsBetter: true },
  tokens: { title: 'tokens', lowerIsBetter: true },
  duration: { title: 'duration', lowerIsBetter: true },
};

/** What a metric is called, and whether less of it is better. */
export function aboutMetric(metric: RankingMetric): About {
  if (!isScorer(metric)) return others[metric];
  const scorer = scorerOf(metric);
  return { title: comparedTitle(scorer), lowerIsBetter: scorer.direction !== 'higher' };
}

/** Whether a metric is a scorer's. */
export const isScorer = (metric: RankingMetric): metric is ScorerKey => !(metric in others);

/** Whether less of a metric is better. */
export const isLowerBetter = (metric: RankingMetric): boolean => aboutMetric(metric).lowerIsBetter;

/** Where a score stands in a ranking: ascending, the best first, those without a score last of all. */
export const sortKey = (metric: RankingMetric, score: number | null): number =>
  // Taken from 0, so that no key is -0: there is but one zero in JSON.
  score === null ? Infinity : isLowerBetter(metric) ? score : 0 - score;

/** Something for every metric. */
export const byMetric = <T>(of: (metric: RankingMetric) => T): Record<RankingMetric, T> =>
  byKey(rankingMetric.options, of);

/** Something for every metric that units have values of. */
export const byUnitMetric = <T>(of: (metric: UnitRankingMetric) => T): Record<UnitRankingMetric, T> =>
  byKey(unitMetric.options, of);
