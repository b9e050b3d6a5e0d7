import { scored, unscored, type Score } from './score.ts';

export interface EcgParts {
  /** Mean of TCS and MTC, 0..1; null where one of them is unscored. */
  readonly planning: number | null;
  /** Mean of AR and UIC, 0..1; null where one of them is unscored. */
  readonly response: number | null;
}

/** The four metrics of one unit that the gap is made of. */
export interface EcgInput {
  readonly tcs: Score;
  readonly mtc: Score;
  readonly ar: Score;
  readonly uic: Score;
}

/**
 * Execution-completion gap of a unit, -1..1: planning less response. Positive: the tools were called well and the answer
 * makes little of it; negative: the answer is better than the calls behind it. Unscored as soon as one of the four is: a gap
 * between means of different parts would compare unlike with unlike. Source: SGVEF-Loop, appendix B.2, equation 8, with
 * the arithmetic mean for its aggregation operator.
 */
export const executionCompletionGap = ({ tcs, mtc, ar, uic }: EcgInput): Score<EcgParts> => {
  const parts = { planning: meanOf(tcs, mtc), response: meanOf(ar, uic) };
  const { planning, response } = parts;
  if (planning !== null && response !== null) return scored(planning - response, parts);
  for (const each of [tcs, mtc, ar, uic]) if (each.value === null) return unscored(each.reason, parts);
  return unscored('not-evaluated', parts);
};

const meanOf = (a: Score, b: Score): number | null =>
  a.value === null || b.value === null ? null : (a.value + b.value) / 2;

/** What the gap's plain mean hides: gaps of both signs cancel in it. */
export interface GapSpread {
  /** Mean of the absolute gaps, 0..1; null without scored units. */
  readonly meanAbsolute: number | null;
  /** Standard deviation of the gaps (divisor n - 1); null for fewer than two scored units. */
  readonly standardDeviation: number | null;
}

/** The spread of the units' gaps; unscored ones are left out. */
export const gapSpread = (gaps: readonly (number | null)[]): GapSpread => {
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
