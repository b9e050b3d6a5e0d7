import { LowerBound, type BettingGame } from './lower-bound.ts';
import type { Interval } from './wilson.ts';

/** Bounds are multiples of this, of means in -1..1. */
const resolution = 0.002;

/** The shares of its capital that a gambler bets, each with an equal part of the capital at the start. */
const bets = [0.9, 0.6, 0.35, 0.2];

/** A value that was drawn. */
export interface DrawnValue {
  /** -1..1. */
  readonly value: number;
  /** The chance with which it was drawn among those that were left; above 0. */
  readonly probability: number;
  /** The least chance that any of those had. */
  readonly leastProbability: number;
}

/** A draw as the bets see it. */
interface Round {
  /** The value over `left * probability`, whose expectation is the mean of those that were left. */
  readonly scaled: number;
  /** The largest absolute value that it could have had. */
  readonly most: number;
  /** How many were left, and the sum of those drawn before. */
  readonly left: number;
  readonly sumBefore: number;
}

/**
 * Bounds of the mean of `size` fixed values in -1..1 that are drawn one after another without replacement, each with a chance that may
 * depend on all that was seen before. Either bound is ever wrong with a probability of at most `error`, however often one looks. Once
 * all are drawn, both are the mean.
 *
 * A drawn value over its chance is right on average for the sum of those that were left, so bets on it are fair if the mean is m: a
 * capital of 1 / error refutes m. Sources: Shekhar, Xu, Lipton, Liang and Ramdas 2023, "Risk-limiting financial audits via weighted
 * sampling without replacement"; Waudby-Smith and Ramdas 2020, "Confidence sequences for sampling without replacement". The bets
 * are constant shares, mixed, as in `AnytimeMean`.
 */
export class DrawnMean {
  readonly #size: number;
  readonly #low: LowerBound<Round>;
  readonly #high: LowerBound<Round>;
  #drawn = 0;
  #sum = 0;
  #sumOfEstimates = 0;

  constructor(size: number, error: number) {
    const refuting = Math.log(1 / error);
    this.#size = size;
    this.#low = new LowerBound(makeGame(size), refuting);
    this.#high = new LowerBound(makeGame(size), refuting);
  }

  /** Adds a value; throws if it is not in -1..1, or if all are drawn, because the bounds would not hold. */
  add({ value, probability, leastProbability }: DrawnValue): void {
    if (!(value >= -1 && value <= 1)) throw new RangeError(`${value} is not in -1..1`);
    if (this.#drawn === this.#size) throw new RangeError(`there are only ${this.#size} values`);
    const left = this.#size - this.#drawn;
    const scaled = value / (left * probability);
    const most = 1 / (left * leastProbability);
    this.#sumOfEstimates += (this.#sum + scaled * left) / this.#size;
    this.#low.add({ scaled, most, left, sumBefore: this.#sum });
    this.#high.add({ scaled: -scaled, most, left, sumBefore: -this.#sum });
    this.#drawn += 1;
    this.#sum += value;
  }

  /** What the draws so far leave of -1..1. */
  get interval(): Interval {
    const mean = this.#sum / this.#size;
    const open = (this.#size - this.#drawn) / this.#size;
    if (open === 0) return { low: mean, high: mean };
    const low = Math.max(this.#low.value, mean - open);
    return { low, high: Math.max(low, Math.min(-this.#high.value, mean + open)) };
  }

  /**
   * The unbiased estimate of the mean, which may lie outside of -1..1; null before the first draw. It is the mean of what each draw says:
   * the sum of those before it, and its own value over its chance.
   */
  get estimate(): number | null {
    if (this.#drawn === 0) return null;
    return this.#drawn === this.#size ? this.#sum / this.#size : this.#sumOfEstimates / this.#drawn;
  }
}

/** The game on the mean of `size` values, of which a round shows one. */
function makeGame(size: number): BettingGame<Round> {
  const rounds: Round[] = [];
  const logGain = (share: number, { scaled, most, left, sumBefore }: Round, mean: number): number => {
    const expected = (size * mean - sumBefore) / left;
    // Those that were left cannot have a mean below -1.
    if (expected < -1) return Infinity;
    return Math.log1p((share * (scaled - expected)) / (expected + most));
  };
  return {
    bets,
    resolution,
    remember: (round) => void rounds.push(round),
    logGain,
    logCapital: (bet, mean) => rounds.reduce((sum, round) => sum + logGain(bet, round, mean), 0),
  };
}
