import { z } from 'zod';
import { leaderboardScorers } from '#core/leaderboards/scorers.ts';
import { buildByKey } from '#core/scoring/build-by-key.ts';
import { comparisonTitle, headlineScorerKey, getScorer, titleListText, type ScorerKey } from '#core/scoring/scorers.ts';

/**
 * What a leaderboard can be sorted by: success, the reliability in four trials, and what attempts used. Other scorers are shown, but
 * they can be won without doing what was asked.
 */
export const rankingMetric = z.enum([headlineScorerKey, 'pass-hat-4', 'cost', 'tokens', 'duration'], {
  error: () =>
    `one of ${rankingMetricNames.join(', ')}; ${titleListText(leaderboardScorers.filter(({ ranks }) => !ranks))} are shown, and rank nobody: they can be won without doing what was asked`,
});
const rankingMetricNames: readonly string[] = rankingMetric.options;
export type RankingMetric = z.infer<typeof rankingMetric>;

/** The default metric. */
export const defaultMetric = headlineScorerKey;

/** What attempts used; units have no such values. */
export const spentMetric = rankingMetric.extract(['cost', 'tokens', 'duration']);

/** Metrics with a value for every unit, by which two entries can be compared unit by unit. */
export const unitMetric = rankingMetric.exclude(spentMetric.options);
export type UnitRankingMetric = z.infer<typeof unitMetric>;

interface About {
  readonly title: string;
  readonly lowerIsBetter: boolean;
}

/** What tables show: also the scorers that rank nobody. */
export type ShownMetric = RankingMetric | ScorerKey;

const others: Readonly<Record<Exclude<ShownMetric, ScorerKey>, About>> = {
  'pass-hat-4': { title: 'pass^4', lowerIsBetter: false },
  cost: { title: 'cost', lowerIsBetter: true },
  tokens: { title: 'tokens', lowerIsBetter: true },
  duration: { title: 'duration', lowerIsBetter: true },
};

/** Returns a metric's label, and whether lower is better. */
export function getMetricTitleAndDirection(metric: ShownMetric): About {
  if (!isScorer(metric)) return others[metric];
  const scorer = getScorer(metric);
  return { title: comparisonTitle(scorer), lowerIsBetter: scorer.direction !== 'higher' };
}

/** Returns whether a metric is a scorer. */
export const isScorer = (metric: ShownMetric): metric is ScorerKey => !(metric in others);

/** Returns whether lower is better for a metric. */
export const isLowerBetter = (metric: RankingMetric): boolean => getMetricTitleAndDirection(metric).lowerIsBetter;

/** Returns the sort key of a score: ascending, best first, those without a score last. */
export const sortKey = (metric: RankingMetric, score: number | null): number =>
  // Subtracts from 0 so that no key is -0, which JSON cannot express.
  score === null ? Infinity : isLowerBetter(metric) ? score : 0 - score;

/** Builds a value for every metric. */
export const buildByMetric = <T>(build: (metric: RankingMetric) => T): Record<RankingMetric, T> =>
  buildByKey(rankingMetric.options, build);

/** Builds a value for every metric with unit values. */
export const buildByUnitMetric = <T>(build: (metric: UnitRankingMetric) => T): Record<UnitRankingMetric, T> =>
  buildByKey(unitMetric.options, build);
