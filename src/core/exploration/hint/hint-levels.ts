import type { SchemaHint } from './schema-hint.ts';
import { makeRandom } from '#core/values/random.ts';

/**
 * Returns the level of the schema hint for a pair of tools among all pairs of the catalog: from 0 (the lower half, or
 * more if many pairs have the same score) to 3 (the top 5%).
 */
export type HintLevel = (from: number, to: number) => number;

/** The shares of all pairs below the second, third and fourth level. */
const shares = [0.5, 0.8, 0.95] as const;

/** How many levels there are. */
export const hintLevelCount = shares.length + 1;

/** Number of pairs that are sampled to place the levels, which is accurate to about 1%. */
const sampledPairs = 4_096;

/** A hint without information. */
export const constantZeroHint: SchemaHint = () => 0;

/**
 * Cuts a hint into levels. The value of a level must be learned, so only the order of a hint's values matters. The
 * levels are quantiles of a fixed random sample of pairs.
 */
export const makeHintLevelFunction = (hint: SchemaHint, tools: number): HintLevel => {
  if (hint === constantZeroHint || tools < 2) return () => 0;
  const random = makeRandom('hint levels', tools);
  const scores = Float64Array.from({ length: sampledPairs }, () => {
    const from = random.below(tools);
    const other = random.below(tools - 1);
    return hint(from, other < from ? other : other + 1);
  }).toSorted();
  const largest = scores.at(-1) ?? 0;
  // A level that would begin above all pairs begins at the largest value, because a hint may be yes for most of them.
  const belowLargest = scores.findLast((score) => score < largest) ?? largest;
  const [second = 0, third = 0, fourth = 0] = shares.map((share) =>
    Math.min(scores[Math.floor(share * sampledPairs)] ?? 0, belowLargest),
  );
  return (from, to) => {
    const score = hint(from, to);
    return score > third ? (score > fourth ? 3 : 2) : score > second ? 1 : 0;
  };
};
