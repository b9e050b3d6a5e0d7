import { z95 } from './normal.ts';
import { studentQuantileOfNormal } from './student.ts';
import { wilsonInterval, type Interval } from './wilson.ts';

/** How often something was the case in one unit, of how many times. */
interface UnitShare {
  readonly count: number;
  /** Above 0. */
  readonly of: number;
}

/**
 * Returns the 95% interval of a mean of shares, one in 0..1 for each unit, such as the share of its trials that
 * succeeded. Null for fewer than two units. See `pooledShareInterval`.
 */
export const meanShareInterval = (shares: readonly number[]): Interval | null =>
  pooledShareInterval(shares.map((share) => ({ count: share, of: 1 })));

/**
 * Returns the 95% interval of the share over all units together, the sum of counts divided by the sum of `of`: the score
 * interval of a proportion, with as many trials as would give the share the variance that it has between units, and
 * Student's quantile, because that variance is an estimate. Where all units are equal, nothing is known of the variance,
 * and each unit counts as one trial. Unlike a bootstrap interval it has a width then. Null for fewer than two units.
 * Source: Wilson 1927; the effective number of trials as in Korn and Graubard 1998, the variance of a ratio by
 * linearization as in Cochran 1977, section 6.3.
 */
export function pooledShareInterval(units: readonly UnitShare[]): Interval | null {
  const n = units.length;
  if (n < 2) return null;
  const total = units.reduce((sum, { of }) => sum + of, 0);
  const share = units.reduce((sum, { count }) => sum + count, 0) / total;
  const mean = total / n;
  const variance = units.reduce((sum, { count, of }) => sum + ((count - share * of) / mean) ** 2, 0) / (n - 1);
  const trials = variance === 0 ? n : (share * (1 - share) * n) / variance;
  return wilsonInterval(share, trials, studentQuantileOfNormal(z95, n - 1));
}
