import { correctForReader } from '#core/statistics/true-share.ts';
import { makeRandom } from '#core/values/random.ts';
import { describe, expect, test } from 'vitest';

const of = (count: number, n: number) => ({ count, n });

describe('a share corrected for its reader', () => {
  test('is what Rogan and Gladen compute', () => {
    // (0.55 + 0.9 - 1) / (0.8 + 0.9 - 1)
    const { value } = correctForReader(0.55, 200, { sensitivity: of(80, 100), specificity: of(90, 100) }) ?? {};
    expect(value).toBeCloseTo(0.45 / 0.7, 12);
  });

  test('is the share that a reader without errors saw', () => {
    expect(correctForReader(0.3, 50, { sensitivity: of(70, 70), specificity: of(130, 130) })?.value).toBeCloseTo(0.3);
  });

  test('does not leave 0 to 1, and lies in its interval', () => {
    for (const seen of [0, 0.02, 0.5, 0.98, 1]) {
      const found = correctForReader(seen, 30, { sensitivity: of(60, 72), specificity: of(100, 132) });
      expect(found).not.toBeNull();
      const { value, low, high } = found ?? { value: -1, low: 0, high: 0 };
      expect([0 <= low, low <= value, value <= high, high <= 1]).toEqual([true, true, true, true]);
    }
  });

  test.each([
    ['always says yes', of(72, 72), of(0, 132)],
    ['tosses a coin', of(36, 72), of(66, 132)],
    ['was never measured', of(0, 0), of(0, 0)],
  ])('does not exist where the reader %s', (_, sensitivity, specificity) => {
    expect(correctForReader(0.5, 100, { sensitivity, specificity })).toBeNull();
  });

  test.each([
    [0.95, 0.9],
    [0.8, 0.85],
    [0.99, 0.7],
  ])('has the true share in its interval in 93%% of 200 runs, with a reader right on %d and %d', (se, sp) => {
    const random = makeRandom(7, 'true share');
    const draw = (n: number, p: number): number =>
      Array.from({ length: n }, () => random.next()).filter((x) => x < p).length;
    for (const share of [0.1, 0.4, 0.6, 0.9]) {
      const held = Array.from({ length: 200 }, () => {
        const seen = draw(100, share * se + (1 - share) * (1 - sp)) / 100;
        const found = correctForReader(seen, 100, {
          sensitivity: of(draw(72, se), 72),
          specificity: of(draw(132, sp), 132),
        });
        return found !== null && found.low <= share && share <= found.high;
      }).filter(Boolean).length;
      expect(held / 200, `a share of ${String(share)}`).toBeGreaterThanOrEqual(0.93);
    }
  });
});
