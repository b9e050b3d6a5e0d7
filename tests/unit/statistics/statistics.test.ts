import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { makeRandom } from '#core/values/random.ts';
import { bootstrapMeanInterval } from '#core/statistics/bootstrap.ts';
import { comparePasses, mcnemarExactPValue } from '#core/statistics/mcnemar.ts';
import { comparePairedUnitValues } from '#core/statistics/paired.ts';
import { passAtK, passHatK } from '#core/statistics/pass-at-k.ts';
import { summariseWithBootstrap, summariseColumnsTogether } from '#core/statistics/summary.ts';

const units = (values: readonly (number | null)[]) => new Map(values.map((value, i) => [`unit-${i}`, value] as const));
const noise = (key: string, n: number, mean: number): number[] => {
  const random = makeRandom(key);
  return Array.from({ length: n }, () => mean + random.next() - 0.5);
};

describe('bootstrap interval of a mean', () => {
  it('is determined by its random stream', () => {
    const values = noise('values', 40, 0.5);
    const again = (seed: string) => bootstrapMeanInterval(values, makeRandom(seed));
    expect(again('a')).toEqual(again('a'));
    expect(again('a')).not.toEqual(again('b'));
  });

  it('has the width that the standard error predicts', () => {
    const values = noise('width', 400, 0.5);
    const mean = values.reduce((sum, value) => sum + value, 0) / 400;
    const interval = bootstrapMeanInterval(values, makeRandom('width'));
    const half = 1.96 * Math.sqrt(1 / 12 / 400);
    expect(interval?.low).toBeGreaterThan(mean - half * 1.15);
    expect(interval?.low).toBeLessThan(mean - half * 0.85);
    expect(interval?.high).toBeGreaterThan(mean + half * 0.85);
    expect(interval?.high).toBeLessThan(mean + half * 1.15);
  });

  it('contains the truth in about 95% of 300 samples of 60', () => {
    const held = Array.from({ length: 300 }, (_, i) => {
      const interval = bootstrapMeanInterval(noise(`sample-${i}`, 60, 0.5), makeRandom('b', i), { resamples: 400 });
      return interval !== null && interval.low <= 0.5 && interval.high >= 0.5;
    }).filter(Boolean).length;
    expect(held / 300).toBeGreaterThan(0.9);
    expect(held / 300).toBeLessThan(0.985);
  });

  it('is null for fewer than two values, a point for equal values, and wider for more confidence', () => {
    expect(bootstrapMeanInterval([], makeRandom('x'))).toBeNull();
    expect(bootstrapMeanInterval([1], makeRandom('x'))).toBeNull();
    expect(bootstrapMeanInterval([0.5, 0.5, 0.5], makeRandom('x'))).toEqual({ low: 0.5, high: 0.5 });
    const values = noise('confidence', 30, 0);
    const of = (confidence: number) => bootstrapMeanInterval(values, makeRandom('c'), { confidence });
    expect(of(0.99)?.low).toBeLessThan(of(0.8)?.low ?? -Infinity);
  });

  it('lies within the values', () => {
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(values, fc.integer(), (list, seed) => {
        const interval = bootstrapMeanInterval(list, makeRandom(seed), { resamples: 50 });
        expect(interval?.low).toBeGreaterThanOrEqual(Math.min(...list) - 1e-12);
        expect(interval?.high).toBeLessThanOrEqual(Math.max(...list) + 1e-12);
        expect(interval?.low).toBeLessThanOrEqual(interval?.high ?? -Infinity);
      }),
      { numRuns: 40 },
    );
  });
});

describe('summary', () => {
  it('leaves out unscored values and counts them', () => {
    const { mean, n, unscored, low, high } = summariseWithBootstrap([1, null, 0, 0.5, null], makeRandom('s'));
    expect({ mean, n, unscored }).toEqual({ mean: 0.5, n: 3, unscored: 2 });
    expect(low).toBeLessThanOrEqual(0.5);
    expect(high).toBeGreaterThanOrEqual(0.5);
  });

  it('has no mean of nothing and no interval of one value', () => {
    expect(summariseWithBootstrap([null], makeRandom('s'))).toEqual({
      mean: null,
      low: null,
      high: null,
      n: 0,
      unscored: 1,
    });
    expect(summariseWithBootstrap([0.25], makeRandom('s'))).toEqual({
      mean: 0.25,
      low: null,
      high: null,
      n: 1,
      unscored: 0,
    });
  });
});

