import type { Random } from '#core/random.ts';
import { bootstrapMean, type BootstrapOptions } from './bootstrap.ts';

/** A mean over units with its interval; `low` and `high` are null for fewer than two scored units. */
export interface Summary {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Units that the mean is of. */
  readonly n: number;
  /** Units that have no score. */
  readonly unscored: number;
}

/** Sums up a metric over units, one value each; null is an unscored one. */
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
