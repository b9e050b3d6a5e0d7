/** How deep JSON from outside may be nested: what works on it later may recurse, and real data stays far below. */
export const maxJsonDepth = 100;

/** Whether JSON is nested deeper than allowed. It goes no deeper than that itself, so its own recursion is bounded. */
export function isTooDeep(json: unknown, levels = maxJsonDepth): boolean {
  if (typeof json !== 'object' || json === null) return false;
  if (levels === 0) return true;
  const parts: readonly unknown[] = Array.isArray(json) ? json : Object.values(json);
  return parts.some((part) => isTooDeep(part, levels - 1));
}
