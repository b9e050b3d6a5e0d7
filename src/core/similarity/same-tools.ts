/**
 * Whether two chains have the same tools, whatever their order: a request that wants the same tools may want them in any, and
 * which it is, is left to the chain.
 */
export const sameTools = (one: readonly string[], other: readonly string[]): boolean =>
  new Set(one).symmetricDifference(new Set(other)).size === 0;
