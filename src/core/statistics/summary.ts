import { z } from 'zod';
import type { Random } from '#core/values/random.ts';
import { bootstrapMeanInterval, bootstrapMeanIntervalsOfColumns, type BootstrapOptions } from './bootstrap.ts';
import { meanShareInterval } from './share-interval.ts';
import type { Interval } from './wilson.ts';

/** A mean over units with its 95% interval, in which units stay whole. */
export const summary = z.object({
  mean: z.number().nullable(),
  /** Null for fewer than two scored units, as is `high`. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Scored units. */
  n: z.int(),
  /** Units without a score: left out of the mean, never counted as zero. */
  unscored: z.int(),
});
export type Summary = Readonly<z.infer<typeof summary>>;

/** Summarizes a metric over units, one value each, with its bootstrap interval; null is an unscored one. */
export const summariseWithBootstrap = (
  values: readonly (number | null)[],
  random: Random,
  options: BootstrapOptions = {},
): Summary => summariseWith(values, (known) => bootstrapMeanInterval(known, random, options));

/** Summarizes shares in 0..1, one a unit, with an interval that holds for few units too; null is an unscored one. */
export const summariseShares = (shares: readonly (number | null)[]): Summary =>
  summariseWith(shares, meanShareInterval);

/**
 * Summarizes several metrics over the same units, a column each with one value per unit, NaN for an unscored one. They share
 * their resamples, which takes a fraction of the time.
 */
export function summariseColumnsTogether(columns: readonly Float64Array[], random: Random): Summary[] {
  const intervals = bootstrapMeanIntervalsOfColumns(columns, random);
  return columns.map((column, index) =>
    summariseWith(
      Array.from(column, (value) => (Number.isNaN(value) ? null : value)),
      () => intervals[index] ?? null,
    ),
  );
}

function summariseWith(
  values: readonly (number | null)[],
  intervalOf: (known: readonly number[]) => Interval | null,
): Summary {
  const known = values.filter((value) => value !== null);
  const n = known.length;
  const interval = intervalOf(known);
  return {
    mean: n === 0 ? null : known.reduce((sum, value) => sum + value, 0) / n,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    n,
    unscored: values.length - n,
  };
}
