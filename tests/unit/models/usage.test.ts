import { expect, test } from 'vitest';
import { costUsdOrZero } from '#core/models/prices.ts';
import { addUsage, noUsage, subtractUsage, sumUsageOfCalls, usage } from '#core/models/usage.ts';

const paid = { promptTokens: 100, completionTokens: 10, costUsd: 1 };

test('usage adds up what was cached, written and thought, and names each adaptation once', () => {
  const sum = sumUsageOfCalls([
    { ...paid, cachedTokens: 80, reasoningTokens: 4, adaptations: ['seed: none'] },
    { ...paid, cachedTokens: 10, cacheWriteTokens: 5, adaptations: ['parallelFlag: false', 'seed: none'] },
  ]);
  expect(sum).toEqual({
    calls: 2,
    promptTokens: 200,
    completionTokens: 20,
    cachedTokens: 90,
    cacheWriteTokens: 5,
    reasoningTokens: 4,
    costUsd: 2,
    adaptations: ['parallelFlag: false', 'seed: none'],
  });
  expect(usage.parse(sum)).toEqual(sum);
  expect(subtractUsage(addUsage(sum, sum), sum)).toEqual(sum);
});

test('usage of earlier releases has none of these, and keeps its form', () => {
  expect(sumUsageOfCalls([paid])).toEqual({ calls: 1, ...paid });
  expect(Object.keys(addUsage(noUsage, noUsage))).toEqual(Object.keys(noUsage));
});

test('tokens of a cache have their own prices, or that of the prompt', () => {
  const tokens = { promptTokens: 1_000_000, completionTokens: 0, cachedTokens: 500_000, cacheWriteTokens: 100_000 };
  const prices = { promptPricePerMTok: 10, completionPricePerMTok: 0 };
  expect(costUsdOrZero(tokens, prices)).toBe(10);
  expect(costUsdOrZero(tokens, { ...prices, cachedPricePerMTok: 1, cacheWritePricePerMTok: 12.5 })).toBeCloseTo(
    4 + 0.5 + 1.25,
  );
});
