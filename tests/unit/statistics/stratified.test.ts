import { describe, expect, test } from 'vitest';
import { upperTailOfNormal } from '#core/statistics/normal.ts';
import { stratifiedDifferenceWithChance } from '#core/statistics/stratified.ts';
import { makeRandom } from '#core/values/random.ts';

const times = (n: number, value: number) => Array.from({ length: n }, () => value);
const chanceOf = (...strata: { a: number[]; b: number[] }[]) =>
  stratifiedDifferenceWithChance(strata, makeRandom('strata'))?.chance ?? Number.NaN;

test('the upper tail of the normal distribution has the published values', () => {
  for (const [z, tail] of [
    [0, 0.5],
    [1, 0.158_655_254],
    [1.959_963_985, 0.025],
    [3.290_526_731, 0.0005],
    [5, 2.866_515_72e-7],
  ] as const)
    expect(upperTailOfNormal(z) / tail).toBeCloseTo(1, 5);
});

describe('the chance of a difference within strata', () => {
  test('is the share of deals that differ as much', () => {
    // Counts the 10 ways to choose 2 of 5: one gives both ones to b; none differs as much in the other direction.
    expect(chanceOf({ a: [0, 0, 0], b: [1, 1] })).toBeCloseTo(0.1, 1);
    expect(chanceOf({ a: [0, 0], b: [1, 1] })).toBeCloseTo(1 / 3, 1);
    expect(chanceOf({ a: [1, 1, 0], b: [1, 0, 1] })).toBe(1);
    expect(chanceOf({ a: times(18, 0), b: times(9, 1) })).toBeLessThan(0.000_1);
  });

  test('does not see a difference between strata', () => {
    const easyAndHard = [
      { a: times(20, 1), b: times(2, 1) },
      { a: times(2, 0), b: times(20, 0) },
    ];
    expect(stratifiedDifferenceWithChance(easyAndHard, makeRandom('strata'))).toEqual({
      sizes: { a: 22, b: 22 },
      means: { a: 0.5, b: 0.5 },
      chance: 1,
    });
  });

  test('counts only values that have a counterpart', () => {
    expect(stratifiedDifferenceWithChance([{ a: [1, 1], b: [] }], makeRandom('strata'))).toBeNull();
    expect(
      stratifiedDifferenceWithChance(
        [
          { a: [1, 1], b: [] },
          { a: [0.5], b: [0.5, 0] },
        ],
        makeRandom('strata'),
      ),
    ).toMatchObject({ sizes: { a: 1, b: 2 }, means: { a: 0.5, b: 0.25 } });
  });

  test('is nearly the same by redraws and by the approximation', () => {
    const values = makeRandom('values');
    const drawn = (n: number, more: number) => Array.from({ length: n }, () => values.next() + more);
    const few = { a: drawn(100, 0.1), b: drawn(90, 0) };
    // Another stratum without a difference makes them too many for redraws.
    const more = { a: times(20, 1), b: times(20, 1) };
    expect(Math.abs(chanceOf(few, more) - chanceOf(few))).toBeLessThan(0.01);
    expect(chanceOf({ a: drawn(300, 0), b: drawn(150, 0.5) })).toBeLessThan(1e-12);
    expect(chanceOf({ a: times(300, 1), b: times(150, 1) })).toBe(1);
  });

  test('is below one in a thousand for about one in a thousand agents that cannot tell the groups', () => {
    const values = makeRandom('honest');
    const drawn = (n: number) => Array.from({ length: n }, () => (values.next() < 0.7 ? 1 : values.next()));
    let found = 0;
    for (let agent = 0; agent < 3_000; agent += 1)
      if (chanceOf({ a: drawn(160), b: drawn(60) }, { a: drawn(40), b: drawn(20) }) <= 0.001) found += 1;
    expect(found).toBeLessThanOrEqual(10);
  });
});
