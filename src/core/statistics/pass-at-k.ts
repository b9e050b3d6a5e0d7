/**
 * The chance that at least one of k trials passes, 0..1, when `passed` of `trials` did: pass@k, without bias. Null where there
 * are fewer than k trials or the counts make no sense. Source: Chen et al. 2021, 1 - C(n-c, k) / C(n, k).
 */
export const passAtK = (trials: number, passed: number, k: number): number | null =>
  sensible(trials, passed, k) ? 1 - allDrawn(trials, trials - passed, k) : null;

/**
 * The chance that all of k trials pass, 0..1, when `passed` of `trials` did: pass^k, without bias. Null where there are fewer
 * than k trials or the counts make no sense. Source: Yao et al. 2024 (tau-bench), C(c, k) / C(n, k).
 */
export const passHatK = (trials: number, passed: number, k: number): number | null =>
  sensible(trials, passed, k) ? allDrawn(trials, passed, k) : null;

const sensible = (trials: number, passed: number, k: number): boolean =>
  [trials, passed, k].every(Number.isInteger) && k >= 1 && k <= trials && passed >= 0 && passed <= trials;

/** The chance that k drawn from n without replacement are all among `marked`, factor by factor: binomials overflow. */
const allDrawn = (n: number, marked: number, k: number): number => {
  let chance = 1;
  for (let i = 0; i < k; i += 1) chance *= Math.max(0, marked - i) / (n - i);
  return chance;
};
