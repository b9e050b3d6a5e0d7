import type { Random } from '#core/values/random.ts';
import type { Interval } from './wilson.ts';
import { quantileOfSorted } from './quantile.ts';

export const defaultResamples = 2_000;
export const defaultConfidence = 0.95;

/** Shared buffers for drawn indexes and for means; arrays for each call would produce hundreds of megabytes of garbage. */
const drawnIndexes = new Uint32Array(16_384);
const resampledMeans = new Float64Array(32 * defaultResamples);

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
export const bootstrapMeanInterval = (
  values: readonly number[],
  random: Random,
  options: BootstrapOptions = {},
): Interval | null => {
  const [interval = null] = bootstrapMeanIntervalsOfColumns([Float64Array.from(values)], random, options);
  return interval;
};

/**
 * Returns such an interval for each column of values over the same units, in the same order; NaN where a unit has none.
 * The columns share the drawn units, because drawing takes most of the time. A resample's mean is over the units that
 * have a value; resamples without any are left out. Null for a column with fewer than two values.
 */
export function bootstrapMeanIntervalsOfColumns(
  columns: readonly Float64Array[],
  random: Random,
  { resamples = defaultResamples, confidence = defaultConfidence }: BootstrapOptions = {},
): (Interval | null)[] {
  const n = columns[0]?.length ?? 0;
  if (n < 2 || resamples < 1) return columns.map(() => null);
  const size = columns.length * resamples;
  const means = size > resampledMeans.length ? new Float64Array(size) : resampledMeans.subarray(0, size);
  // Indexes for several resamples at once: the stream is the same, and each fill has a fixed cost.
  const perFill = Math.max(1, Math.min(resamples, Math.floor(drawnIndexes.length / n)));
  const drawn = n > drawnIndexes.length ? new Uint32Array(n) : drawnIndexes.subarray(0, n * perFill);
  for (let made = 0; made < resamples; made += perFill) {
    random.fillBelow(n, drawn);
    const here = Math.min(perFill, resamples - made);
    for (const [index, column] of columns.entries())
      writeMeans(column, drawn, means.subarray(index * resamples + made, index * resamples + made + here));
  }
  const tail = (1 - confidence) / 2;
  return columns.map((column, index) => {
    if (column.filter((value) => !Number.isNaN(value)).length < 2) return null;
    const own = means.subarray(index * resamples, (index + 1) * resamples);
    // NaN comes last.
    own.sort();
    const firstMissing = own.findIndex((mean) => Number.isNaN(mean));
    const known = firstMissing < 0 ? own : own.subarray(0, firstMissing);
    return { low: quantileOfSorted(known, tail), high: quantileOfSorted(known, 1 - tail) };
  });
}

/** Writes the mean of each resample of a column, one resample after the other; NaN for those without any value. */
function writeMeans(column: Float64Array, drawn: Uint32Array, means: Float64Array): void {
  const n = column.length;
  for (let resample = 0; resample < means.length; resample += 1) {
    let sum = 0;
    let count = 0;
    for (let at = resample * n; at < (resample + 1) * n; at += 1) {
      const value = column[drawn[at] ?? 0] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      count += 1;
    }
    means[resample] = sum / count;
  }
}
