import { z } from 'zod';

/** What a leaderboard can be sorted by. `execution`, the mean of TCS and MTC by unit, is what ranks where nobody says otherwise. */
export const rankingMetric = z.enum([
  'execution',
  'mtc',
  'tcs',
  'pass',
  'pass-hat-4',
  'ar',
  'uic',
  'tfd',
  'ecg',
  'cost',
  'tokens',
  'duration',
]);
export type RankingMetric = z.infer<typeof rankingMetric>;

export const defaultMetric: RankingMetric = 'execution';

/** Metrics that every unit has a value of, by which two entries can be compared unit by unit. ECG's is its absolute value. */
export const unitMetric = rankingMetric.exclude(['cost', 'tokens', 'duration']);
export type UnitRankingMetric = z.infer<typeof unitMetric>;

const lowerIsBetter: ReadonlySet<RankingMetric> = new Set(['tfd', 'ecg', 'cost', 'tokens', 'duration']);

/** Whether less of a metric is better. */
export const isLowerBetter = (metric: RankingMetric): boolean => lowerIsBetter.has(metric);

/** Where a score stands in a ranking: ascending, the best first, those without a score last of all. */
export const sortKey = (metric: RankingMetric, score: number | null): number =>
  // Taken from 0, so that no key is -0: there is but one zero in JSON.
  score === null ? Infinity : isLowerBetter(metric) ? score : 0 - score;

/** Something for every metric. */
export const byMetric = <T>(of: (metric: RankingMetric) => T): Record<RankingMetric, T> => ({
  execution: of('execution'),
  mtc: of('mtc'),
  tcs: of('tcs'),
  pass: of('pass'),
  'pass-hat-4': of('pass-hat-4'),
  ar: of('ar'),
  uic: of('uic'),
  tfd: of('tfd'),
  ecg: of('ecg'),
  cost: of('cost'),
  tokens: of('tokens'),
  duration: of('duration'),
});
