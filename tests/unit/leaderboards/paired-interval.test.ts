import { describe, expect, it } from 'vitest';
import {
  isTieOrTooFewUnits,
  pairedMeanDifferenceWithInterval,
  toFloat32ArrayWithNaNForNull,
} from '#core/leaderboards/paired-interval.ts';

// Gosset's hours of sleep gained with two drugs, ten patients (Student 1908); R's `sleep`.
const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
const none = Number.NaN;

describe('the paired difference', () => {
  it("equals R's t.test(extra ~ group, paired = TRUE) for the sleep data", () => {
    const { difference, low, high, units } = pairedMeanDifferenceWithInterval(first, second);
    expect(units).toBe(10);
    expect(difference).toBeCloseTo(-1.58, 12);
    expect(low).toBeCloseTo(-2.459_885_8, 3);
    expect(high).toBeCloseTo(-0.700_114_2, 3);
    expect(isTieOrTooFewUnits(first, second)).toBe(false);
  });

  it('changes its sign when the sides are swapped', () => {
    const there = pairedMeanDifferenceWithInterval(first, second);
    const back = pairedMeanDifferenceWithInterval(second, first);
    expect(back.difference).toBeCloseTo(-(there.difference ?? none), 12);
    expect(back.low).toBeCloseTo(-(there.high ?? none), 12);
    expect(back.high).toBeCloseTo(-(there.low ?? none), 12);
  });

  it('covers the units for which both have a value', () => {
    const a = [...first, none, 5, none];
    const b = [...second, 5, none, none];
    expect(pairedMeanDifferenceWithInterval(a, b)).toEqual(pairedMeanDifferenceWithInterval(first, second));
  });

  it('has no interval without two common units', () => {
    expect(pairedMeanDifferenceWithInterval([none, 1], [1, none])).toEqual({
      difference: null,
      low: null,
      high: null,
      units: 0,
    });
    expect(pairedMeanDifferenceWithInterval([1], [0.5])).toEqual({ difference: 0.5, low: null, high: null, units: 1 });
    expect(isTieOrTooFewUnits([], [])).toBe(true);
  });

  it('is a point if all differences are equal', () => {
    expect(pairedMeanDifferenceWithInterval([3, 4, 5], [1, 2, 3])).toEqual({
      difference: 2,
      low: 2,
      high: 2,
      units: 3,
    });
  });

  it('counts as a tie with five units or fewer', () => {
    expect(isTieOrTooFewUnits([1, 1, 1, 1, 1], [0, 0, 0, 0, 0])).toBe(true);
    expect(isTieOrTooFewUnits([1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0])).toBe(false);
    expect(isTieOrTooFewUnits([1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1])).toBe(true);
  });

  it('treats null as no value', () => {
    expect([...toFloat32ArrayWithNaNForNull([0.5, null, 1])]).toEqual([0.5, none, 1]);
  });
});
