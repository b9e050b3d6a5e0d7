/**
 * Returns whether JSON has a number that is too large for a double, such as `1e400`, which parsers turn into infinity.
 * It cannot be written as JSON again. The JSON must not be nested too deep.
 */
export function hasInfiniteNumber(json: unknown): boolean {
  if (typeof json === 'number') return !Number.isFinite(json);
  if (typeof json !== 'object' || json === null) return false;
  const parts: readonly unknown[] = Array.isArray(json) ? json : Object.values(json);
  return parts.some(hasInfiniteNumber);
}
