import { expect, test } from 'vitest';
import {
  addBlock,
  anyRates,
  emptySeries,
  findRateRise,
  rareToUsual,
  withoutLastBlocks,
  type RateSeries,
} from '#core/statistics/rate-rise.ts';
import { makeRandom } from '#core/values/random.ts';

const seriesOf = (marks: readonly number[]): RateSeries =>
  marks.reduce((series, k) => addBlock(series, { n: 1, k }), emptySeries);
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

test('something that never happened and then always does is evidence that grows with each block, and its beginning is named', () => {
  const logs = [1, 2, 3, 4].map((ones) =>
    findRateRise(seriesOf([...zeros(60), ...Array.from({ length: ones }, () => 1)]), rareToUsual),
  );
  expect(logs.map(({ blocks }) => blocks)).toEqual([1, 2, 3, 4]);
  expect(logs[3]?.logEvidence).toBeGreaterThan(13);
  expect(logs[0]?.logEvidence).toBeLessThan(5);
});

test('the evidence for one rise is the marginal likelihood over the highest likelihood', () => {
  // One quiet block and one that is not, by hand: (10/10.5) (5/5.5) / (1/4).
  const { logEvidence } = findRateRise(seriesOf([0, 1]), rareToUsual);
  expect(logEvidence).toBeCloseTo(Math.log((10 / 10.5) * (5 / 5.5) * 4), 9);
});

test('a rate that falls, one that stays, and a series without a past are no evidence of a rise', () => {
  for (const marks of [[1, 1, 1, 0, 0, 0], [0, 0, 0], [1], []])
    expect(findRateRise(seriesOf(marks), rareToUsual).logEvidence).toBe(-Infinity);
});

test('old blocks count as a sum, and the last ones can be taken back', () => {
  const long = seriesOf([...zeros(200), 1, 1]);
  expect(long.recent).toHaveLength(60);
  expect(long.old).toEqual({ n: 142, k: 0 });
  expect(findRateRise(long, rareToUsual).blocks).toBe(2);
  expect(withoutLastBlocks(long, 2).recent.every(({ k }) => k === 0)).toBe(true);
});

test('a constant rate exceeds A within n blocks in fewer than n of A runs, whatever the rate and the blocks are', () => {
  const random = makeRandom('rate rise');
  const [runs, blocks, threshold] = [120, 120, 1_000];
  for (const [rate, size, priors] of [
    [0.02, 1, rareToUsual],
    [0.3, 1, rareToUsual],
    [0.3, 24, anyRates],
    [0.7, 24, anyRates],
  ] as const) {
    let exceeded = 0;
    for (let run = 0; run < runs; run += 1) {
      let series = emptySeries;
      for (let block = 0; block < blocks; block += 1) {
        const k = Array.from({ length: size }, () => random.next() < rate).filter(Boolean).length;
        series = addBlock(series, { n: size, k });
        if (findRateRise(series, priors).logEvidence < Math.log(threshold)) continue;
        exceeded += 1;
        break;
      }
    }
    expect(exceeded / runs).toBeLessThanOrEqual(blocks / threshold);
  }
});
