/** Returns whether two figures are equal except for rounding in their last digits; null equals only null. */
export const isEqualUpToRounding = (one: number | null, other: number | null): boolean =>
  one === null || other === null ? one === other : Math.abs(one - other) < 1e-9;
