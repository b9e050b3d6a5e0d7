import { z95 } from '../normal.ts';
import { studentQuantileOfNormal } from '../student.ts';
import { type Interval, wilsonInterval } from '../wilson.ts';

/**
 * Sums over probes, where a probe has `size` distinct transitions of which the steered units know `found`. The estimate
 * needs nothing else, so a new probe or transition has a constant cost.
 */
export interface ClusterSums {
  /** Probes with at least one transition. */
  readonly probes: number;
  readonly size: number;
  readonly found: number;
  /** Sums of size^2, size * found and found^2. */
  readonly sizeSize: number;
  readonly sizeFound: number;
  readonly foundFound: number;
}

export const noClusters: ClusterSums = { probes: 0, size: 0, found: 0, sizeSize: 0, sizeFound: 0, foundFound: 0 };

/** Returns the sums with one more probe, or (sign -1) with one less. */
export const sumsWithProbeAddedOrRemoved = (
  sums: ClusterSums,
  size: number,
  found: number,
  sign: 1 | -1 = 1,
): ClusterSums =>
  size === 0
    ? sums
    : {
        probes: sums.probes + sign,
        size: sums.size + sign * size,
        found: sums.found + sign * found,
        sizeSize: sums.sizeSize + sign * size * size,
        sizeFound: sums.sizeFound + sign * size * found,
        foundFound: sums.foundFound + sign * found * found,
      };

/**
 * Returns the factor, at least 1, by which sharing a probe inflates the variance of the share found: the ratio
 * estimator's cluster variance divided by that of as many independent transitions. With one probe it is that probe's
 * size (Kish's bound: the probe is a single observation); if all or none were found there is no variance to compare,
 * and it is 1. Sources: Kish 1965, section 8.2; the variance of a ratio: Cochran 1977, chapter 6.
 */
export const designEffect = (sums: ClusterSums): number => {
  if (sums.probes < 2) return Math.max(1, sums.size);
  const share = sums.found / sums.size;
  const independent = (share * (1 - share)) / sums.size;
  if (independent === 0) return 1;
  const squares = sums.foundFound - 2 * share * sums.sizeFound + share * share * sums.sizeSize;
  const clustered = ((sums.probes / (sums.probes - 1)) * squares) / (sums.size * sums.size);
  return Math.max(1, clustered / independent);
};

/**
 * Returns the effective number of independent transitions for a bound at the normal quantile z. It accounts for the
 * design effect and for estimating that from few probes. A single probe says nothing about the variation between
 * probes, so it gives 0. Source: Korn & Graubard 1998 (effective sample size with the degrees of freedom of the
 * clusters).
 */
export const effectiveTrials = (sums: ClusterSums, z: number): number =>
  sums.probes < 2 ? 0 : (sums.size / designEffect(sums)) * (z / studentQuantileOfNormal(z, sums.probes - 1)) ** 2;

export interface ProbeShare extends Interval {
  /**
   * The share of probe transitions that the steered units have found, 0..1. Popular transitions weigh more in
   * it.
   */
  readonly value: number;
  readonly designEffect: number;
}

/** Returns the share found and its 95% interval for one reading; null before the first probe transition. */
export const computeFoundShareWithIntervalOrNull = (sums: ClusterSums): ProbeShare | null => {
  if (sums.size === 0) return null;
  const value = sums.found / sums.size;
  return { value, designEffect: designEffect(sums), ...wilsonInterval(value, effectiveTrials(sums, z95), z95) };
};

/** A run has one probe per round, and at most this many rounds (`budget.rounds`). */
const mostProbes = 1_000;

/**
 * The number of probes at each look: 10, because a bound from fewer is useless and often wrong, and then a fifth more
 * each time. Fewer looks allow a tighter bound, while a stop waits a tenth longer for its look on average.
 */
const looks: readonly number[] = (() => {
  const at: number[] = [];
  for (let probes = 10; probes <= mostProbes; probes = Math.ceil(1.2 * probes)) at.push(probes);
  return at;
})();

/** Returns how many looks so many probes have allowed: at 10, 12, 15, 18, 22, ... probes. */
export const countLooksAllowedByProbes = (probes: number): number => looks.filter((look) => look <= probes).length;

/**
 * The normal quantile that a sum of independent terms, standardised at each of these 25 looks, exceeds at none of them with
 * probability 95%. Looks share what came before them, so it takes less than 25 independent ones would (2.87).
 * Source: Pocock 1977, with the constant for these looks from 10^6 simulated sums.
 */
export const anytimeZ = 2.551;

/**
 * Returns a lower bound for the share, 0..1, that all looks of a run hold together with probability 95%, whenever one stops. As what is
 * known only grows, so does the truth: the largest bound so far holds at all readings, between the looks too.
 */
export const anytimeLowerBoundOfFoundShare = (sums: ClusterSums): number =>
  sums.size === 0 ? 0 : wilsonInterval(sums.found / sums.size, effectiveTrials(sums, anytimeZ), anytimeZ).low;