describe('summaries of several metrics over the same units', () => {
  const missing = Number.NaN;

  it('are those that each metric has alone with the same draws', () => {
    const columns = [noise('first', 50, 0.5), noise('second', 50, 0.2)];
    const together = summariseColumnsTogether(
      columns.map((values) => Float64Array.from(values)),
      makeRandom('s'),
    );
    expect(together).toEqual(columns.map((values) => summariseWithBootstrap(values, makeRandom('s'))));
  });

  it('leave out and count what is missing, and have no interval of fewer than two values', () => {
    const columns = [[1, missing, 0, 0.5, missing], [missing, missing, 0.25, missing, missing], Array(5).fill(missing)];
    const [some, one, none] = summariseColumnsTogether(
      columns.map((values) => Float64Array.from(values)),
      makeRandom('s'),
    );
    expect(some).toMatchObject({ mean: 0.5, n: 3, unscored: 2 });
    expect(some?.low).toBeGreaterThanOrEqual(0);
    expect(some?.high).toBeLessThanOrEqual(1);
    expect(one).toEqual({ mean: 0.25, low: null, high: null, n: 1, unscored: 4 });
    expect(none).toEqual({ mean: null, low: null, high: null, n: 0, unscored: 5 });
    expect(summariseColumnsTogether([], makeRandom('s'))).toEqual([]);
  });

  it('contain the truth in about 95% of 300 samples of 60 of which a third is missing', () => {
    const held = Array.from({ length: 300 }, (_, i) => {
      const values = noise(`holes-${i}`, 60, 0.5).map((value, at) => (at % 3 === 0 ? missing : value));
      const [found] = summariseColumnsTogether([Float64Array.from(values)], makeRandom('h', i));
      return (found?.low ?? Infinity) <= 0.5 && (found?.high ?? -Infinity) >= 0.5;
    }).filter(Boolean).length;
    expect(held / 300).toBeGreaterThan(0.9);
    expect(held / 300).toBeLessThan(0.985);
  });
});

describe('paired comparison', () => {
  const base = noise('base', 60, 0.5);

  it('detects a small shift within units despite a large spread between them', () => {
    const shift = noise('shift', 60, 0.1);
    const a = units(base.map((value, i) => value + (shift[i] ?? 0) * 0.3));
    const result = comparePairedUnitValues(a, units(base), makeRandom('p'));
    expect(result).toMatchObject({ n: 60, leftOut: 0, verdict: 'better' });
    expect(comparePairedUnitValues(units(base), a, makeRandom('p')).verdict).toBe('worse');
    expect(comparePairedUnitValues(a, units(base), makeRandom('p'), { lowerIsBetter: true }).verdict).toBe('worse');
  });

  it('shows no difference of an agent from itself or from noise', () => {
    expect(comparePairedUnitValues(units(base), units(base), makeRandom('p'))).toMatchObject({
      difference: 0,
      low: 0,
      high: 0,
      verdict: 'no-difference',
    });
    const other = units(base.map((value, i) => value + (i % 2 === 0 ? 0.1 : -0.1)));
    expect(comparePairedUnitValues(other, units(base), makeRandom('p')).verdict).toBe('no-difference');
  });

  it('uses only common units, and reports too few', () => {
    const a = new Map([
      ['x', 1],
      ['y', null],
      ['z', 0.5],
    ] as const);
    const b = new Map([
      ['x', 0],
      ['y', 1],
      ['w', 1],
    ] as const);
    expect(comparePairedUnitValues(a, b, makeRandom('p'))).toEqual({
      difference: 1,
      low: null,
      high: null,
      n: 1,
      leftOut: 3,
      detectable: null,
      verdict: 'insufficient-data',
    });
    expect(comparePairedUnitValues(units([1, 1, 1, 1, 1]), units([0, 0, 0, 0, 0]), makeRandom('p')).verdict).toBe(
      'insufficient-data',
    );
    expect(comparePairedUnitValues(units([1, 1, 1, 1, 1, 1]), units([0, 0, 0, 0, 0, 0]), makeRandom('p')).verdict).toBe(
      'better',
    );
    expect(comparePairedUnitValues(new Map(), new Map(), makeRandom('p'))).toMatchObject({ difference: null, n: 0 });
  });

  it('does not depend on the order of results', () => {
    const a = units(base);
    const b = units(noise('other', 60, 0.5));
    const turned = new Map([...a].toReversed());
    expect(comparePairedUnitValues(turned, b, makeRandom('p'))).toEqual(comparePairedUnitValues(a, b, makeRandom('p')));
  });
});

