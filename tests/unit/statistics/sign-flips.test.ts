import { expect, test } from 'vitest';
import { SignFlips } from '#core/statistics/sign-flips.ts';
import { makeRandom } from '#core/values/random.ts';

/** Looks after every fourth of 100 values, of which some are 0 and others are not whole; returns what the test says at last. */
function testSigns(seed: number, positive: number): number {
  const random = makeRandom('signs', seed);
  const signs = new SignFlips(100, 0.05);
  for (let n = 1; n <= 100; n += 1) {
    const size = [0, 0.5, 1][random.below(3)] ?? 0;
    signs.add(random.next() < positive ? size : -size);
    if (n % 4 === 0) signs.look(n / 100);
  }
  return signs.side;
}
const runs = (count: number, positive: number): number[] =>
  Array.from({ length: count }, (_, seed) => testSigns(seed, positive));

test('signs that are chance are called more in at most the stated share of runs, on both sides together', () => {
  const found = runs(2_000, 0.5);
  const share = found.filter((side) => side !== 0).length / found.length;
  // Three standard errors above 0.05; below 0.03 most of the error would be wasted.
  expect(share).toBeLessThan(0.065);
  expect(share).toBeGreaterThan(0.03);
});

test('signs that mostly agree are found, on their side', () => {
  expect(runs(200, 0.9).every((side) => side === 1)).toBe(true);
  expect(runs(200, 0.1).every((side) => side === -1)).toBe(true);
});

test('values of 0 show nothing, and few values cannot', () => {
  const signs = new SignFlips(200, 0.05);
  for (let n = 0; n < 4; n += 1) signs.add(1);
  signs.look(1);
  expect(signs.side).toBe(0);
  for (let n = 0; n < 100; n += 1) signs.add(0);
  signs.look(1);
  expect(signs.side).toBe(0);
});
