import { expect, test } from 'vitest';
import { alignCallsWithChain } from '#core/traces/align-chain.ts';

test('calls that match stand beside the tools that were expected', () => {
  expect(alignCallsWithChain(['a', 'b'], ['a', 'b'])).toEqual([
    { expected: 'a', call: 0 },
    { expected: 'b', call: 1 },
  ]);
});

test('a tool that was not called has no call, and a call that nobody expected no tool', () => {
  expect(alignCallsWithChain(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([
    { expected: 'a', call: 0 },
    { expected: 'b', call: null },
    { expected: null, call: 1 },
    { expected: 'c', call: 2 },
  ]);
});

test('repeated calls match once', () => {
  const aligned = alignCallsWithChain(['a', 'b'], ['a', 'a', 'b', 'b']);
  expect(aligned.filter(({ expected, call }) => expected !== null && call !== null)).toHaveLength(2);
  expect(aligned.filter(({ call }) => call !== null).map(({ call }) => call)).toEqual([0, 1, 2, 3]);
});

test('nothing expected and nothing called is nothing', () => {
  expect(alignCallsWithChain([], [])).toEqual([]);
});
