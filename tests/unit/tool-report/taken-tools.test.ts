import { describe, expect, test } from 'vitest';
import { describeToolDefinition } from '#core/reports/tool-report/tool-definition.ts';
import { ToolTally } from '#core/reports/tool-report/tool-tally.ts';
import type { ObservedAttempt } from '#core/reports/tool-report/observed-attempt.ts';

const names = ['notes/add', 'notes/list'] as const;
const tally = () =>
  new ToolTally(
    names.map((name) => ({
      name,
      effect: 'reads',
      definition: describeToolDefinition({ name, description: name, inputSchema: { type: 'object' } }),
    })),
  );
const attempt = (
  unit: string,
  tools: readonly string[],
  outcome: 'success' | 'failure' = 'success',
): ObservedAttempt => ({
  unit,
  expected: [],
  isNegative: true,
  calls: tools.map((tool) => ({ tool, outcome, failure: null, text: 'no', latencyMs: 1 })),
});
const reportOf = (attempts: readonly ObservedAttempt[]) => {
  const counted = tally();
  for (const each of attempts) counted.addAttempt(each);
  return counted.makeReport({ offline: false, final: true });
};

describe('what a report says of requests that no tool fits', () => {
  test('is which tools were called at them, in how many of all attempts, with an interval over units', () => {
    const { taken, negativeAttempts } = reportOf([
      attempt('u1', ['notes/add', 'notes/add']),
      attempt('u1', []),
      attempt('u2', ['notes/list', 'notes/add']),
      attempt('u2', []),
      attempt('u3', []),
      attempt('u3', ['made/up']),
    ]);
    expect(negativeAttempts).toBe(6);
    expect(taken.map(({ tool, attempts: { count, of }, units }) => [tool, count, of, units])).toEqual([
      ['notes/add', 2, 6, ['u1', 'u2']],
      ['notes/list', 1, 6, ['u2']],
    ]);
    const { interval } = taken[0]?.attempts ?? {};
    expect(interval?.low).toBeGreaterThan(0);
    expect(interval?.high).toBeLessThan(1);
  });

  test('is that none was called, where none was', () => {
    expect(reportOf([attempt('u1', []), attempt('u2', [])])).toMatchObject({ negativeAttempts: 2, taken: [] });
    expect(reportOf([])).toMatchObject({ negativeAttempts: 0, taken: [] });
  });

  test('says nothing about whether a tool works, and is no confusion', () => {
    const { tools, confusions, units, attempts } = reportOf([attempt('u1', ['notes/add'], 'failure')]);
    expect(
      tools.every(({ verdict, success, missed }) => verdict === 'not-called' && success.of + missed.of === 0),
    ).toBe(true);
    expect(confusions).toEqual([]);
    expect([units, attempts]).toEqual([1, 1]);
  });
});
