import { expect, test } from 'vitest';
import { backoffMs } from '#core/values/backoff.ts';

const backoff = { firstMs: 100, longestMs: 1_000 };

test('the wait doubles with every failure up to the longest', () => {
  expect([1, 2, 3, 4, 5, 60].map((failures) => backoffMs(backoff, failures))).toEqual([
    100, 200, 400, 800, 1_000, 1_000,
  ]);
});

test('jitter shortens the wait by no more than half', () => {
  expect([0, 0.5, 1].map((random) => backoffMs(backoff, 2, random))).toEqual([200, 150, 100]);
});
