import { describe, expect, it } from 'vitest';

import { type Abundance, makeAbundanceFromCounts, abundanceAfterChanges } from '#core/statistics/richness/abundance.ts';
import { biasCorrectedChao1, chao1WithInterval } from '#core/statistics/richness/chao1.ts';
import { z95 } from '#core/statistics/normal.ts';
import { normalQuantile } from '../../../bench/shared/normal-quantile.ts';
import {
  anytimeZ,
  anytimeLowerBoundOfFoundShare,
  designEffect,
  countLooksAllowedByProbes,
  noClusters,
  computeFoundShareWithIntervalOrNull,
  sumsWithProbeAddedOrRemoved,
} from '#core/statistics/richness/probe-coverage.ts';
import { makeRandom } from '#core/values/random.ts';
import { sampleCoverage } from '#core/statistics/richness/sample-coverage.ts';
import { studentQuantileOfNormal } from '#core/statistics/student.ts';
import { wilsonInterval } from '#core/statistics/wilson.ts';

import { table5 } from './table-5.ts';

const rare = (S: number, f1: number, f2: number, f3 = 0): Abundance => ({
  S,
  n: S + f2 + 2 * f3,
  f: new Map([
    [1, f1],
    [2, f2],
    [3, f3],
  ]),
});

describe('Chao1', () => {
  it.each(table5.map((row, index) => ({ batch: index + 1, row })))('gives batch $batch of Table 5', ({ row }) => {
    const [S, printed, f1, f2, f3, f1f3, f2f3] = row;
    expect(Math.abs(chao1WithInterval(rare(S, f1, f2, f3)).estimate - printed)).toBeLessThanOrEqual(0.01);
    expect(Math.abs(f1 / f3 - f1f3)).toBeLessThanOrEqual(0.01);
    expect(Math.abs(f2 / f3 - f2f3)).toBeLessThanOrEqual(0.01);
  });

  it('gives the standard error and the interval of batch 31', () => {
    const { standardError, low, high } = chao1WithInterval(rare(827, 449, 195, 69));
    expect(standardError).toBeCloseTo(65.33, 2);
    expect(low).toBeCloseTo(1230.9, 1);
    expect(high).toBeCloseTo(1488.6, 1);
  });

  it('has the plateau of batches 25 to 31 and the share in the paper', () => {
    const estimates = table5.slice(24).map(([S, , f1, f2]) => chao1WithInterval(rare(S, f1, f2)).estimate);
    const mean = estimates.reduce((sum, estimate) => sum + estimate, 0) / estimates.length;
    expect(mean).toBeCloseTo(1341.08, 2);
    expect(1080 / 1341).toBeCloseTo(0.8054, 4);
  });

  it.each([
    { counts: [0, 1, 1, 4, 2, 5, 2, 4, 1, 2], estimate: 10.5 },
    { counts: [4, 5, 1, 1, 2, 0, 0, 1, 3, 0, 8, 45, 23], estimate: 14.5 },
    { counts: [4, 5, 0, 0, 2, 0, 0, 0, 3, 0, 8, 45, 23], estimate: 7 },
    { counts: [1, 0, 3, 2, 6], estimate: 4.5 },
    { counts: [1, 1, 1, 1], estimate: 10 },
    { counts: [], estimate: 0 },
  ])('estimates $estimate classes from $counts', ({ counts, estimate }) => {
    expect(chao1WithInterval(makeAbundanceFromCounts(counts)).estimate).toBe(estimate);
  });

  it('has a bias-corrected form', () => {
    const { S, f } = makeAbundanceFromCounts([0, 1, 1, 4, 2, 5, 2, 4, 1, 2]);
    expect(biasCorrectedChao1(S, f.get(1) ?? 0, f.get(2) ?? 0)).toBe(9.75);
  });

  it('agrees with EstimateS where there are no doubletons, and where there are no singletons', () => {
    const noDoubletons = chao1WithInterval(makeAbundanceFromCounts([0, 1, 1, 4, 5]));
    expect(noDoubletons.low).toBeCloseTo(4.08, 2);
    expect(noDoubletons.high).toBeCloseTo(17.27, 2);
    const noSingletons = chao1WithInterval(makeAbundanceFromCounts([0, 2, 2, 4, 5]));
    expect(noSingletons.low).toBe(4);
    expect(noSingletons.high).toBeCloseTo(4.95, 2);
  });

  it('never has an empty interval or one below S', () => {
    for (const counts of [[1], [2], [1, 2], [1, 1], [2, 2, 3], [50], [1, 50]]) {
      const { estimate, low, high } = chao1WithInterval(makeAbundanceFromCounts(counts));
      expect(low).toBeGreaterThanOrEqual(counts.length);
      expect(high).toBeGreaterThanOrEqual(low);
      expect(high).toBeGreaterThanOrEqual(estimate);
    }
  });
});

describe('abundance', () => {
  it('follows changes like a recount', () => {
    const before = makeAbundanceFromCounts([1, 1, 2, 5]);
    const after = abundanceAfterChanges(before, [
      { before: 0, after: 1 },
      { before: 1, after: 3 },
      { before: 2, after: 2 },
      { before: 5, after: 6 },
    ]);
    expect(after).toEqual(makeAbundanceFromCounts([1, 1, 3, 2, 6]));
    expect(before).toEqual(makeAbundanceFromCounts([1, 1, 2, 5]));
  });
});

describe('sample coverage', () => {
  it.each([
    // n, f1, f2 -> by hand from Chao & Jost 2012, eq. 4a
    { counts: [1, 1, 2, 3, 3], coverage: 1 - (2 / 10) * (18 / (18 + 2)) },
    { counts: [1, 1, 3, 5], coverage: 1 - (2 / 10) * (9 / (9 + 2)) },
    { counts: [2, 2], coverage: 1 },
    { counts: [], coverage: 0 },
  ])('is $coverage for $counts', ({ counts, coverage }) => {
    expect(sampleCoverage(makeAbundanceFromCounts(counts))).toBeCloseTo(coverage, 12);
  });
});

