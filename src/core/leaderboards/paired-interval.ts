import { z95 } from '#core/statistics/normal.ts';
import { studentQuantileOfNormal } from '#core/statistics/student.ts';
import { leastPairs } from '#core/statistics/verdict.ts';

/** Values of units in the order of their ids; NaN if a unit has none. */
export type UnitValues = ArrayLike<number>;

/** Packs values into a Float32Array, with NaN for null. */
export const toFloat32ArrayWithNaNForNull = (values: readonly (number | null)[]): Float32Array =>
  Float32Array.from(values, (value) => value ?? Number.NaN);

/** The difference of two entries within their common units. */
export interface PairedDifference {
  /** Mean of the first minus the second; null without common units. */
  readonly difference: number | null;
  /** The 95% interval; null for fewer than two common units. */
  readonly low: number | null;
  readonly high: number | null;
  readonly units: number;
}

/**
 * Returns the mean difference of pairs with its 95% interval by Student's t, a closed form that is the same wherever
 * and whenever it is computed. Source: Student 1908; the quantile of studentQuantileOfNormal, slightly too small below five
 * degrees of freedom.
 */
export function pairedMeanDifferenceWithInterval(a: UnitValues, b: UnitValues): PairedDifference {
  // Values of different units: one entry was compared on the public ones, the other on the private ones.
  const values = a.length === b.length ? a.length : 0;
  let units = 0;
  let mean = 0;
  let squares = 0;
  // Welford 1962: one pass, and precise even if the differences are large and close to each other.
  for (let i = 0; i < values; i += 1) {
    const difference = (a[i] ?? Number.NaN) - (b[i] ?? Number.NaN);
    if (Number.isNaN(difference)) continue;
    units += 1;
    const step = difference - mean;
    mean += step / units;
    squares += step * (difference - mean);
  }
  if (units < 2) return { difference: units === 0 ? null : mean, low: null, high: null, units };
  const freedom = units - 1;
  const half = studentQuantileOfNormal(z95, freedom) * Math.sqrt(squares / freedom / units);
  return { difference: mean, low: mean - half, high: mean + half, units };
}

/** Returns whether two entries tie: the interval contains 0, or there are too few common units. */
export function isTieOrTooFewUnits(a: UnitValues, b: UnitValues): boolean {
  const { low, high, units } = pairedMeanDifferenceWithInterval(a, b);
  return units < leastPairs || low === null || high === null || (low <= 0 && high >= 0);
}
