import { ar } from './ar.ts';
import { mtc } from './mtc.ts';
import { comparing } from './scorer.ts';
import { scored, unscored, type Score } from './score.ts';
import { tcs } from './tcs.ts';
import { uic } from './uic.ts';

export type EcgParts = {
  /** Mean of TCS and MTC, 0..1; null where one of them is unscored. */
  readonly planning: number | null;
  /** Mean of AR and UIC, 0..1; null where one of them is unscored. */
  readonly response: number | null;
};

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
  if (planning !== null && response !== null) return scored(planning - response, parts, explained(planning, response));
  for (const each of [tcs, mtc, ar, uic]) if (each.value === null) return unscored(each.reason, parts);
  return unscored('not-evaluated', parts);
};

const meanOf = (a: Score, b: Score): number | null =>
  a.value === null || b.value === null ? null : (a.value + b.value) / 2;

const explained = (planning: number, response: number): string =>
  `The calls were planned to ${planning.toFixed(3)}, and the responses are worth ${response.toFixed(3)}.`;

export const ecg = comparing({
  key: 'ecg',
  title: 'ECG',
  name: 'execution-completion gap',
  question: 'Are the answers as good as the calls behind them?',
  formula: `the mean of ${tcs.title} and ${mtc.title} less the mean of ${ar.title} and ${uic.title}; its plain mean lets gaps of both signs cancel, the mean of absolute gaps does not`,
  range: [-1, 1],
  direction: 'zero',
  source: 'SGVEF-Loop, appendix B.2, equation 8',
  needs: ['chain', 'categories', 'judge'],
  brief: false,
  binary: false,
  score: ({ scoreOf }) =>
    executionCompletionGap({ tcs: scoreOf(tcs), mtc: scoreOf(mtc), ar: scoreOf(ar), uic: scoreOf(uic) }),
});
