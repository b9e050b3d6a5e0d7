/** The spread that the gap's plain mean hides, because gaps of opposite signs cancel in it. */
export interface GapSpread {
  /** Mean of the absolute gaps, 0..1; null without scored units. */
  readonly meanAbsolute: number | null;
  /** Standard deviation of the gaps (divisor n - 1); null for fewer than two scored units. */
  readonly standardDeviation: number | null;
}

/** Computes the spread of the units' gaps, without unscored ones. */
export const computeSpreadOfUnitGaps = (gaps: readonly (number | null)[]): GapSpread => {
  const known = gaps.filter((gap) => gap !== null);
  const n = known.length;
  return {
    meanAbsolute: n === 0 ? null : known.reduce((sum, gap) => sum + Math.abs(gap), 0) / n,
    standardDeviation: standardDeviationOrNull(known),
  };
};

/** Returns the standard deviation of values (divisor n - 1); null for fewer than two. */
export function standardDeviationOrNull(values: readonly number[]): number | null {
  const n = values.length;
  if (n < 2) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
}
