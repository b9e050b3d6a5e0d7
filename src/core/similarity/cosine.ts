/** Returns the cosine of two vectors, -1..1; null if they differ in length, or are empty, zero or not finite. */
export const cosineOrNull = (a: ArrayLike<number>, b: ArrayLike<number>): number | null => {
  if (a.length !== b.length) return null;
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let at = 0; at < a.length; at += 1) {
    const x = a[at] ?? 0;
    const y = b[at] ?? 0;
    product += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  const value = product / (Math.sqrt(squaresA) * Math.sqrt(squaresB));
  return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : null;
};
