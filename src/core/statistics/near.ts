/** Whether two figures are the same but for their last digits, which sums of the same numbers may differ in; null is like null alone. */
export const isNear = (one: number | null, other: number | null): boolean =>
  one === null || other === null ? one === other : Math.abs(one - other) < 1e-9;
