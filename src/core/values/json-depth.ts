/** Maximum nesting of JSON from outside: later code may recurse, and real data stays far below. */
export const maxJsonDepth = 100;

/**
 * Returns whether JSON is nested too deeply. It does not descend further than that, so its own recursion is bounded.
 */
export function isTooDeep(json: unknown, levels = maxJsonDepth): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if (levels === 0) return true;
  const parts: readonly unknown[] = Array.isArray(json) ? json : Object.values(json);
  return parts.some((part) => isTooDeep(part, levels - 1));
}
