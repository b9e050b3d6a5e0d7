import { expect, test } from 'vitest';
import { growthOf, steadyGrowthOf, type MemorySample } from '#core/reports/check/probes/memory-growth.ts';

/** Looks after each ten calls, from the twentieth on. */
const samplesOf = (megabytes: readonly number[]): MemorySample[] =>
  megabytes.map((each, index) => ({ calls: 20 + 10 * index, megabytes: each }));
const line = (count: number, perSample: number): number[] =>
  Array.from({ length: count }, (_, index) => 50 + index * perSample);

test('memory that grows by the same with each call leaks', () => {
  expect(growthOf(samplesOf(line(8, 30)))).toBeCloseTo(3);
  expect(growthOf(samplesOf(line(40, 5)))).toBeCloseTo(0.5);
});

test('growth of less than 0.5 MB a call is no leak, however much it becomes', () => {
  expect(growthOf(samplesOf(line(80, 4)))).toBeNull();
});

test('little growth is steady, and no leak yet', () => {
  const samples = samplesOf(line(8, 6));
  expect(steadyGrowthOf(samples)).toBeCloseTo(0.6);
  expect(growthOf(samples)).toBeNull();
});

test('memory that levels off is no leak', () => {
  expect(growthOf(samplesOf([50, 120, 190, 240, 260, 262, 262, 263, 262]))).toBeNull();
});

test('memory that comes back when the collector runs is no leak', () => {
  expect(growthOf(samplesOf([50, 90, 130, 170, 60, 100, 140, 180, 70, 110, 260]))).toBeNull();
});

test('the curves of Node.js processes that keep nothing are no leaks', () => {
  const buffers = [56, 68, 82, 94, 106, 55, 68, 80, 92, 104, 116, 115, 115, 116, 116, 116, 120, 120, 120, 120];
  const objects = [121, 141, 152, 160, 189, 192, 198, 204, 208, 214, 222, 223, 221, 224, 226, 223, 225, 228, 225, 223];
  for (const curve of [buffers, objects])
    for (let length = 1; length <= curve.length; length += 1)
      expect(growthOf(samplesOf(curve.slice(0, length)))).toBeNull();
});

test('too few looks say nothing', () => {
  expect(growthOf([])).toBeNull();
  expect(growthOf(samplesOf([50, 1000]))).toBeNull();
});