describe('Wilson interval', () => {
  it.each([
    { hits: 8, n: 10, low: 0.490162, high: 0.943318 },
    { hits: 67, n: 95, low: 0.607051, high: 0.787521 },
    { hits: 0, n: 10, low: 0, high: 0.277533 },
    { hits: 10, n: 10, low: 1 - 0.277533, high: 1 },
  ])('contains $hits of $n', ({ hits, n, low, high }) => {
    const interval = wilsonInterval(hits / n, n, z95);
    expect(interval.low).toBeCloseTo(low, 6);
    expect(interval.high).toBeCloseTo(high, 6);
  });

  it('is absent without trials', () => {
    expect(wilsonInterval(0, 0, z95)).toEqual({ low: 0, high: 1 });
  });
});

describe('normal quantile', () => {
  it.each([
    [0.975, 1.959963984540054],
    [0.5, 0],
    [0.25, -0.6744897501960817],
    [0.001, -3.090232306167813],
    [1e-20, -9.262340089798408],
  ])('of %d is %d', (p, z) => {
    expect(Math.abs(normalQuantile(p) - z)).toBeLessThanOrEqual(1e-14 * Math.max(1, Math.abs(z)));
  });

  it('gives the constant for intervals of 95%', () => {
    expect(normalQuantile(0.975)).toBe(z95);
  });

  it('is infinite at its limits', () => {
    expect(normalQuantile(0)).toBe(-Infinity);
    expect(normalQuantile(1)).toBe(Infinity);
  });
});

describe('Student quantile', () => {
  it.each([
    [5, 2.570582],
    [9, 2.262157],
    [29, 2.04523],
    [1_000_000, 1.959966],
  ])('with %d degrees of freedom is %d', (freedom, t) => {
    expect(Math.abs(studentQuantileOfNormal(z95, freedom) / t - 1)).toBeLessThanOrEqual(2e-3);
  });
});

describe('probe coverage', () => {
  const of = (...probes: [size: number, found: number][]) =>
    probes.reduce((sums, [size, found]) => sumsWithProbeAddedOrRemoved(sums, size, found), noClusters);

  it('removes a cluster exactly as it was added', () => {
    const sums = of([3, 1], [5, 5]);
    expect(sumsWithProbeAddedOrRemoved(sumsWithProbeAddedOrRemoved(sums, 4, 2), 4, 2, -1)).toEqual(sums);
    expect(sumsWithProbeAddedOrRemoved(sums, 0, 0)).toBe(sums);
  });

  it('inflates the variance by the effect of shared probes', () => {
    // Probes of 4 that are known wholly or not at all: each is one observation, so about 4 (n/(n-1) on top).
    expect(designEffect(of([4, 4], [4, 0], [4, 4], [4, 0]))).toBeCloseTo((4 * 4) / 3, 10);
    // Probes that vary less than chance would have them are not taken for more than they are.
    expect(designEffect(of([4, 2], [4, 2], [4, 2]))).toBe(1);
    expect(designEffect(of([4, 4], [4, 4]))).toBe(1);
    expect(designEffect(of([4, 3]))).toBe(4);
  });

  it('gives the share with an interval, and none without transitions', () => {
    expect(computeFoundShareWithIntervalOrNull(noClusters)).toBeNull();
    expect(computeFoundShareWithIntervalOrNull(of([4, 3]))).toMatchObject({ value: 0.75, low: 0, high: 1 });
    const share = computeFoundShareWithIntervalOrNull(of([4, 3], [3, 2], [5, 5], [4, 1], [3, 3]));
    expect(share?.value).toBeCloseTo(14 / 19, 12);
    expect(share?.low).toBeLessThan(14 / 19);
    expect(share?.high).toBeGreaterThan(14 / 19);
  });

  it('has a lower bound at 10 probes and then at a fifth more each time', () => {
    expect([0, 9, 10, 11, 12, 15, 18, 60, 922, 5_000].map(countLooksAllowedByProbes)).toEqual([
      0, 0, 1, 1, 2, 3, 4, 10, 25, 25,
    ]);
    const sums = of(...Array.from({ length: 20 }, (_, i): [number, number] => [4, i % 4 === 0 ? 3 : 4]));
    expect(anytimeLowerBoundOfFoundShare(sums)).toBeGreaterThan(0.5);
    expect(anytimeLowerBoundOfFoundShare(sums)).toBeLessThan(computeFoundShareWithIntervalOrNull(sums)?.low ?? 0);
    expect(anytimeLowerBoundOfFoundShare(noClusters)).toBe(0);
  });

  it('exceeds its quantile at one of its looks in a twentieth of all sequences', () => {
    const random = makeRandom('sums at looks');
    const at = Array.from({ length: 1_000 }, (_, i) => i + 1).filter(
      (probes) => countLooksAllowedByProbes(probes) > countLooksAllowedByProbes(probes - 1),
    );
    const runs = 20_000;
    let exceeded = 0;
    for (let run = 0; run < runs; run++) {
      let [sum, probes] = [0, 0];
      let over = false;
      for (const look of at) {
        sum += normalQuantile(random.next() + 2 ** -54) * Math.sqrt(look - probes);
        probes = look;
        over ||= sum > anytimeZ * Math.sqrt(look);
      }
      if (over) exceeded += 1;
    }
    // Three standard errors.
    expect(Math.abs(exceeded / runs - 0.05)).toBeLessThan(0.0047);
  });
});
