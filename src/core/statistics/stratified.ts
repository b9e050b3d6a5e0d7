import type { Random } from '#core/values/random.ts';
import { upperTailOfNormal } from './normal.ts';

/** Values of two groups that may be compared with each other. */
export interface Stratum {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

export interface StratifiedDifference {
  /** How many values of each group have a counterpart in the other one. */
  readonly sizes: { readonly a: number; readonly b: number };
  /** Means over the strata, those of both groups with the same weights. */
  readonly means: { readonly a: number; readonly b: number };
  /** Two-sided. */
  readonly chance: number;
}

/** Redraws for a small number of values. */
const redraws = 20_000;
/** From so many values on the sum of a group is as good as normal. */
const many = 200;

/**
 * Returns the difference of two groups within strata, and the probability of one at least as large, in either direction, if the values of each
 * stratum were dealt to the groups again: by redraws for few values, by the normal approximation for many. Null if no stratum has
 * values of both. Source: the stratified permutation test; with values of 0 and 1 the approximation is that of Mantel and Haenszel 1959.
 */
export function stratifiedDifferenceWithChance(
  strata: readonly Stratum[],
  random: Random,
): StratifiedDifference | null {
  const both = strata.filter(({ a, b }) => a.length > 0 && b.length > 0);
  if (both.length === 0) return null;
  const sizes = { a: sumOf(both.map(({ a }) => a.length)), b: sumOf(both.map(({ b }) => b.length)) };
  const weights = both.map(({ a, b }) => (a.length * b.length) / (a.length + b.length));
  const weighted = (side: 'a' | 'b'): number =>
    sumOf(both.map((each, at) => meanOf(each[side]) * (weights[at] ?? 0))) / sumOf(weights);
  const observed = Math.abs(sumOf(both.map(excessOfB)));
  const chance = sizes.a + sizes.b > many ? normalChance(both, observed) : redrawnChance(both, observed, random);
  return { sizes, means: { a: weighted('a'), b: weighted('b') }, chance };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;

/** By how much the sum of `b` exceeds what it would be with the mean of both. */
const excessOfB = ({ a, b }: Stratum): number => sumOf(b) - b.length * meanOf([...a, ...b]);

/** Rounding error of sums. */
const rounding = 1e-9;

function redrawnChance(strata: readonly Stratum[], observed: number, random: Random): number {
  const pools = strata.map(({ a, b }) => {
    const all = Float64Array.from([...a, ...b]);
    return { all, drawn: b.length, expected: b.length * meanOf([...a, ...b]) };
  });
  let asLarge = 0;
  for (let redraw = 0; redraw < redraws; redraw += 1) {
    let excess = 0;
    for (const { all, drawn, expected } of pools) {
      excess -= expected;
      // The first places of a shuffle that continues the one before.
      for (let at = 0; at < drawn; at += 1) {
        const from = at + random.below(all.length - at);
        const value = all[from] ?? 0;
        all[from] = all[at] ?? 0;
        all[at] = value;
        excess += value;
      }
    }
    if (Math.abs(excess) >= observed - rounding) asLarge += 1;
  }
  // The deal that was observed is one of them.
  return (asLarge + 1) / (redraws + 1);
}

function normalChance(strata: readonly Stratum[], observed: number): number {
  const variance = sumOf(
    strata.map(({ a, b }) => {
      const all = [...a, ...b];
      const mean = meanOf(all);
      const spread = sumOf(all.map((value) => (value - mean) ** 2)) / (all.length - 1);
      return (spread * a.length * b.length) / all.length;
    }),
  );
  return variance === 0 ? 1 : Math.min(1, 2 * upperTailOfNormal(observed / Math.sqrt(variance)));
}
