import type { Random } from '#core/random.ts';
import type { Interval } from '#core/statistics/wilson.ts';
import { quantile } from './quantile.ts';

export const defaultResamples = 2_000;
export const defaultConfidence = 0.95;

/** Shared buffer for drawn indexes; an array for each call would produce hundreds of megabytes of garbage. */
const scratch = new Uint32Array(16_384);

export interface BootstrapOptions {
  /** Number of resamples. */
  readonly resamples?: number;
  /** Between 0 and 1. */
  readonly confidence?: number;
}

/**
 * Returns the percentile bootstrap interval of a mean (Efron 1979). Pass one value per unit: drawing whole units keeps
 * the two correlated requests of a unit together. Null for fewer than two values. If all values are equal the interval
 * is a point, which says little about few values. The same values in the same order and the same stream give the same
 * interval.
 */
export const bootstrapMean = (
  values: readonly number[],
  random: Random,
  { resamples = defaultResamples, confidence = defaultConfidence }: BootstrapOptions = {},
): Interval | null => {
  const n = values.length;
  if (n < 2 || resamples < 1) return null;
  const drawn = Float64Array.from(values);
  const means = new Float64Array(resamples);
  // Indexes for several resamples at once: the stream is the same, and each fill has a fixed cost.
  const perFill = Math.max(1, Math.min(resamples, Math.floor(scratch.length / n)));
  const places = n > scratch.length ? new Uint32Array(n) : scratch.subarray(0, n * perFill);
  for (let i = 0; i < resamples; i += 1) {
    const from = (i % perFill) * n;
    if (from === 0) random.fillBelow(n, places);
    let sum = 0;
    for (let j = from; j < from + n; j += 1) sum += drawn[places[j] ?? 0] ?? 0;
    means[i] = sum / n;
  }
  means.sort();
  const tail = (1 - confidence) / 2;
  return { low: quantile(means, tail), high: quantile(means, 1 - tail) };
};
