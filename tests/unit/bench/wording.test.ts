import { describe, expect, it } from 'vitest';
import { chanceOf } from '../../../bench/wording/planted.ts';
import { simulate } from '../../../bench/wording/simulate.ts';

const stated = { units: 300, trials: 1, d: 0.05, runs: 100 };

describe('the comparison of two wordings, looked at after each unit', () => {
  it('finds a planted effect of 0.15 within 300 units in at least nine runs of ten, in either direction', () => {
    const better = simulate({ ...stated, effect: 0.15 });
    expect(better.improved).toBeGreaterThanOrEqual(0.9);
    expect(better.worse).toBe(0);
    expect(better.unitsToDecision).toBeLessThan(200);
    const worse = simulate({ ...stated, effect: -0.15 });
    expect(worse.worse).toBeGreaterThanOrEqual(0.9);
    expect(worse.improved).toBe(0);
  });

  it('finds an effect where there is none in at most one run of twenty', () => {
    const { improved, worse } = simulate({ ...stated, effect: 0 });
    expect(improved + worse).toBeLessThanOrEqual(0.05);
  });

  it('finds that there is no difference where agents seldom differ', () => {
    const found = simulate({ effect: 0, units: 400, trials: 3, d: 0.1, runs: 30 });
    expect(found.noDifference).toBeGreaterThan(0.9);
  });
});

describe('planted chances', () => {
  it.each([0.15, -0.15, 0])('differ by %s at every unit, and stay within 0..1', (effect) => {
    for (let unit = 0; unit < 500; unit += 1) {
      const [a, b] = [chanceOf({ effect, run: 'x' }, 'a', unit), chanceOf({ effect, run: 'x' }, 'b', unit)];
      expect(b - a).toBeCloseTo(effect, 10);
      expect(Math.min(a, b)).toBeGreaterThanOrEqual(0);
      expect(Math.max(a, b)).toBeLessThanOrEqual(1);
    }
  });
});
