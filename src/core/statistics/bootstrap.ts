import type { Random } from '#core/random.ts';
import type { Interval } from '#core/statistics/wilson.ts';
import { quantile } from './quantile.ts';

export const RESAMPLES = 2_000;
export const CONFIDENCE = 0.95;

/** Where drawn places stand while their values are summed up: an array of each call's own would be garbage of hundreds of megabytes. */
const scratch = new Uint32Array(16_384);

export interface BootstrapOptions {
  /** How many samples are drawn anew. */
  readonly resamples?: number;
  /** Between 0 and 1. */
  readonly confidence?: number;
}

/**
 * The percentile bootstrap interval of a mean (Efron 1979). One value a unit: drawing whole units keeps the two requests
 * of a unit, which are alike, together. Null for fewer than two values. Where all values are the same the interval is that
 * one point, which says little when there are few. The same values in the same order and the same stream give the same interval.
 */
export const bootstrapMean = (
  values: readonly number[],
  random: Random,
  { resamples = RESAMPLES, confidence = CONFIDENCE }: BootstrapOptions = {},
): Interval | null => {
  const n = values.length;
  if (n < 2 || resamples < 1) return null;
  const drawn = Float64Array.from(values);
  const means = new Float64Array(resamples);
  // Places for several resamples at once: the stream is the same, and filling them has a price of its own.
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
