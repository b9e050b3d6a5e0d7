import { describe, expect, test } from 'vitest';
import { AnytimeMean } from '#core/statistics/anytime-mean.ts';
import { comparePairedUnitValues } from '#core/statistics/paired.ts';
import {
  countUnitsForDifference,
  detectableBySequenceOrNull,
  detectableDifferenceOrNull,
  plannedDetectableDifferenceOrNull,
  powerForDifference,
} from '#core/statistics/power.ts';
import { makeRandom, type Random } from '#core/values/random.ts';

/** Differences of units that pass or fail, of which `differing` come out differently, with this mean. */
const drawDifferences = (random: Random, n: number, differing: number, mean: number): number[] =>
  Array.from({ length: n }, () => {
    if (random.next() >= differing) return 0;
    return random.next() < (1 + mean / differing) / 2 ? 1 : -1;
  });

/** The share of comparisons of so many units that show a difference. */
function shownShare(n: number, differing: number, mean: number, runs = 300): number {
  const random = makeRandom('power', n, differing, mean);
  let shown = 0;
  for (let run = 0; run < runs; run += 1) {
    const values = drawDifferences(random, n, differing, mean).map((value, at) => [`u${at}`, value] as const);
    const zeros = values.map(([unit]) => [unit, 0] as const);
    const { verdict } = comparePairedUnitValues(new Map(values), new Map(zeros), random, { resamples: 400 });
    if (verdict === 'better') shown += 1;
  }
  return shown / runs;
}

describe('the difference that units tell', () => {
  test('is shown by about four comparisons of five, for few units and many, for units that seldom or often differ', () => {
    for (const [n, differing] of [
      [30, 0.3],
      [100, 0.3],
      [100, 0.1],
      [300, 0.5],
    ] as const) {
      const difference = plannedDetectableDifferenceOrNull(n, differing) ?? 0;
      const shown = shownShare(n, differing, difference);
      // Bootstrap intervals of few units are a little too narrow, so they show a little more.
      expect([n, differing, shown >= 0.74 && shown <= 0.92, shown]).toEqual([n, differing, true, shown]);
      expect(shownShare(n, differing, difference / 2)).toBeLessThan(0.5);
    }
  });

  test('is 0.26 for 30 units of which three in ten differ, and nothing for five', () => {
    expect(plannedDetectableDifferenceOrNull(30)).toBeCloseTo(0.256, 3);
    expect(plannedDetectableDifferenceOrNull(5)).toBeNull();
    expect(detectableDifferenceOrNull([1, 0, 0, 1, 0])).toBeNull();
  });

  test('after the fact follows from how much the units differed, and from 3 / n where none did', () => {
    const values = drawDifferences(makeRandom('measured'), 400, 0.3, 0);
    expect(detectableDifferenceOrNull(values)).toBeCloseTo(plannedDetectableDifferenceOrNull(400) ?? 0, 1);
    expect(detectableDifferenceOrNull(new Array<number>(100).fill(0))).toBe(
      plannedDetectableDifferenceOrNull(100, 0.03),
    );
    // All differ alike: nothing is known of the spread.
    expect(detectableDifferenceOrNull(new Array<number>(6).fill(1))).toBe(plannedDetectableDifferenceOrNull(6, 0.5));
  });

  test('goes with the root of the units', () => {
    expect(countUnitsForDifference({ n: 100, detectable: 0.2 }, 0.1)).toBe(400);
    expect(countUnitsForDifference({ n: 100, detectable: 0.1 }, 0.9)).toBe(6);
  });
});

test('the power for a difference is the share of comparisons that show it', () => {
  const deviation = Math.sqrt(0.3 - 0.1 ** 2);
  for (const n of [40, 120, 250])
    expect(Math.abs(powerForDifference(0.1, n, deviation) - shownShare(n, 0.3, 0.1))).toBeLessThan(0.09);
  expect(powerForDifference(0.1, 5, deviation)).toBe(0);
  const told = plannedDetectableDifferenceOrNull(200) ?? 0;
  expect(powerForDifference(told, 200, Math.sqrt(0.3 - told ** 2))).toBeCloseTo(0.8, 1);
});

test('a confidence sequence shows the difference that it is said to tell in most runs, and half of it in few', () => {
  const sequenceOf = (values: readonly number[]) => {
    const sequence = new AnytimeMean();
    for (const value of values) sequence.add(value);
    return sequence.interval;
  };
  const random = makeRandom('sequence');
  const planned = drawDifferences(random, 200, 0.3, 0);
  const told = detectableBySequenceOrNull(sequenceOf(planned), planned) ?? 0;
  const shown = (mean: number): number =>
    Array.from({ length: 100 }, () => sequenceOf(drawDifferences(random, 200, 0.3, mean))).filter(({ low }) => low > 0)
      .length / 100;
  expect(shown(told)).toBeGreaterThan(0.7);
  expect(shown(told / 2)).toBeLessThan(0.4);
  expect(detectableBySequenceOrNull({ low: -1, high: 1 }, [0, 1])).toBeNull();
});
