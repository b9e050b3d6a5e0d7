import { describe, expect, it } from 'vitest';
import { kendallPValueOrNull, kendallTauB } from '#core/statistics/kendall.ts';

describe("Kendall's tau-b", () => {
  it('is 1 for the same order, -1 for the reverse, whatever the distances', () => {
    expect(kendallTauB([1, 2, 3, 4], [0, 10, 11, 90])).toBe(1);
    expect(kendallTauB([1, 2, 3, 4], [4, 3, 2, 1])).toBe(-1);
  });

  it('counts swapped pairs, by hand: one of six', () => {
    expect(kendallTauB([1, 2, 3, 4], [2, 1, 3, 4])).toBeCloseTo(4 / 6, 12);
  });

  it('takes ties out of both counts, by hand: (5 - 0) / sqrt(5 * 6)', () => {
    expect(kendallTauB([1, 1, 2, 3], [1, 2, 3, 4])).toBeCloseTo(5 / Math.sqrt(30), 12);
  });

  it('is unknown where one list has only one value', () => {
    expect([kendallTauB([1, 1], [1, 2]), kendallTauB([1], [1]), kendallTauB([], [])]).toEqual([null, null, null]);
  });
});

describe('the p-value of tau-b', () => {
  it('is exact for few things, by hand: 2 of 24 orders have all pairs alike or all reversed, 8 at least five of six', () => {
    expect(kendallPValueOrNull([1, 2, 3, 4], [1, 2, 3, 4])).toBeCloseTo(2 / 24, 12);
    expect(kendallPValueOrNull([1, 2, 3, 4], [2, 1, 3, 4])).toBeCloseTo(8 / 24, 12);
    expect(kendallPValueOrNull([1, 2], [2, 1])).toBe(1);
  });

  it('is that of LiveMCPBench (Tables 2 and 4: twelve agents under two judges, tau-b 0.8837, p 0.00008)', () => {
    const here = [78.95, 70.53, 52.63, 48.42, 48.42, 45.26, 44.21, 43.16, 42.11, 41.05, 38.95, 30.53];
    const there = [77.89, 64.21, 51.58, 40, 37.89, 40, 31.58, 38.95, 31.58, 29.79, 27.37, 25.26];
    expect(kendallTauB(here, there)).toBeCloseTo(0.8837, 4);
    expect(kendallPValueOrNull(here, there)).toBeCloseTo(0.00008, 5);
  });

  it('is unknown where tau-b is', () => {
    expect([kendallPValueOrNull([1, 1], [1, 2]), kendallPValueOrNull([], [])]).toEqual([null, null]);
  });
});
