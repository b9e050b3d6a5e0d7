import type { Interval } from './wilson.ts';

/** Bounds are multiples of this, of means in -1..1. */
const resolution = 0.001;
const mostSteps = 2 / resolution;

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
  readonly #low: LowerBound;
  readonly #high: LowerBound;

  constructor(confidence = 0.95) {
    const refuting = Math.log(2 / (1 - confidence));
    this.#low = new LowerBound(refuting);
    this.#high = new LowerBound(refuting);
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

/** The largest mean so far that is refuted, with all below it. */
class LowerBound {
  readonly #refuting: number;
  readonly #counts = new Map<number, number>();
  #steps = 0;
  /** Logarithms of the capital by bet against the next mean above the bound. */
  #capital = bets.map(() => 0);

  constructor(refuting: number) {
    this.#refuting = refuting;
  }

  get value(): number {
    return candidateMeanOfStep(this.#steps);
  }

  add(value: number): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
    if (this.#steps === mostSteps) return;
    const next = candidateMeanOfStep(this.#steps + 1);
    this.#capital = this.#capital.map((log, index) => log + logGain(bets[index] ?? 0, value, next));
    if (this.#refutes(this.#capital)) this.#raise();
  }

  /** Searches for the largest refuted mean by halving, because a larger mean is harder to refute. */
  #raise(): void {
    let refuted = this.#steps + 1;
    let open = mostSteps + 1;
    while (open - refuted > 1) {
      const middle = Math.floor((refuted + open) / 2);
      if (this.#refutes(this.#logCapitalsAgainstMean(candidateMeanOfStep(middle)))) refuted = middle;
      else open = middle;
    }
    this.#steps = refuted;
    this.#capital = this.#logCapitalsAgainstMean(candidateMeanOfStep(Math.min(mostSteps, refuted + 1)));
  }

  #refutes(capital: readonly number[]): boolean {
    const most = Math.max(...capital);
    const sum = capital.reduce((total, log) => total + Math.exp(log - most), 0);
    return most + Math.log(sum / bets.length) >= this.#refuting;
  }

  #logCapitalsAgainstMean(mean: number): number[] {
    return bets.map((bet) => {
      let log = 0;
      for (const [value, count] of this.#counts) log += count * logGain(bet, value, mean);
      return log;
    });
  }
}

const candidateMeanOfStep = (steps: number): number => (steps - mostSteps / 2) / (mostSteps / 2);

/** A bet of a share of the capital on a value above the mean; a value of -1 loses the share. */
const logGain = (share: number, value: number, mean: number): number =>
  Math.log1p((share * (value - mean)) / (mean + 1));
