import type { Random } from '#core/values/random.ts';

/** Draws the number of successes, 0..n, of `n` independent trials that each succeed with probability `p`, 0..1. */
type DrawBinomial = (n: number, p: number) => number;

/**
 * Returns a function that draws binomial numbers for any `n` of at most `most`. Each draw takes one random number and a time in
 * proportion to the standard deviation: it starts at the most likely number and walks away from it in both directions (Kemp
 * 1986, "A modal method for generating binomial variables").
 */
export function makeBinomialDrawer(most: number, random: Random): DrawBinomial {
  const logFactorials = new Float64Array(most + 1);
  for (let n = 2; n <= most; n += 1) logFactorials[n] = (logFactorials[n - 1] ?? 0) + Math.log(n);
  const logFactorial = (n: number): number => logFactorials[n] ?? Number.NaN;
  return (n, p) => {
    if (n === 0 || p <= 0) return 0;
    if (p >= 1) return n;
    const mode = Math.min(n, Math.floor((n + 1) * p));
    const ways = logFactorial(n) - logFactorial(mode) - logFactorial(n - mode);
    const atMode = Math.exp(ways + mode * Math.log(p) + (n - mode) * Math.log1p(-p));
    const odds = p / (1 - p);
    let rest = random.next() - atMode;
    let [high, low, atHigh, atLow] = [mode, mode, atMode, atMode];
    while (rest >= 0 && (high < n || low > 0)) {
      if (high < n) {
        atHigh *= ((n - high) / (high + 1)) * odds;
        high += 1;
        rest -= atHigh;
        if (rest < 0) return high;
      }
      if (low > 0) {
        atLow *= low / ((n - low + 1) * odds);
        low -= 1;
        rest -= atLow;
        if (rest < 0) return low;
      }
    }
    // The most likely one also where rounding leaves a little of the probability.
    return mode;
  };
}
