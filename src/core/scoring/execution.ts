import { mtc } from './mtc.ts';
import { makeCaseScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';
import { tcs } from './tcs.ts';

export type ExecutionParts = { readonly tcs: number | null; readonly mtc: number | null };

/**
 * How well a unit was executed, 0..1: the mean of TCS and MTC, the first half of the execution-completion gap. If
 * neither request led to a call, MTC has no value, and TCS (which is 0 then) counts alone: doing nothing twice must not
 * be better than doing it wrong. Source: SGVEF-Loop, equation 8.
 */
export function scoreExecutionFromTcsAndMtc(calls: Score, consistency: Score): Score<ExecutionParts> {
  const parts = { tcs: calls.value, mtc: consistency.value };
  if (calls.value === null) return makeUnscored(calls.reason, parts);
  if (consistency.value !== null) return makeScore((calls.value + consistency.value) / 2, parts);
  return consistency.reason === 'both-empty'
    ? makeScore(calls.value, parts, 'No attempt made a call.')
    : makeUnscored(consistency.reason, parts);
}

export const execution = makeCaseScorer({
  key: 'execution',
  title: 'execution',
  name: 'execution',
  question: 'How well were the calls of a unit planned?',
  formula: `the mean of ${tcs.title} and ${mtc.title}; ${tcs.title} alone where no attempt made a call`,
  caveat: 'a share of solved tasks: failed calls count as planned ones',
  range: [0, 1],
  direction: 'higher',
  source: 'SGVEF-Loop, appendix B.2, equation 8, first half',
  needs: ['chain', 'categories'],
  parts: [
    { key: 'tcs', title: 'TCS', name: 'tool call score' },
    { key: 'mtc', title: 'MTC', name: 'metamorphic consistency' },
  ],
  brief: false,
  binary: false,
  score: ({ scoreOf }) => scoreExecutionFromTcsAndMtc(scoreOf(tcs), scoreOf(mtc)),
});
