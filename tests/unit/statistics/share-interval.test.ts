import { describe, expect, it } from 'vitest';
import { meanShareInterval } from '#core/statistics/share-interval.ts';

const sharesOf = (ones: number, n: number): number[] => Array.from({ length: n }, (_, at) => (at < ones ? 1 : 0));

describe('the interval of a mean of shares', () => {
  it('is close to the score interval of a proportion where each unit has one trial', () => {
    // Wilson's interval of 81 of 263 is 0.2553 to 0.3662 (Newcombe 1998, table I, method 3).
    const found = meanShareInterval(sharesOf(81, 263));
    expect(found?.low).toBeCloseTo(0.2553, 2);
    expect(found?.high).toBeCloseTo(0.3662, 2);
  });

  it('has a width where all units are equal', () => {
    expect(meanShareInterval(sharesOf(0, 20))).toEqual({ low: 0, high: expect.closeTo(0.18, 2) });
    expect(meanShareInterval(sharesOf(8, 8))).toEqual({ low: expect.closeTo(0.59, 2), high: 1 });
  });

  it('is narrower where several trials a unit agree on the mean, and wider where units differ as whole ones', () => {
    const width = (shares: readonly number[]): number => {
      const { low = 0, high = 0 } = meanShareInterval(shares) ?? {};
      return high - low;
    };
    const alike = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 0.4 : 0.6));
    expect(width(alike)).toBeLessThan(width(sharesOf(10, 20)) / 2);
  });

  it('is null for fewer than two units', () => {
    expect(meanShareInterval([1])).toBeNull();
    expect(meanShareInterval([])).toBeNull();
  });
});
