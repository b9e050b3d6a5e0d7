import { describe, expect, it } from 'vitest';
import { kendallTauB } from '#core/statistics/kendall.ts';

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
