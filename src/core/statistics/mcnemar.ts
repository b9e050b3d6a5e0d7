import { leastPairs, type Verdict } from './verdict.ts';

/**
 * Returns the exact two-sided p-value of McNemar's test, 0..1: `onlyA` and `onlyB` are the numbers of pairs that only
 * one of the two passed (whole, 0 and above). 1 if they never differ. Source: McNemar 1947; binomial form, twice the
 * smaller tail.
 */
export const mcnemarExactPValue = (onlyA: number, onlyB: number): number => {
  const n = onlyA + onlyB;
  // Uses logarithms, because 2^-n underflows beyond a thousand pairs.
  let logTerm = -n * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= Math.min(onlyA, onlyB); k += 1) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(n - k) - Math.log(k + 1);
  }
  return Math.min(1, 2 * tail);
};

export interface PassComparison {
  readonly both: number;
  readonly neither: number;
  readonly onlyA: number;
  readonly onlyB: number;
  /** Two-sided, exact. */
  readonly p: number;
  /** Pairs without a result of one or both, which are left out. */
  readonly leftOut: number;
  readonly verdict: Verdict;
}

/**
 * Compares the passes of two agents on the same attempts, by attempt id; null is an unscored one. A difference is shown
 * if p < `level`. The data is insufficient below six common attempts, and if the agents differ on one to five, because
 * then no outcome of the test could show anything.
 */
export const comparePasses = (
  a: ReadonlyMap<string, boolean | null>,
  b: ReadonlyMap<string, boolean | null>,
  level: number = 0.05,
): PassComparison => {
  const counts = { both: 0, neither: 0, onlyA: 0, onlyB: 0 };
  let leftOut = 0;
  for (const id of new Set([...a.keys(), ...b.keys()])) {
    const ofA = a.get(id) ?? null;
    const ofB = b.get(id) ?? null;
    if (ofA === null || ofB === null) leftOut += 1;
    else if (ofA && ofB) counts.both += 1;
    else if (ofA) counts.onlyA += 1;
    else if (ofB) counts.onlyB += 1;
    else counts.neither += 1;
  }
  const { onlyA, onlyB } = counts;
  const differing = onlyA + onlyB;
  const n = counts.both + counts.neither + differing;
  const p = mcnemarExactPValue(onlyA, onlyB);
  const tooFew = n < leastPairs || (differing > 0 && differing < leastPairs);
  const shown = p < level ? (onlyA > onlyB ? 'better' : 'worse') : 'no-difference';
  return { ...counts, p, leftOut, verdict: tooFew ? 'insufficient-data' : shown };
};
