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
  if (n === 0) return { meanAbsolute: null, standardDeviation: null };
  const mean = known.reduce((sum, gap) => sum + gap, 0) / n;
  const squares = known.reduce((sum, gap) => sum + (gap - mean) ** 2, 0);
  return {
    meanAbsolute: known.reduce((sum, gap) => sum + Math.abs(gap), 0) / n,
    standardDeviation: n < 2 ? null : Math.sqrt(squares / (n - 1)),
  };
};
