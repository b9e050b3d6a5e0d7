/** Returns a quantile of sorted values with linear interpolation (type 7 of Hyndman & Fan 1996); 0 for none. */
export const quantileOfSorted = (sorted: ArrayLike<number>, p: number): number => {
  const place = p * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] ?? 0;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? low;
  return low + (place - below) * (high - low);
};

/** Returns the middle one of some values, of an even number the lower of both; null for none. */
export const lowerMedianOrNull = (values: readonly number[]): number | null =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? null;
