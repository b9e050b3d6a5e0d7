import { expect, test } from 'vitest';
import { drawBySpread } from '#core/statistics/draw-by-spread.ts';
import { DrawnMean } from '#core/statistics/drawn-mean.ts';
import { makeRandom } from '#core/values/random.ts';

/** 60 units in -1..1, of which those with a large spread differ more. */
const units = Array.from({ length: 60 }, (_, unit) => {
  const random = makeRandom('unit', unit);
  const spread = random.next() < 0.5 ? 0.05 : 0.5;
  return { spread, value: random.next() < spread ? (random.next() < 0.7 ? 1 : -1) : 0 };
});
const truth = units.reduce((sum, { value }) => sum + value, 0) / units.length;

function drawMeans(seed: number, count: number) {
  const mean = new DrawnMean(units.length, 0.05);
  return drawBySpread(makeRandom(seed), units, ({ spread }) => spread, count).map(({ item, ...chances }) => {
    mean.add({ value: item.value, ...chances });
    return { estimate: mean.estimate ?? Number.NaN, ...mean.interval };
  });
}

test('the estimate after a fixed number of weighted draws is right on average', () => {
  const after20 = Array.from({ length: 1_000 }, (_, seed) => drawMeans(seed, 20)[19]?.estimate ?? Number.NaN);
  const average = after20.reduce((sum, each) => sum + each, 0) / after20.length;
  const spread = Math.sqrt(after20.reduce((sum, each) => sum + (each - average) ** 2, 0) / after20.length);
  expect(Math.abs(average - truth)).toBeLessThan((3 * spread) / Math.sqrt(after20.length));
  expect(spread).toBeGreaterThan(0.02);
});

test('each bound is ever wrong in at most the stated share of runs', () => {
  const runs = Array.from({ length: 200 }, (_, seed) => drawMeans(seed, units.length));
  expect(runs.filter((run) => run.some(({ low }) => low > truth + 1e-9)).length).toBeLessThanOrEqual(10);
  expect(runs.filter((run) => run.some(({ high }) => high < truth - 1e-9)).length).toBeLessThanOrEqual(10);
});

test('the bounds meet at the mean once all values are drawn, and exclude 0 before where values agree', () => {
  expect(drawMeans(1, units.length).at(-1)).toEqual({ estimate: truth, low: truth, high: truth });
  const all = new DrawnMean(100, 0.05);
  for (let n = 0; n < 10; n += 1) all.add({ value: 1, probability: 1 / (100 - n), leastProbability: 1 / (100 - n) });
  expect(all.interval.low).toBeGreaterThan(0.2);
  expect(all.interval.high).toBe(1);
});

test('a value outside of -1..1, or one more than there are, is refused', () => {
  const mean = new DrawnMean(1, 0.05);
  expect(() => mean.add({ value: 1.1, probability: 1, leastProbability: 1 })).toThrow('1.1 is not in -1..1');
  mean.add({ value: 0.5, probability: 1, leastProbability: 1 });
  expect(() => mean.add({ value: 0.5, probability: 1, leastProbability: 1 })).toThrow('there are only 1 values');
});

test('draws have the chances that they state', () => {
  const spreads = [1, 1, 2, 0];
  const counts = [0, 0, 0, 0];
  for (let seed = 0; seed < 4_000; seed += 1) {
    const [first] = drawBySpread(makeRandom(seed), [0, 1, 2, 3], (item) => spreads[item] ?? 0, 1);
    if (first === undefined) throw new Error('nothing was drawn');
    counts[first.item] = (counts[first.item] ?? 0) + 1;
    expect(first.probability).toBeCloseTo(0.125 + 0.125 * (spreads[first.item] ?? 0));
    expect(first.leastProbability).toBeCloseTo(0.125);
  }
  expect(counts.map((count) => Math.round(count / 40))).toEqual([
    expect.closeTo(25, -1),
    expect.closeTo(25, -1),
    expect.closeTo(38, -1),
    expect.closeTo(13, -1),
  ]);
});
