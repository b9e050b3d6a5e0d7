import type { Random } from '#core/values/random.ts';
import { defaultConfidence, defaultResamples } from './bootstrap.ts';
import { quantileOfSorted } from './quantile.ts';

/**
 * Returns the difference of the means of two lists, with the percentile bootstrap interval; both lists are resampled.
 * Null if a list is empty; no interval for fewer than two values in a list.
 */
export function unpairedMeanDifferenceWithInterval(
  a: readonly number[],
  b: readonly number[],
  random: Random,
): { difference: number | null; low: number | null; high: number | null } {
  if (a.length === 0 || b.length === 0) return { difference: null, low: null, high: null };
  const difference = meanOf(a) - meanOf(b);
  if (a.length < 2 || b.length < 2) return { difference, low: null, high: null };
  const [fromA, fromB] = [makeResampledMeanDrawer(a, random), makeResampledMeanDrawer(b, random)];
  const drawn = Float64Array.from({ length: defaultResamples }, () => fromA() - fromB()).toSorted();
  const tail = (1 - defaultConfidence) / 2;
  return { difference, low: quantileOfSorted(drawn, tail), high: quantileOfSorted(drawn, 1 - tail) };
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function makeResampledMeanDrawer(values: readonly number[], random: Random): () => number {
  const places = new Uint32Array(values.length);
  return () => {
    random.fillBelow(values.length, places);
    let sum = 0;
    for (const place of places) sum += values[place] ?? 0;
    return sum / values.length;
  };
}
