import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { commonPrefixLength, computeLcsLength } from '#core/scoring/lcs.ts';
import { scoreMetamorphicConsistency, weighAgreementShares } from '#core/scoring/mtc.ts';
import { scoreToolCalls } from '#core/scoring/tcs.ts';

const letters = (text: string): string[] => text.split('');

/** The textbook recursion, for short sequences. */
const slowLcs = (a: readonly string[], b: readonly string[]): number => {
  const [x, ...restA] = a;
  const [y, ...restB] = b;
  if (x === undefined || y === undefined) return 0;
  return x === y ? 1 + slowLcs(restA, restB) : Math.max(slowLcs(restA, b), slowLcs(a, restB));
};

describe('longest common subsequence', () => {
  it.each([
    ['ABCBDAB', 'BDCABA', 4],
    ['AGGTAB', 'GXTXAYB', 4],
    ['XMJYAUZ', 'MZJAWXU', 4],
    ['', 'ABC', 0],
    ['ABC', '', 0],
    ['ABC', 'ABC', 3],
    ['ABC', 'XYZ', 0],
    ['AAAA', 'AA', 2],
  ])('of %s and %s has length %i', (a, b, length) => {
    expect(computeLcsLength(letters(a), letters(b))).toBe(length);
    expect(computeLcsLength(letters(b), letters(a))).toBe(length);
  });

  it('agrees with a recursive implementation', () => {
    const sequence = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 7 });
    fc.assert(fc.property(sequence, sequence, (a, b) => computeLcsLength(a, b) === slowLcs(a, b)));
  });

  it('stays bounded for very long traces and never exceeds the true length', () => {
    const long = Array.from({ length: 100_000 }, (_, i) => `s/${i % 7}`);
    const started = performance.now();
    const length = computeLcsLength(long, long);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(length).toBe(2_000);
    expect(computeLcsLength(['s/3', 's/1', 'nowhere'], long)).toBe(2);
  });
});

describe('common prefix', () => {
  it.each([
    ['ABC', 'ABD', 2],
    ['ABC', 'ABCD', 3],
    ['ABCD', 'ABC', 3],
    ['', 'A', 0],
    ['BA', 'A', 0],
  ])('of %s and %s has length %i', (a, b, length) => {
    expect(commonPrefixLength(letters(a), letters(b))).toBe(length);
  });
});

describe('tool call score', () => {
  it('is the mean of recall and precision', () => {
    const { value, parts } = scoreToolCalls(letters('ABC'), letters('AXCY'));
    expect(value).toBeCloseTo(0.5 * (2 / 3) + 0.5 * (2 / 4), 12);
    expect(parts).toEqual({ matched: 2, expected: 3, called: 4, recall: 2 / 3, precision: 0.5 });
  });

  it('is 1 for the chain itself, 0 for an empty trace, and null without a chain', () => {
    expect(scoreToolCalls(letters('ABC'), letters('ABC')).value).toBe(1);
    expect(scoreToolCalls(letters('ABC'), []).value).toBe(0);
    expect(scoreToolCalls([], letters('A'))).toMatchObject({ value: null, reason: 'no-chain' });
  });
});

describe('metamorphic consistency', () => {
  // Table 3 of the paper: SA, SO, PA, FA, the printed MTC, and what the weights give.
  it.each([
    { agent: 'Claude Haiku 4.5', row: [0.243, 0.313, 0.077, 0.302], mtc: 0.2504, printed: 0.251 },
    { agent: 'Claude 3.5 Sonnet', row: [0.564, 0.644, 0.372, 0.643], mtc: 0.5749, printed: 0.575 },
    { agent: 'GPT-5 mini', row: [0.404, 0.437, 0.309, 0.465], mtc: 0.4133, printed: 0.413 },
    { agent: 'Qwen3-Max', row: [0.592, 0.622, 0.445, 0.688], mtc: 0.6015, printed: 0.602 },
    { agent: 'DeepSeek R1', row: [0.107, 0.122, 0.041, 0.132], mtc: 0.1071, printed: 0.107 },
    { agent: 'DeepSeek V3.2', row: [0.322, 0.441, 0.019, 0.399], mtc: 0.3256, printed: 0.325 },
    { agent: 'Kimi K2', row: [0.5, 0.576, 0.212, 0.6], mtc: 0.5008, printed: 0.501 },
    {
      agent: 'GPT-4o mini, whose row follows from no weights',
      row: [0.4, 0.373, 0.263, 0.416],
      mtc: 0.3767,
      printed: null,
    },
  ])("weighs the shares of $agent's row", ({ row, mtc, printed }) => {
    const [sa = 0, so = 0, pa = 0, fa = 0] = row;
    const value = weighAgreementShares({ sa, so, pa, fa });
    expect(Math.abs(value - mtc)).toBeLessThanOrEqual(0.0001);
    if (printed !== null) expect(Math.abs(value - printed)).toBeLessThanOrEqual(0.001);
  });

  const categories = new Map([
    ['A', 'search'],
    ['B', 'read'],
    ['C', 'search'],
  ]);

  it('takes the four shares from two traces', () => {
    const { value, parts } = scoreMetamorphicConsistency(letters('AABC'), letters('CAB'), categories);
    expect(parts).toEqual({ sa: 2 / 4, so: 1, pa: 0, fa: 3 / 4 });
    expect(value).toBeCloseTo(0.35 * 0.5 + 0.25 + 0.25 * 0.75, 12);
  });

  it('is 1 for equal traces, 0 if one is empty, and null if both are', () => {
    expect(scoreMetamorphicConsistency(letters('AB'), letters('AB'), categories).value).toBeCloseTo(1, 12);
    expect(scoreMetamorphicConsistency(letters('AB'), [], categories).value).toBe(0);
    expect(scoreMetamorphicConsistency([], [], categories)).toMatchObject({ value: null, reason: 'both-empty' });
  });

  it('treats tools that do not exist as equal only to themselves', () => {
    expect(scoreMetamorphicConsistency(['x'], ['y'], categories).parts.fa).toBe(0);
    expect(scoreMetamorphicConsistency(['x'], ['x'], categories).parts.fa).toBe(1);
    expect(scoreMetamorphicConsistency(['search'], ['A'], categories).parts.fa).toBe(0);
  });

  it('is symmetric and within 0..1', () => {
    const sequence = fc.array(fc.constantFrom('A', 'B', 'C', 'D'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const { value } = scoreMetamorphicConsistency(a, b, categories);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1 + 1e-12);
        expect(scoreMetamorphicConsistency(b, a, categories).value).toBe(value);
      }),
    );
  });
});
