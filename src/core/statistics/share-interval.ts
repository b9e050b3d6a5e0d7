import { z95 } from './normal.ts';
import { studentQuantileOfNormal } from './student.ts';
import { wilsonInterval, type Interval } from './wilson.ts';

/**
 * Returns the 95% interval of a mean of shares, one in 0..1 for each unit, such as the share of its trials that
 * succeeded: the score interval of a proportion, with as many trials as would give the mean the variance that it has
 * between units, and Student's quantile, because that variance is an estimate. Where all units are equal, nothing is
 * known of the variance, and each unit counts as one trial. Unlike a bootstrap interval it has a width then. Null for
 * fewer than two units. Source: Wilson 1927; the effective number of trials as in Korn and Graubard 1998.
 */
export function meanShareInterval(shares: readonly number[]): Interval | null {
  const n = shares.length;
  if (n < 2) return null;
  const mean = shares.reduce((sum, share) => sum + share, 0) / n;
  const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (n - 1);
  const trials = variance === 0 ? n : (mean * (1 - mean) * n) / variance;
  return wilsonInterval(mean, trials, studentQuantileOfNormal(z95, n - 1));
}
