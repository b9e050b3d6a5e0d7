import { hasFailed } from '#core/traces/step-outcome.ts';
import type { Trace } from '#core/traces/trace.ts';
import { makeTraceScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';

export type TfdParts = {
  readonly failed: number;
  readonly calls: number;
};

/**
 * Returns the trajectory fault density of one attempt, 0..1: the share of calls that failed, including calls that no
 * tool could take, calls that the environment spoilt, such as time-outs, and results whose text reports an error; lower
 * is better. Calls that ended an attempt (outcome `fault`) are left out of both counts. Without other calls there is no
 * score. Source: SGVEF-Loop, appendix B.1, equation 5.
 */
export const scoreFaultDensity = (trace: Pick<Trace, 'steps'>): Score<TfdParts> => {
  const answered = trace.steps.filter((step) => step.outcome !== 'fault');
  const failed = answered.filter(hasFailed).length;
  const parts = { failed, calls: answered.length };
  return answered.length === 0
    ? makeUnscored('no-calls', parts)
    : makeScore(failed / answered.length, parts, `${failed} of ${answered.length} calls failed.`);
};

export const tfd = makeTraceScorer({
  key: 'tfd',
  title: 'TFD',
  name: 'trajectory fault density',
  question: 'How many of the calls failed?',
  formula: 'the share of calls that failed, time-outs and broken connections among them; without calls there is none',
  caveat: "the agent's own mistakes: a broken server counts too, and an agent that calls nothing has none",
  range: [0, 1],
  direction: 'lower',
  source: 'SGVEF-Loop, appendix B.1, equation 5',
  needs: [],
  parts: [
    { key: 'failed', title: 'failed calls', name: 'failed calls of an attempt' },
    { key: 'calls', title: 'calls', name: 'calls of an attempt' },
  ],
  brief: false,
  binary: false,
  score: ({ trace }) => scoreFaultDensity(trace),
});
