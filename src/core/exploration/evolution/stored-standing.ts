/**
 * Converts the stored state of an evolution of an earlier release, which called the comparison of the explored units a
 * survey, to the present form.
 */
export function upgradeStoredStanding(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !('surveyedTo' in stored) || !('surveyed' in stored))
    return stored;
  const { surveyedTo: comparedUpTo, surveyed: compared, ...rest } = stored;
  return { ...rest, comparedUpTo, compared };
}
