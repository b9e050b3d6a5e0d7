import type { TopK } from './top-k.ts';

/** Quantized vectors, concatenated, with their Euclidean lengths. */
export interface VectorBlock {
  readonly vectors: Int8Array;
  readonly lengths: Float64Array;
}

/** Builds a block from the bytes of its vectors. */
export function makeBlockWithLengths(vectors: Int8Array, dimension: number): VectorBlock {
  const lengths = new Float64Array(vectors.length / dimension);
  for (let n = 0, at = 0; n < lengths.length; n += 1) {
    let squares = 0;
    for (const end = at + dimension; at < end; at += 1) squares += (vectors[at] ?? 0) ** 2;
    lengths[n] = Math.sqrt(squares);
  }
  return { vectors, lengths };
}

/** Returns the direction of a query as a vector of length 1, or null if it has none. */
export function normalizeVectorOrNull(query: readonly number[]): Float64Array | null {
  // Divides by the largest number first, because squares of very large and very small numbers would be lost.
  const largest = query.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  if (!(largest > 0 && Number.isFinite(largest))) return null;
  const scaled = Float64Array.from(query, (number) => number / largest);
  const length = Math.sqrt(scaled.reduce((sum, number) => sum + number * number, 0));
  return scaled.map((number) => number / length);
}

/** Offers the cosine of every vector of a block; the block's first vector is at `firstSlot`. */
export function addCosinesOfBlockToTopK(
  query: Float64Array,
  { vectors, lengths }: VectorBlock,
  firstSlot: number,
  into: TopK,
): void {
  const dimension = query.length;
  const even = dimension - (dimension % 4);
  for (let n = 0, start = 0; n < lengths.length; n += 1, start += dimension) {
    // Four independent sums: a single one would wait for its own result at every step.
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let at = 0; at < even; at += 4) {
      const from = start + at;
      a += (query[at] ?? 0) * (vectors[from] ?? 0);
      b += (query[at + 1] ?? 0) * (vectors[from + 1] ?? 0);
      c += (query[at + 2] ?? 0) * (vectors[from + 2] ?? 0);
      d += (query[at + 3] ?? 0) * (vectors[from + 3] ?? 0);
    }
    for (let at = even; at < dimension; at += 1) a += (query[at] ?? 0) * (vectors[start + at] ?? 0);
    const score = (a + b + c + d) / (lengths[n] ?? 1);
    if (score > into.scoreToExceed) into.addIfBetter(firstSlot + n, Math.max(-1, Math.min(1, score)));
  }
}
