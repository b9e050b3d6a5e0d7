import { scored, unscored, type Judged, type Score } from './score.ts';

export interface UicParts {
  /** How many sub-intents the unit has; null where they could not be planned. */
  readonly planned: number | null;
  /** One score a sub-intent, 0..1, in the order of the plan. */
  readonly scores: readonly number[] | null;
  /** False where the agent gave no response. */
  readonly answered: boolean;
}

/**
 * Unified intent coverage of one attempt, 0..1: the mean score of the unit's sub-intents, which were planned once for both
 * requests. A reasoned "nothing found" earns a sub-intent's score (the judge is told so). An agent that gave no response
 * covers nothing and scores 0 without a judge. Source: SGVEF-Loop, appendix B.2, equation 7.
 */
export const intentCoverage = (
  response: string,
  plan: Judged<readonly string[]>,
  scores: Judged<readonly number[]>,
): Score<UicParts> => {
  const planned = plan.ok ? plan.value.length : null;
  if (response.trim() === '') return scored(0, { planned, scores: null, answered: false });
  const parts = { planned, scores: scores.ok ? scores.value : null, answered: true };
  if (!plan.ok) return unscored(plan.reason, parts);
  if (!scores.ok) return unscored(scores.reason, parts);
  const { value } = scores;
  if (value.length === 0 || value.length !== planned) return unscored('judge-unparsed', parts);
  return scored(value.reduce((sum, each) => sum + each, 0) / value.length, parts);
};
