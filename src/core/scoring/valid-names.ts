import type { Step } from '#core/traces/trace.ts';
import { makeTraceScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';

export type ValidNamesParts = {
  /** Calls that named a mounted tool. */
  readonly named: number;
  readonly calls: number;
};

/**
 * Returns the share of an attempt's calls that named a mounted tool, 0..1; a turn that was no valid call named none. Calls that
 * ended an attempt (outcome `fault`) are left out. Unscored without calls, and for traces of releases that did not note it. Source: MCP-Bench,
 * section 5.1.
 */
export function scoreValidNames(steps: readonly Pick<Step, 'outcome' | 'form'>[]): Score<ValidNamesParts> {
  const made = steps.filter(({ outcome }) => outcome !== 'fault');
  const named = made.filter(({ form }) => form !== undefined && form !== 'no-tool').length;
  const parts = { named, calls: made.length };
  if (made.some(({ form }) => form === undefined)) return makeUnscored('earlier-release', parts);
  return made.length === 0
    ? makeUnscored('no-calls', parts)
    : makeScore(named / made.length, parts, `${named} of ${made.length} calls named a mounted tool.`);
}

export const validNames = makeTraceScorer({
  key: 'validnames',
  title: 'valid names',
  name: 'validity of tool names',
  question: 'How many of the calls named a tool that was there?',
  formula: 'the share of calls that named a mounted tool; without calls there is none',
  caveat: 'the right choice: any mounted tool counts',
  range: [0, 1],
  direction: 'higher',
  source: 'MCP-Bench, section 5.1',
  needs: ['call-forms'],
  parts: [{ key: 'named', title: 'named', name: 'calls of an attempt that named a mounted tool' }],
  brief: false,
  binary: false,
  score: ({ trace }) => scoreValidNames(trace.steps),
});
