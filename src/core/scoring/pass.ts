import type { Trace } from '#core/traces/trace.ts';
import { toolCalls } from '#core/traces/tool-sequence.ts';
import { successfulTools } from '#core/traces/transitions.ts';
import { lcsLength } from './lcs.ts';
import { makeTraceScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';
import { uic } from './uic.ts';

/** Minimum UIC of an attempt that passes. */
export const passCoverage = 0.7;

export type PassParts = {
  /** Share of the expected tools that were called successfully in order, 0..1. */
  readonly recall: number;
  readonly uic: number | null;
};

/**
 * Whether one attempt passes, 1 or 0: every expected tool was called successfully in the order of the chain (other
 * calls in between do no harm), and UIC is at least 0.7. Null while UIC is unscored, even if the calls alone would fail
 * it, because counting only failures among the unscored would lower the rate.
 */
export const passScore = (
  chain: readonly string[],
  trace: Pick<Trace, 'steps'>,
  covered: Score,
  leastCoverage: number = passCoverage,
): Score<PassParts> => {
  if (chain.length === 0) return makeUnscored('no-chain', { recall: 0, uic: covered.value });
  const matched = lcsLength(chain, successfulTools(toolCalls(trace)));
  const parts = { recall: matched / chain.length, uic: covered.value };
  if (covered.value === null) return makeUnscored(covered.reason, parts);
  return makeScore(
    matched === chain.length && covered.value >= leastCoverage ? 1 : 0,
    parts,
    `${matched} of ${chain.length} expected tools succeeded in order; the intents are covered to ${covered.value.toFixed(3)}.`,
  );
};

export const pass = makeTraceScorer({
  key: 'pass',
  title: 'pass',
  name: 'passing',
  question: 'Did the agent do what the chain expects, and answer the request?',
  formula: `1 where every expected tool was called with success, in order, and ${uic.title} is at least ${passCoverage}; else 0`,
  range: [0, 1],
  direction: 'higher',
  source: 'ours',
  needs: ['chain', 'judge'],
  brief: true,
  binary: true,
  score: ({ chain, trace, scoreOf }) => passScore(chain, trace, scoreOf(uic)),
});
