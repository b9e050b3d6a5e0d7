import { LowerBound, type BettingGame } from './lower-bound.ts';
import type { Interval } from './wilson.ts';

/** Bounds are multiples of this, of means in -1..1. */
const resolution = 0.001;

/**
 * The shares of its capital that the gambler bets, each with an equal part of the capital at the start. A large one soon shows
 * a large difference, a small one shows a small difference at all.
 */
const bets = [0.8, 0.47, 0.27, 0.16, 0.09];

/**
 * The 95% confidence sequence of a mean of values in -1..1 that are added one after another: with a probability of at least
 * 95% the mean lies in every interval that it ever gives, so one may look after each value and stop when one likes. The
 * values need the same mean, given those before them; they may have any distribution.
 *
 * A gambler bets that the mean is above m, in a game that is fair if it is m, so a capital of 2 / 0.05 refutes m and all
 * that is below (Ville 1939); another one bets on the other side. Source: Waudby-Smith and Ramdas 2023, "Estimating means of
 * bounded random variables by betting", hedged capital, with a mixture of constant bets, as in Cover's universal portfolio
 * (1991). Where values are 0 and 1 and differ rarely, as between two wordings, it needs fewer values than their
 * predictable plug-in bets.
 */
export class AnytimeMean {
  readonly #low: LowerBound<number>;
  readonly #high: LowerBound<number>;

  constructor(confidence = 0.95) {
    const refuting = Math.log(2 / (1 - confidence));
    this.#low = new LowerBound(makeGame(), refuting);
    this.#high = new LowerBound(makeGame(), refuting);
  }

  /** Adds a value, -1..1; throws for any other, because the interval would not hold. */
  add(value: number): void {
    if (!(value >= -1 && value <= 1)) throw new RangeError(`${value} is not in -1..1`);
    this.#low.add(value);
    this.#high.add(-value);
  }

  /** The intersection of the intervals so far; -1..1 before the first value. */
  get interval(): Interval {
    const low = this.#low.value;
    return { low, high: Math.max(low, -this.#high.value) };
  }
}

/** The game on a mean that all values have. Few of them differ, so each is kept with how often it came. */
function makeGame(): BettingGame<number> {
  const counts = new Map<number, number>();
  return {
    bets,
    resolution,
    remember: (value) => void counts.set(value, (counts.get(value) ?? 0) + 1),
    logGain,
    logCapital(bet, mean) {
      let log = 0;
      for (const [value, count] of counts) log += count * logGain(bet, value, mean);
      return log;
    },
  };
}

/** A bet of a share of the capital on a value above the mean; a value of -1 loses the share. */
const logGain = (share: number, value: number, mean: number): number =>
  Math.log1p((share * (value - mean)) / (mean + 1));
