import { describe, expect, it } from 'vitest';
import { makeRandom } from '#core/values/random.ts';
import { makeBinomialDrawer } from '#core/statistics/binomial.ts';
import { chiSquareFits } from '../chi-square.ts';

describe('a binomial number', () => {
  it.each([
    [6, 0.5, [1, 6, 15, 20, 15, 6, 1]],
    [3, 0.1, [729, 243, 27, 1]],
    [4, 0.8, [1, 16, 96, 256, 256]],
  ])('of %i trials with probability %f is drawn as often as it is likely', (n, p, weights) => {
    const draw = makeBinomialDrawer(20, makeRandom(1, 'binomial'));
    const counts = weights.map(() => 0);
    for (let made = 0; made < 50_000; made += 1) {
      const drawn = draw(n, p);
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    expect(chiSquareFits(counts, weights)).toBe(true);
  });

  it('of many trials has the mean and the variance of the distribution', () => {
    const [n, p, draws] = [10_000, 0.3, 20_000];
    const draw = makeBinomialDrawer(n, makeRandom(2, 'binomial'));
    const drawn = Array.from({ length: draws }, () => draw(n, p));
    const mean = drawn.reduce((sum, each) => sum + each, 0) / draws;
    const variance = drawn.reduce((sum, each) => sum + (each - mean) ** 2, 0) / draws;
    // Four standard errors.
    expect(Math.abs(mean - n * p)).toBeLessThan(4 * Math.sqrt((n * p * (1 - p)) / draws));
    expect(variance / (n * p * (1 - p))).toBeCloseTo(1, 1);
  });

  it('is certain without trials and with certain ones', () => {
    const draw = makeBinomialDrawer(5, makeRandom(3, 'binomial'));
    expect([draw(0, 0.5), draw(5, 0), draw(5, 1)]).toEqual([0, 0, 5]);
  });
});
