import { unusableResultRules } from '#core/traces/failure-texts.ts';
import type { Step, Trace } from '#core/traces/trace.ts';
import { makeTraceScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';

export type TfdParts = {
  readonly failed: number;
  readonly calls: number;
};

/**
 * Returns the trajectory fault density of one attempt, 0..1: the share of calls that failed, including calls that no
 * tool could take; lower is better. A call that broke (an infrastructure fault, or the attempt's time was over) says
 * nothing about the tool's answer, and one with an unusable result says nothing about the agent, so both are left out
 * of both counts. Without other calls there is no score. Source: SGVEF-Loop, appendix B.1, equation 5.
 */
export const faultDensity = (trace: Pick<Trace, 'steps'>): Score<TfdParts> => {
  const answered = trace.steps.filter((step) => step.outcome !== 'fault' && !isUnusableResult(step));
  const failed = answered.filter(({ outcome }) => outcome === 'failure').length;
  const parts = { failed, calls: answered.length };
  return answered.length === 0
    ? makeUnscored('no-calls', parts)
    : makeScore(failed / answered.length, parts, `${failed} of ${answered.length} calls failed.`);
};

const isUnusableResult = ({ failure }: Step): boolean =>
  failure?.source === 'rule' && unusableResultRules.has(failure.rule);

export const tfd = makeTraceScorer({
  key: 'tfd',
  title: 'TFD',
  name: 'trajectory fault density',
  question: 'How many of the calls failed?',
  formula: 'the share of calls that failed; without calls there is none',
  range: [0, 1],
  direction: 'lower',
  source: 'SGVEF-Loop, appendix B.1, equation 5',
  needs: [],
  brief: false,
  binary: false,
  score: ({ trace }) => faultDensity(trace),
});
