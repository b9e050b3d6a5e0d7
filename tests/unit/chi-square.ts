import { normalQuantile } from '../../bench/shared/normal-quantile.ts';

/**
 * Whether counts are in keeping with weights: Pearson's chi-square below its 99.9% quantile (Wilson-Hilferty's
 * approximation). With a fixed seed the answer is always the same.
 */
export const chiSquareFits = (counts: readonly number[], weights: readonly number[]): boolean => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const weight = weights.reduce((sum, w) => sum + w, 0);
  const statistic = counts.reduce((sum, count, i) => {
    const expected = (total * (weights[i] ?? 0)) / weight;
    return sum + (count - expected) ** 2 / expected;
  }, 0);
  const freedom = counts.length - 1;
  const quantile = freedom * (1 - 2 / (9 * freedom) + normalQuantile(0.999) * Math.sqrt(2 / (9 * freedom))) ** 3;
  return statistic <= quantile;
};