describe('exact McNemar', () => {
  it.each([
    [5, 15, 0.0413894653],
    [1, 9, 0.021484375],
    [0, 5, 0.0625],
    [0, 0, 1],
    [10, 10, 1],
    [0, 6, 0.03125],
  ])('of %i and %i is %d', (b, c, p) => {
    expect(mcnemarExactPValue(b, c)).toBeCloseTo(p, 10);
    expect(mcnemarExactPValue(c, b)).toBeCloseTo(p, 10);
  });

  it('does not underflow for many pairs', () => {
    expect(mcnemarExactPValue(2_000, 2_000)).toBe(1);
    expect(mcnemarExactPValue(1_900, 2_100)).toBeGreaterThan(0.001);
    expect(mcnemarExactPValue(1_900, 2_100)).toBeLessThan(0.003);
  });

  const results = (written: string) =>
    new Map(written.split('').map((mark, i) => [`a-${i}`, mark === '+' ? true : mark === '-' ? false : null] as const));

  it.each([
    { a: '++++++++++', b: '----------', verdict: 'better' },
    { a: '----------', b: '++++++++++', verdict: 'worse' },
    { a: '++++------', b: '----++++--', verdict: 'no-difference' },
    { a: '++++++++++', b: '++++++++++', verdict: 'no-difference' },
    { a: '++++++++++', b: '++++++----', verdict: 'insufficient-data' },
    { a: '+++++', b: '+++++', verdict: 'insufficient-data' },
    { a: '', b: '', verdict: 'insufficient-data' },
  ])('finds $a against $b: $verdict', ({ a, b, verdict }) => {
    expect(comparePasses(results(a), results(b)).verdict).toBe(verdict);
  });

  it('counts each kind of pair and those left out', () => {
    expect(comparePasses(results('++--+?'), results('+-+-?+'))).toMatchObject({
      both: 1,
      onlyA: 1,
      onlyB: 1,
      neither: 1,
      leftOut: 2,
    });
  });
});

describe('pass@k and pass^k', () => {
  it.each([
    { n: 5, c: 3, k: 2, at: 0.9, hat: 0.3 },
    { n: 5, c: 4, k: 3, at: 1, hat: 0.4 },
    { n: 5, c: 5, k: 5, at: 1, hat: 1 },
    { n: 5, c: 0, k: 1, at: 0, hat: 0 },
    { n: 4, c: 1, k: 1, at: 0.25, hat: 0.25 },
  ])('of $c passes in $n trials for k = $k', ({ n, c, k, at, hat }) => {
    expect(passAtK(n, c, k)).toBeCloseTo(at, 12);
    expect(passHatK(n, c, k)).toBeCloseTo(hat, 12);
  });

  it.each([
    [2, 1, 3],
    [0, 0, 1],
    [5, 3, 0],
    [5, 6, 2],
    [5, -1, 2],
    [5, 2.5, 2],
  ])('is null for %d trials, %d passes, k = %d', (n, c, k) => {
    expect(passAtK(n, c, k)).toBeNull();
    expect(passHatK(n, c, k)).toBeNull();
  });

  it('does not overflow', () => {
    expect(passAtK(5_000, 2_500, 1_000)).toBeCloseTo(1, 12);
  });
});
