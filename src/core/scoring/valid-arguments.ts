import type { Step } from '#core/traces/trace.ts';
import { makeTraceScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';

export type ValidArgumentsParts = {
  /** Calls of mounted tools whose arguments violated the tool's input schema. */
  readonly violations: number;
  /** Calls of mounted tools whose arguments could not be checked within the allowed steps; they count as valid. */
  readonly unchecked: number;
};

/**
 * Returns the share of an attempt's calls of mounted tools whose arguments satisfied the tool's input schema, 0..1. Calls that ended
 * an attempt (outcome `fault`) are left out. Unscored if no call named a mounted tool (the published evaluator gives 0), and for
 * traces of releases that did not note it. Source: MCP-Bench, section 5.1.
 */
export function scoreValidArguments(steps: readonly Pick<Step, 'outcome' | 'form'>[]): Score<ValidArgumentsParts> {
  const made = steps.filter(({ outcome }) => outcome !== 'fault');
  const named = made.filter(({ form }) => form !== 'no-tool');
  const violations = named.filter(({ form }) => form === 'violates').length;
  const parts = { violations, unchecked: named.filter(({ form }) => form === 'unchecked').length };
  if (made.some(({ form }) => form === undefined)) return makeUnscored('earlier-release', parts);
  return named.length === 0
    ? makeUnscored('no-calls', parts)
    : makeScore(
        1 - violations / named.length,
        parts,
        `The arguments of ${named.length - violations} of ${named.length} calls fitted the schema.`,
      );
}

export const validArguments = makeTraceScorer({
  key: 'validarguments',
  title: 'valid arguments',
  name: 'compliance with input schemas',
  question: 'How many of the calls of tools had arguments of the right form?',
  formula:
    "the share of calls of mounted tools whose arguments satisfy the tool's input schema; without such calls there is none",
  caveat: 'the right values: any value of the right form counts',
  range: [0, 1],
  direction: 'higher',
  source: 'MCP-Bench, section 5.1',
  needs: ['call-forms'],
  parts: [
    { key: 'violations', title: 'violations', name: 'calls of an attempt whose arguments violated the schema' },
    { key: 'unchecked', title: 'unchecked', name: 'calls of an attempt whose arguments could not be checked' },
  ],
  brief: false,
  binary: false,
  score: ({ trace }) => scoreValidArguments(trace.steps),
});
