import { standardDeviationOrNull } from './gap-spread.ts';
import { upperTailOfNormal, z95 } from './normal.ts';
import { studentQuantileOfNormal } from './student.ts';
import { leastPairs } from './verdict.ts';
import type { Interval } from './wilson.ts';

/** The standard normal quantile of 0.8: the power that a comparison is planned for. */
const z80 = 0.8416212335729143;

/** The share of units that come out differently for two agents where nobody has measured it; a half is the most, of independent agents that pass half. */
export const plannedDifferingShare = 0.3;

/** By how many standard errors a true difference must differ from 0: that of the interval, and that of the power, both with few units. */
const standardErrorsFor = (n: number): number =>
  studentQuantileOfNormal(z95, n - 1) + studentQuantileOfNormal(z80, n - 1);

/**
 * Returns the smallest true mean difference, above 0, that a paired comparison of `n` units shows with a power of 80% at a two-sided error of
 * 5%, where the differences within units have this standard deviation: `(t(0.975) + t(0.8)) deviation / sqrt(n)`. Null for fewer than six
 * units, which show nothing. Source: Cohen 1988, chapter 2, the t test of paired means.
 */
const detectableByDeviation = (n: number, deviation: number): number | null =>
  n < leastPairs ? null : (standardErrorsFor(n) * deviation) / Math.sqrt(n);

/**
 * Returns that difference before anything is measured, for units that pass or fail, of which two agents differ in `differing`: the variance is then
 * `differing - d^2`. Null for fewer than six units. Source: Connor 1987, for McNemar's test, with one variance for both errors.
 */
export function plannedDetectableDifferenceOrNull(n: number, differing = plannedDifferingShare): number | null {
  if (n < leastPairs) return null;
  const errors = standardErrorsFor(n) ** 2;
  return Math.sqrt((errors * differing) / (n + errors));
}

/**
 * Returns the difference that a comparison with these differences within units could have shown, by their standard deviation. Where all
 * are equal, up to 3 / n of them may differ (Hanley & Lippman-Hand 1983), and it is that of so many. Null for fewer than six units.
 */
export function detectableDifferenceOrNull(differences: readonly number[]): number | null {
  const n = differences.length;
  const deviation = standardDeviationOrNull(differences) ?? 0;
  return deviation === 0
    ? plannedDetectableDifferenceOrNull(n, Math.min(1, 3 / n))
    : detectableByDeviation(n, deviation);
}

/**
 * Returns the true difference that a confidence sequence could show at this moment with a power of 80%: half of its interval, and by how much
 * the mean of these differences may fall short. Null for fewer than six units.
 */
export const detectableBySequenceOrNull = ({ low, high }: Interval, differences: readonly number[]): number | null =>
  differences.length < leastPairs
    ? null
    : (high - low) / 2 + (z80 * (standardDeviationOrNull(differences) ?? 0)) / Math.sqrt(differences.length);

/** Returns the power, 0..1, of a paired comparison of `n` units for a true difference. Source: as `detectableByDeviation`. */
export function powerForDifference(difference: number, n: number, deviation: number): number {
  if (n < leastPairs) return 0;
  const beyond = (Math.abs(difference) * Math.sqrt(n)) / deviation - studentQuantileOfNormal(z95, n - 1);
  return beyond < 0 ? upperTailOfNormal(-beyond) : 1 - upperTailOfNormal(beyond);
}

/** Returns about how many units show a difference above 0, where `n` units show one of `detectable`. */
export const countUnitsForDifference = (
  { n, detectable }: { readonly n: number; readonly detectable: number },
  difference: number,
): number => Math.max(leastPairs, Math.ceil(n * (detectable / difference) ** 2));
