import { scoreFaultDensity } from './tfd.ts';
import { makeTraceScorer } from './scorer.ts';
import { makeScore, type Score } from './score.ts';

export type CallSuccessParts = { readonly succeeded: number };

/**
 * Returns the share of an attempt's calls that succeeded, 0..1: what the fault density leaves, so that results whose text reports an
 * error count as failed. Unscored without calls. Source: MCP-Bench, section 5.1.
 */
export function scoreCallSuccess(trace: Parameters<typeof scoreFaultDensity>[0]): Score<CallSuccessParts> {
  const density = scoreFaultDensity(trace);
  const succeeded = density.parts.calls - density.parts.failed;
  return density.value === null
    ? { ...density, parts: { succeeded } }
    : makeScore(1 - density.value, { succeeded }, `${succeeded} of ${density.parts.calls} calls succeeded.`);
}

export const callSuccess = makeTraceScorer({
  key: 'callsuccess',
  title: 'call success',
  name: 'success of calls',
  question: 'How many of the calls succeeded?',
  formula: 'the share of calls that did not fail, 1 - TFD; without calls there is none',
  caveat: 'a share of solved tasks: useless calls succeed too',
  range: [0, 1],
  direction: 'higher',
  source: 'MCP-Bench, section 5.1',
  needs: [],
  parts: [{ key: 'succeeded', title: 'succeeded', name: 'successful calls of an attempt' }],
  brief: false,
  binary: false,
  score: ({ trace }) => scoreCallSuccess(trace),
});
