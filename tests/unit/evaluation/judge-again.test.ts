import { describe, expect, it } from 'vitest';
import { compareRankings } from '#core/evaluation/compare-rankings.ts';
import {
  makeAttemptToJudgeAgain,
  mayAgentHaveSeenWholeResults,
  traceWithoutJudgements,
} from '#core/evaluation/judge-again.ts';
import { trace, type Step } from '#core/traces/trace.ts';
import { traceWith } from './cases.ts';

const made = traceWith(['fruit/apple', 'fruit/pear!', 'fruit/plum']);
const judged = (changes: readonly Partial<Step>[]) => ({
  ...made,
  steps: made.steps.map((step, at) => ({ ...step, ...changes[at] })),
});

describe('a trace that is judged again', () => {
  it('has nothing of what judges said, and all of what rules found', () => {
    const before = judged([
      { reported: { rule: 'text', judged: 'overruled' }, failure: null },
      { failure: { source: 'model', class: 'invalid-artifact-reference', why: 'so' } },
      {
        reported: { rule: 'text', judged: 'confirmed' },
        failure: { source: 'rule', class: 'invalid-artifact-reference', rule: 'r' },
      },
    ]);
    const after = traceWithoutJudgements(before);
    expect(trace.safeParse(after).success).toBe(true);
    expect(after.steps.map(({ reported, failure }) => [reported, failure])).toEqual([
      [{ rule: 'text' }, { source: 'undecided' }],
      [undefined, { source: 'undecided' }],
      [{ rule: 'text' }, { source: 'rule', class: 'invalid-artifact-reference', rule: 'r' }],
    ]);
    expect(traceWithoutJudgements(after)).toEqual(after);
  });

  it('keeps the tokens, the number of calls and whether it was repeated', () => {
    const usage = { calls: 3, promptTokens: 30, completionTokens: 6, costUsd: 0.5 };
    const { calls, elsewhere } = makeAttemptToJudgeAgain('request', { usage, relaunched: true, fault: null }, made);
    expect(calls).toHaveLength(3);
    expect(calls.map(({ promptTokens, costUsd }) => [promptTokens, costUsd])).toEqual([
      [30, 0.5],
      [0, 0],
      [0, 0],
    ]);
    expect(elsewhere).toEqual({ relaunched: true });
  });
});

describe('an agent whose attempts are judged again', () => {
  const uploaded = (loop: string) =>
    ({ name: 'a', loop: 'uploaded', configuration: { loop, model: null, limits: {} } }) as const;

  it('saw what its loop shows, and others may have seen whole results', () => {
    expect(mayAgentHaveSeenWholeResults(uploaded('function-calling'), 'evl_1')).toBe(false);
    expect(mayAgentHaveSeenWholeResults(uploaded('null:random-walk'), 'evl_1')).toBe(false);
    expect(mayAgentHaveSeenWholeResults(uploaded('external'), 'evl_1')).toBe(true);
    // Anybody can name a loop in an uploaded file.
    expect(mayAgentHaveSeenWholeResults(uploaded('function-calling'), null)).toBe(true);
  });
});

describe('two rankings of the same agents', () => {
  const results = (means: Readonly<Record<string, number | null>>) => ({
    agents: Object.entries(means).map(([name, mean]) => ({
      name,
      scores: { success: { mean, low: null, high: null, n: 1, unscored: 0 } },
    })),
  });

  it('are compared by tau-b, and each swapped pair is named', () => {
    const compared = compareRankings(
      results({ a: 0.2, b: 0.9, c: 0.5, here: 1 }),
      results({ a: 0.4, b: 0.8, c: 0.3, there: 1 }),
      'success',
    );
    expect(compared.agents.map(({ agent }) => agent)).toEqual(['b', 'c', 'a']);
    expect(compared.tauB).toBeCloseTo(1 / 3, 12);
    // No two orders of three agree less.
    expect(compared.p).toBe(1);
    expect(compared.swapped).toEqual([{ aheadHere: 'c', aheadThere: 'a' }]);
  });

  it('leave out agents without a mean, and have no tau-b where all means are equal', () => {
    const compared = compareRankings(results({ a: 1, b: 1, c: null }), results({ a: 0, b: 1, c: 1 }), 'success');
    expect(compared).toMatchObject({ tauB: null, swapped: [] });
    expect(compared.agents).toHaveLength(2);
  });
});
