/**
 * Returns the unbiased estimate of pass@k, 0..1: the probability that at least one of k trials passes, if `passed` of
 * `trials` did. Null if there are fewer than k trials or the counts are invalid. Source: Chen et al. 2021, 1 - C(n-c,
 * k) / C(n, k).
 */
export const passAtK = (trials: number, passed: number, k: number): number | null =>
  areValidCounts(trials, passed, k) ? 1 - probabilityThatAllDrawnAreMarked(trials, trials - passed, k) : null;

/**
 * Returns the unbiased estimate of pass^k, 0..1: the probability that all of k trials pass, if `passed` of `trials`
 * did. Null if there are fewer than k trials or the counts are invalid. Source: Yao et al. 2024 (tau-bench), C(c, k) /
 * C(n, k).
 */
export const passHatK = (trials: number, passed: number, k: number): number | null =>
  areValidCounts(trials, passed, k) ? probabilityThatAllDrawnAreMarked(trials, passed, k) : null;

const areValidCounts = (trials: number, passed: number, k: number): boolean =>
  [trials, passed, k].every(Number.isInteger) && k >= 1 && k <= trials && passed >= 0 && passed <= trials;

/**
 * Returns the probability that k drawn from n without replacement are all among `marked`, factor by factor because
 * binomials overflow.
 */
const probabilityThatAllDrawnAreMarked = (n: number, marked: number, k: number): number => {
  let chance = 1;
  for (let i = 0; i < k; i += 1) chance *= Math.max(0, marked - i) / (n - i);
  return chance;
};
