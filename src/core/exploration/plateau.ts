/** Readings in the plateau of Chao1. */
export const plateauReadings = 7;
/** How far they may differ from their mean, as a share of it. */
const plateauTolerance = 0.01;

/**
 * Returns the mean of the last 7 estimates if all of them lie within 1% of it, else null: the value at which Chao1 has
 * converged. Source: SGVEF-Loop, appendix A.1, condition 3; on Table 5 it is 1,341.
 */
export const chao1PlateauMeanOrNull = (estimates: readonly number[]): number | null => {
  const last = estimates.slice(-plateauReadings);
  const mean = last.reduce((sum, estimate) => sum + estimate, 0) / plateauReadings;
  const isFlat =
    last.length === plateauReadings && last.every((estimate) => Math.abs(estimate - mean) <= plateauTolerance * mean);
  return isFlat ? mean : null;
};
