import { z } from 'zod';
import type { Random } from '#core/random.ts';
import { bootstrapMean, type BootstrapOptions } from './bootstrap.ts';

/** A mean over units with its 95% bootstrap interval; units stay whole in the resampling. */
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

/** Summarizes a metric over units, one value each; null is an unscored one. */
export const summarise = (
  values: readonly (number | null)[],
  random: Random,
  options: BootstrapOptions = {},
): Summary => {
  const known = values.filter((value) => value !== null);
  const n = known.length;
  const interval = bootstrapMean(known, random, options);
  return {
    mean: n === 0 ? null : known.reduce((sum, value) => sum + value, 0) / n,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    n,
    unscored: values.length - n,
  };
};
