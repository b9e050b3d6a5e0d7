export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the score interval of a proportion, within 0..1: `share` was seen among `trials`, which need not be whole (an
 * effective number of trials is fine). `z` is the normal quantile of the confidence level. Without trials it is 0..1.
 * Source: Wilson 1927.
 */
export const wilsonInterval = (share: number, trials: number, z: number): Interval => {
  if (trials <= 0) return { low: 0, high: 1 };
  const zz = (z * z) / trials;
  const centre = (share + zz / 2) / (1 + zz);
  const half = (z / (1 + zz)) * Math.sqrt((share * (1 - share)) / trials + zz / (4 * trials));
  // At the ends the formula is exactly 0 or 1, and rounding must not change that.
  return {
    low: share <= 0 ? 0 : Math.max(0, centre - half),
    high: share >= 1 ? 1 : Math.min(1, centre + half),
  };
};
