import { z95 } from '../normal.ts';
import type { Interval } from '../wilson.ts';
import { type ClusterSums, computeFoundShareWithIntervalOrNull, effectiveTrials } from './probe-coverage.ts';

/** An estimated number of classes with its 95% interval; `low <= value <= high`. */
export interface CountEstimate extends Interval {
  readonly value: number;
}

/** With fewer probes that made transitions, or fewer of their transitions found, the estimate is off by a factor of several: docs/estimates.md. */
export const leastForRecapture = { probes: 10, found: 5 } as const;

/**
 * Estimates the number of all classes from the `found` ones (the marked) and the share of them in blind draws (the recapture): found / share, with
 * (n + 1) / (m + 1) for n / m, as Bailey's form for draws with replacement has it, where n is the effective number of independent draws. The interval
 * is that of the share. It is the number that there would be if classes that were not found were drawn as often as the found ones are on average;
 * rarer ones come on top, so it is a lower bound for all, and so is `low`. Null where the probes are too few. Sources: Petersen 1896; Bailey 1951;
 * the interval of the share: `computeFoundShareWithIntervalOrNull`.
 */
export function estimateByRecaptureOrNull(found: number, sums: ClusterSums): CountEstimate | null {
  const share = computeFoundShareWithIntervalOrNull(sums);
  if (share === null || sums.probes < leastForRecapture.probes || sums.found < leastForRecapture.found) return null;
  const trials = effectiveTrials(sums, z95);
  const [low, high] = [found / share.high, share.low === 0 ? Infinity : found / share.low];
  const value = (found * (trials + 1)) / (trials * share.value + 1);
  return { value: Math.min(high, Math.max(low, value)), low, high };
}

/** Returns an estimate within what was found and what can exist, `least <= most`. */
export const countEstimateWithin = (
  { value, low, high }: CountEstimate,
  least: number,
  most: number,
): CountEstimate => {
  const within = (count: number): number => Math.min(most, Math.max(least, count));
  return { value: within(value), low: within(low), high: within(high) };
};

/**
 * Returns an estimate as people read it: two digits, and a half of the second one (3,787 becomes 3,800 and 6,846 becomes 6,850), within what was
 * found and what can exist, which are not rounded.
 */
export function roundEstimateWithin({ value, low, high }: CountEstimate, least: number, most: number): CountEstimate {
  const round = (count: number): number => {
    if (count <= least) return least;
    if (count >= most) return most;
    const step = Math.max(1, 10 ** Math.floor(Math.log10(Math.max(1, count)) - 1) / 2);
    return Math.round(Math.round(count / step) * step);
  };
  return countEstimateWithin({ value: round(value), low: round(low), high: round(high) }, least, most);
}
