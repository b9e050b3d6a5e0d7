import { expect, test } from 'vitest';
import { makeRandom } from '#core/values/random.ts';
import { unpairedMeanDifferenceWithInterval } from '#core/statistics/unpaired.ts';

const random = () => makeRandom('unpaired');

test('the unpaired difference is that of the means, with an interval', () => {
  const a = Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? 1 : 0.5));
  const b = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? 0.5 : 0));
  const { difference, low, high } = unpairedMeanDifferenceWithInterval(a, b, random());
  expect(difference).toBeCloseTo(0.5);
  // By the normal approximation: 1.96 * sqrt(0.0625 / 200 + 0.0625 / 100) = 0.060.
  expect(low).toBeCloseTo(0.44, 1.9);
  expect(high).toBeCloseTo(0.56, 1.9);
});

test('the unpaired difference has no interval for a single value, and is absent without values', () => {
  expect(unpairedMeanDifferenceWithInterval([1], [0, 0], random())).toEqual({ difference: 1, low: null, high: null });
  expect(unpairedMeanDifferenceWithInterval([], [0, 0], random())).toEqual({ difference: null, low: null, high: null });
});
