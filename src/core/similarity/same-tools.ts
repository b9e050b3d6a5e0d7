/** Returns whether two chains use the same tools, ignoring order. */
export const hasSameTools = (one: readonly string[], other: readonly string[]): boolean =>
  new Set(one).symmetricDifference(new Set(other)).size === 0;
