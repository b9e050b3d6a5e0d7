import { ar } from './ar.ts';
import { mtc } from './mtc.ts';
import { makeCaseScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';
import { tcs } from './tcs.ts';
import { uic } from './uic.ts';

export type EcgParts = {
  /** Mean of TCS and MTC, 0..1; null if one of them is unscored. */
  readonly planning: number | null;
  /** Mean of AR and UIC, 0..1; null if one of them is unscored. */
  readonly response: number | null;
};

/** The four metrics of one unit from which the gap is computed. */
export interface EcgInput {
  readonly tcs: Score;
  readonly mtc: Score;
  readonly ar: Score;
  readonly uic: Score;
}

/**
 * Returns the execution-completion gap of a unit, -1..1: planning minus response. Positive: the calls were good, but
 * the answer makes little of them. Negative: the answer is better than the calls. Unscored if one of the four metrics
 * is, because a gap between different parts would be meaningless. Source: SGVEF-Loop, appendix B.2, equation 8, with
 * the arithmetic mean as its aggregation operator. The ECG in the paper's Table 3 (0.198 to 0.361) does not follow from it:
 * the table's own columns give -0.511 to -0.074.
 */
export const scoreGapOfExecutionAndCompletion = ({ tcs, mtc, ar, uic }: EcgInput): Score<EcgParts> => {
  const parts = { planning: meanOfBothOrNull(tcs, mtc), response: meanOfBothOrNull(ar, uic) };
  const { planning, response } = parts;
  if (planning !== null && response !== null)
    return makeScore(planning - response, parts, gapExplanationText(planning, response));
  for (const each of [tcs, mtc, ar, uic]) if (each.value === null) return makeUnscored(each.reason, parts);
  return makeUnscored('not-evaluated', parts);
};

const meanOfBothOrNull = (a: Score, b: Score): number | null =>
  a.value === null || b.value === null ? null : (a.value + b.value) / 2;

const gapExplanationText = (planning: number, response: number): string =>
  `The calls were planned to ${planning.toFixed(3)}, and the responses are worth ${response.toFixed(3)}.`;

export const ecg = makeCaseScorer({
  key: 'ecg',
  title: 'ECG',
  name: 'execution-completion gap',
  question: 'Are the answers as good as the calls behind them?',
  formula: `the mean of ${tcs.title} and ${mtc.title} less the mean of ${ar.title} and ${uic.title}; its plain mean lets gaps of both signs cancel, the mean of absolute gaps does not`,
  caveat: 'quality: an agent that does nothing at all has 0',
  range: [-1, 1],
  direction: 'zero',
  source: 'SGVEF-Loop, appendix B.2, equation 8',
  needs: ['chain', 'categories', 'judge'],
  parts: [
    { key: 'planning', title: 'planning', name: 'mean of TCS and MTC' },
    { key: 'response', title: 'response', name: 'mean of AR and UIC' },
  ],
  brief: false,
  binary: false,
  score: ({ scoreOf }) =>
    scoreGapOfExecutionAndCompletion({ tcs: scoreOf(tcs), mtc: scoreOf(mtc), ar: scoreOf(ar), uic: scoreOf(uic) }),
});
