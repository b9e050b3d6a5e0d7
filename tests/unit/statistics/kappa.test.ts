import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agreementShare, yesNoKappa, type Ratings } from '#core/statistics/kappa.ts';

const ratings = (both: number, first: number, second: number, neither: number): Ratings => ({
  both,
  first,
  second,
  neither,
});
const anyRatings: fc.Arbitrary<Ratings> = fc.record({
  both: fc.nat(1_000),
  first: fc.nat(1_000),
  second: fc.nat(1_000),
  neither: fc.nat(1_000),
});

describe('Cohen’s kappa', () => {
  it.each([
    // The example of the English Wikipedia, "Cohen's kappa".
    [ratings(20, 5, 10, 15), 0.7, 0.4],
    // Two more there, of equal accuracy.
    [ratings(45, 15, 25, 15), 0.6, 0.1304],
    [ratings(25, 35, 5, 35), 0.6, 0.2593],
    [ratings(5, 0, 0, 5), 1, 1],
    [ratings(0, 5, 5, 0), 0, -1],
    [ratings(1, 1, 1, 1), 0.5, 0],
    [ratings(3, 0, 2, 0), 0.6, 0],
  ])('for %j has accuracy %d and kappa %d', (given, expectedAccuracy, expected) => {
    expect(agreementShare(given)).toBeCloseTo(expectedAccuracy, 10);
    expect(yesNoKappa(given)).toBeCloseTo(expected, 4);
  });

  it('is unknown without cases, or if chance alone agrees on everything', () => {
    expect([agreementShare(ratings(0, 0, 0, 0)), yesNoKappa(ratings(0, 0, 0, 0))]).toEqual([null, null]);
    expect([yesNoKappa(ratings(7, 0, 0, 0)), yesNoKappa(ratings(0, 0, 0, 7))]).toEqual([null, null]);
    expect([agreementShare(ratings(7, 0, 0, 0)), agreementShare(ratings(0, 0, 0, 7))]).toEqual([1, 1]);
  });

  it('lies in -1..1, is 1 only if all agree, and is symmetric in raters and answers', () => {
    fc.assert(
      fc.property(anyRatings, ({ both, first, second, neither }) => {
        const value = yesNoKappa(ratings(both, first, second, neither));
        if (value === null) return expect(first + second).toBe(0);
        expect(value).toBeGreaterThanOrEqual(-1);
        expect(value).toBeLessThanOrEqual(1);
        expect(value === 1).toBe(first + second === 0);
        expect(yesNoKappa(ratings(both, second, first, neither))).toBeCloseTo(value, 12);
        expect(yesNoKappa(ratings(neither, first, second, both))).toBeCloseTo(value, 12);
      }),
    );
  });

  it('does not change if every case is counted several times', () => {
    fc.assert(
      fc.property(anyRatings, fc.integer({ min: 2, max: 9 }), (given, times) => {
        const more = ratings(given.both * times, given.first * times, given.second * times, given.neither * times);
        expect(yesNoKappa(more) ?? 2).toBeCloseTo(yesNoKappa(given) ?? 2, 12);
      }),
    );
  });
});
