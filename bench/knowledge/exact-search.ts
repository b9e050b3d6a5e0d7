/** Returns the indexes of the nearest vectors to a query by the exact dot product. All have the same length. */
export function findExactNearestIndexes(
  vectors: readonly Float32Array[],
  query: Float32Array,
  count: number,
): Set<number> {
  const scores = Float64Array.from(vectors, (vector) => {
    let sum = 0;
    for (let at = 0; at < query.length; at += 1) sum += (vector[at] ?? 0) * (query[at] ?? 0);
    return sum;
  });
  const bound = scores.toSorted().at(-count) ?? Number.NEGATIVE_INFINITY;
  return new Set(vectors.keys().filter((place) => (scores[place] ?? 0) >= bound));
}
