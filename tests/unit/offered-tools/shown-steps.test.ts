import { describe, expect, test } from 'vitest';
import { callsText, pageOfSteps, shownText } from '#core/reports/offered-tools/shown-steps.ts';
import type { Step } from '#core/traces/trace.ts';

const step = (tool: string, more: Partial<Step> = {}): Step => ({
  tool,
  arguments: { a: 1 },
  outcome: 'success',
  text: 'done',
  truncated: false,
  sha256: null,
  fault: null,
  failure: null,
  turn: 1,
  turnTokens: null,
  latencyMs: 5,
  ...more,
});

describe('the calls that a model is shown', () => {
  const traces = [
    ['source', { steps: [step('a/one'), step('a/two')] }],
    ['followUp', { steps: [step('a/three')] }],
  ] as const;

  test('come page by page, over all requests', () => {
    const first = pageOfSteps(traces, 0, 2);
    expect(first.steps.map(({ request, n, tool }) => [request, n, tool])).toEqual([
      ['source', 1, 'a/one'],
      ['source', 2, 'a/two'],
    ]);
    expect(first.nextCursor).toBe('2');
    const second = pageOfSteps(traces, 2, 2);
    expect(second.steps.map(({ request, n, tool }) => [request, n, tool])).toEqual([['followUp', 1, 'a/three']]);
    expect(second.nextCursor).toBeNull();
    expect(pageOfSteps(traces, 9, 2)).toEqual({ steps: [], nextCursor: null });
  });

  test('are cut where they are long, and say so', () => {
    const long = step('a/one', { text: 'x'.repeat(1_500), arguments: { a: 'y'.repeat(2_000) } });
    const [shown] = pageOfSteps([['source', { steps: [long] }]], 0, 1).steps;
    expect(shown?.result).toBe(`${'x'.repeat(1_000)} [cut: 500 more characters]`);
    expect(shown?.arguments).toMatch(/ \[cut: 1008 more characters\]$/);
    expect(shownText('as it is', 8)).toBe('as it is');
  });

  test('have the class of a failure and what broke', () => {
    const fault = { where: 'server', name: 'a', code: 'timeout', detail: 'no answer in 5 s' } as const;
    const failed = step('a/one', { outcome: 'failure', failure: { source: 'undecided' }, fault, cause: 'environment' });
    expect(pageOfSteps([['source', { steps: [failed] }]], 0, 1).steps[0]).toMatchObject({
      outcome: 'failure',
      failure: null,
      fault: 'no answer in 5 s',
    });
    expect(callsText([failed, step('a/two')])).toBe('a/one (failure) > a/two');
    expect(callsText([])).toBe('no calls');
  });
});
