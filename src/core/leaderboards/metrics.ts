import { z } from 'zod';
import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import {
  scorerTitleInComparisons,
  getScorerOrThrow,
  headlineKeys,
  type HeadlineKey,
  type ScorerKey,
} from '#core/evaluation/scorers.ts';

/**
 * What leaderboards can be sorted by: the headline of their protocol, the reliability in four trials, and what attempts used.
 * Each leaderboard has those of `rankingMetricsOf`.
 */
export const rankingMetric = z.enum([...headlineKeys, 'pass-hat-4', 'cost', 'declared-cost', 'tokens', 'duration'], {
  error: () =>
    `one of ${rankingMetricNames.join(', ')}, those that the leaderboard names; other scorers are shown, and rank nobody: they can be won without doing what was asked`,
});
const rankingMetricNames: readonly string[] = rankingMetric.options;
export type RankingMetric = z.infer<typeof rankingMetric>;

/** What attempts used; units have no such values. `cost` is by prices of the list, `declared-cost` by those that a submitter names. */
export const spentMetric = rankingMetric.extract(['cost', 'declared-cost', 'tokens', 'duration']);

/** Metrics with a value for every unit, by which two entries can be compared unit by unit. */
export const unitMetric = rankingMetric.exclude(spentMetric.options);
export type UnitRankingMetric = z.infer<typeof unitMetric>;

/** The orders of a leaderboard. */
export interface RankingOrders {
  /** The default order, which is also weighed against cost. */
  readonly headline: HeadlineKey;
  /** All orders, the headline first. Rankings are stored in this order, so it never changes for a protocol. */
  readonly metrics: readonly RankingMetric[];
}

/** Returns the orders of leaderboards of a protocol. Without a verdict nothing passes, so there is no order by pass^4. */
export function rankingOrdersOfProtocol(protocol: ProtocolKey): RankingOrders {
  const { headline, verdict } = getProtocol(protocol);
  return {
    headline,
    metrics: [headline, ...(verdict === null ? [] : (['pass-hat-4'] as const)), ...spentMetric.options],
  };
}

/** Returns those of a leaderboard's orders that have values for units. */
export const listMetricsWithUnitValues = (protocol: ProtocolKey): readonly UnitRankingMetric[] =>
  unitMetric.options.filter((metric) => rankingOrdersOfProtocol(protocol).metrics.includes(metric));

/**
 * Returns the orders that readers can ask for. Nobody has four trials to pass where there are fewer. Where the protocol has no
 * verdict, nothing says which attempts achieved anything, and an order by use would begin with who did least.
 */
export const listOfferedMetrics = (protocol: ProtocolKey, trials: number): RankingMetric[] =>
  rankingOrdersOfProtocol(protocol).metrics.filter(
    (metric) =>
      (metric !== 'pass-hat-4' || trials >= 4) &&
      (getProtocol(protocol).verdict !== null || !spentMetric.safeParse(metric).success),
  );

interface About {
  readonly title: string;
  readonly lowerIsBetter: boolean;
}

/** What tables show: also the scorers that rank nobody. */
export type ShownMetric = RankingMetric | ScorerKey;

const others: Readonly<Record<Exclude<ShownMetric, ScorerKey>, About>> = {
  'pass-hat-4': { title: 'pass^4', lowerIsBetter: false },
  cost: { title: 'cost', lowerIsBetter: true },
  'declared-cost': { title: 'declared cost', lowerIsBetter: true },
  tokens: { title: 'tokens', lowerIsBetter: true },
  duration: { title: 'duration', lowerIsBetter: true },
};

/** Returns a metric's label, and whether lower is better. */
export function getMetricTitleAndDirection(metric: ShownMetric): About {
  if (!isScorerMetric(metric)) return others[metric];
  const scorer = getScorerOrThrow(metric);
  return { title: scorerTitleInComparisons(scorer), lowerIsBetter: scorer.direction !== 'higher' };
}

/** Returns whether a metric is a scorer. */
export const isScorerMetric = (metric: ShownMetric): metric is ScorerKey => !(metric in others);

/** Returns whether lower is better for a metric. */
export const isLowerBetter = (metric: RankingMetric): boolean => getMetricTitleAndDirection(metric).lowerIsBetter;

/** Returns the sort key of a score: ascending, best first, those without a score last. */
export const ascendingSortKeyOfScore = (metric: RankingMetric, score: number | null): number =>
  // Subtracts from 0 so that no key is -0, which JSON cannot express.
  score === null ? Infinity : isLowerBetter(metric) ? score : 0 - score;

/** Builds a value for each of these metrics. */
export function buildByMetric<Metric extends RankingMetric, T>(
  metrics: readonly Metric[],
  build: (metric: Metric) => T,
): Partial<Record<Metric, T>> {
  const made: Partial<Record<Metric, T>> = {};
  for (const metric of metrics) made[metric] = build(metric);
  return made;
}
