import { computeLcsLength } from './lcs.ts';
import { listCalledTools } from '#core/traces/tool-sequence.ts';
import { defaultScoring } from './parameters.ts';
import { makeTraceScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';

export type TcsParts = {
  /** Length of the longest common subsequence. */
  readonly matched: number;
  readonly expected: number;
  readonly called: number;
  /** Share of the chain that was called in order, 0..1. */
  readonly recall: number;
  /** Share of the calls that belong to the chain in order, 0..1; 0 without calls. */
  readonly precision: number;
};

/**
 * Returns the tool call score of one attempt, 0..1: recall and precision of the trace against the expected chain, by
 * their longest common subsequence. `called` has all calls in order of issue, including failed ones, because the plan
 * is measured. `recallWeight` is that of recall, and precision has the rest. A trace without calls scores 0. Source: SGVEF-Loop, appendix B.1, equation 3.
 */
export const scoreToolCalls = (
  chain: readonly string[],
  called: readonly string[],
  recallWeight = defaultScoring.tcs.recall,
): Score<TcsParts> => {
  const matched = computeLcsLength(chain, called);
  const recall = chain.length === 0 ? 0 : matched / chain.length;
  const precision = called.length === 0 ? 0 : matched / called.length;
  const parts = { matched, expected: chain.length, called: called.length, recall, precision };
  if (chain.length === 0) return makeUnscored('no-chain', parts);
  return makeScore(
    recallWeight * recall + (1 - recallWeight) * precision,
    parts,
    `${matched} of ${chain.length} expected tools were called in order, in ${called.length} calls.`,
  );
};

export const tcs = makeTraceScorer({
  key: 'tcs',
  title: 'TCS',
  name: 'tool call score',
  question: 'Did the agent call what the chain expects, in order, and little else?',
  formula: 'recall and precision of the calls against the expected chain, by their longest common subsequence',
  caveat:
    'a share of right calls: arguments and outcomes do not count, and an agent that calls every tool has full recall',
  range: [0, 1],
  direction: 'higher',
  source: 'SGVEF-Loop, appendix B.1, equation 3',
  needs: ['chain'],
  parts: [
    { key: 'recall', title: 'SR', name: 'sequence recall: the share of the chain that was called in order' },
    {
      key: 'precision',
      title: 'SP',
      name: 'sequence precision: the share of the calls that belong to the chain in order',
    },
  ],
  brief: true,
  binary: false,
  score: ({ chain, trace, scoring }) => scoreToolCalls(chain, listCalledTools(trace), scoring.tcs.recall),
});
