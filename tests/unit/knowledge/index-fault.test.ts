import { expect, test } from 'vitest';
import { problemOfIndexFault } from '#api/index-fault.ts';

test('a fault of an index or its model becomes a problem document', () => {
  const cases = [
    ['index', 'index-full', 'index-full'],
    ['index', 'dimension-mismatch', 'dimension-mismatch'],
    ['model', 'dimension-mismatch', 'dimension-mismatch'],
    ['index', 'unreachable', 'index-unreachable'],
    ['index', 'rate-limited', 'index-unreachable'],
    ['model', 'timeout', 'model-unreachable'],
  ] as const;
  for (const [where, code, expected] of cases) {
    const problem = problemOfIndexFault({ where, name: 'it', code, detail: 'why' });
    expect(problem).toEqual({ code: expected, detail: `${where} it: why` });
  }
});
