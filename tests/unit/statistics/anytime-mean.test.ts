import { describe, expect, it } from 'vitest';
import { makeRandom, shuffle, type Random } from '#core/values/random.ts';
import { AnytimeMean } from '#core/statistics/anytime-mean.ts';

/** Draws -1, 0 or 1 with the probabilities of -1 and of 1. */
const discordant =
  (worse: number, better: number) =>
  (random: Random): number => {
    const drawn = random.next();
    return drawn < worse ? -1 : drawn < worse + better ? 1 : 0;
  };

/** Draws the difference of two shares of three trials. */
const threeTrials =
  (p: number, q: number) =>
  (random: Random): number => {
    const share = (of: number): number => [0, 1, 2].filter(() => random.next() < of).length / 3;
    return share(q) - share(p);
  };

/** The share of runs in which some interval, looked at after each value, missed the mean. */
function shareOfMisses(draw: (random: Random) => number, mean: number, values: number, runs: number): number {
  let missed = 0;
  for (let run = 0; run < runs; run += 1) {
    const random = makeRandom(run, 'coverage');
    const sequence = new AnytimeMean();
    for (let n = 0; n < values; n += 1) sequence.add(draw(random));
    // Intervals only get narrower, so the last one misses whatever an earlier one missed.
    const { low, high } = sequence.interval;
    if (low > mean || high < mean) missed += 1;
  }
  return missed / runs;
}

describe('the confidence sequence of a mean', () => {
  it.each<[string, (random: Random) => number, number]>([
    ['units that seldom differ', discordant(0.05, 0.05), 0],
    ['units that often differ', discordant(0.4, 0.4), 0],
    ['a difference of 0.15', discordant(0.1, 0.25), 0.15],
    ['nearly only improvements', discordant(0, 0.9), 0.9],
    ['three trials a unit', threeTrials(0.5, 0.6), 0.1],
    ['rare large losses', (random) => (random.next() < 0.02 ? -1 : 0.02), 0.98 * 0.02 - 0.02],
  ])('holds the mean at every look in nineteen of twenty runs with %s', (_what, draw, mean) => {
    expect(shareOfMisses(draw, mean, 200, 250)).toBeLessThanOrEqual(0.05);
  });

  it('holds the mean of a fixed set of units that are drawn without replacement, too', () => {
    const units = Array.from({ length: 200 }, (_, n) => (n < 40 ? 1 : n < 80 ? -1 : 0));
    let missed = 0;
    for (let run = 0; run < 250; run += 1) {
      const sequence = new AnytimeMean();
      for (const value of shuffle(makeRandom(run, 'fixed'), units)) sequence.add(value);
      if (sequence.interval.low > 0 || sequence.interval.high < 0) missed += 1;
    }
    expect(missed / 250).toBeLessThanOrEqual(0.05);
  });

  it('never gets wider, and narrows around a mean', () => {
    const random = makeRandom(1, 'narrow');
    const sequence = new AnytimeMean();
    expect(sequence.interval).toEqual({ low: -1, high: 1 });
    let before = sequence.interval;
    for (let n = 0; n < 2_000; n += 1) {
      sequence.add(discordant(0.1, 0.3)(random));
      const { low, high } = sequence.interval;
      expect(low).toBeGreaterThanOrEqual(before.low);
      expect(high).toBeLessThanOrEqual(before.high);
      before = { low, high };
    }
    expect(before.low).toBeGreaterThan(0.1);
    expect(before.high).toBeLessThan(0.3);
  });

  it('is the same for the mirrored values, mirrored', () => {
    const random = makeRandom(2, 'mirror');
    const [one, other] = [new AnytimeMean(), new AnytimeMean()];
    for (let n = 0; n < 100; n += 1) {
      const value = threeTrials(0.3, 0.7)(random);
      one.add(value);
      other.add(-value);
    }
    expect(other.interval).toEqual({ low: -one.interval.high, high: -one.interval.low });
  });

  it('rules out every mean that a gambler with its bets would have refuted, and no other', () => {
    // After n zeros, a bet of c against the mean m has won 1 - c m / (m + 1) to the power of n, for m below 0.
    const sequence = new AnytimeMean();
    for (let n = 0; n < 100; n += 1) sequence.add(0);
    const capital = (m: number): number =>
      [0.8, 0.47, 0.27, 0.16, 0.09].reduce((sum, bet) => sum + (1 - (bet * m) / (m + 1)) ** 100 / 5, 0);
    const { low, high } = sequence.interval;
    expect(high).toBeCloseTo(-low, 10);
    expect(capital(low)).toBeGreaterThanOrEqual(40);
    expect(capital(low + 0.001)).toBeLessThan(40);
  });

  it('takes values between -1 and 1 only', () => {
    const sequence = new AnytimeMean();
    for (const value of [-1.01, 1.01, Number.NaN]) expect(() => sequence.add(value)).toThrow(RangeError);
    sequence.add(-1);
    sequence.add(1);
  });
});
