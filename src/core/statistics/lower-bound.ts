/** A game of bets on values that is fair if their mean is some m, and says by the capital that it gives which m the values refute. */
export interface BettingGame<Value> {
  /** The shares of the capital that are bet, each with an equal part of the capital at the start. */
  readonly bets: readonly number[];
  /** Bounds are multiples of this, of means in -1..1. */
  readonly resolution: number;
  /** Keeps a value, for `logCapital`. */
  remember(value: Value): void;
  /** The logarithm of what a bet on one value makes of its capital, if the mean is `mean`; Infinity if that cannot be. */
  logGain(bet: number, value: Value, mean: number): number;
  /** The same for all values so far. */
  logCapital(bet: number, mean: number): number;
}

/** The largest mean so far that the capital of a game refutes, with all below it (Ville 1939). */
export class LowerBound<Value> {
  readonly #game: BettingGame<Value>;
  readonly #mostSteps: number;
  readonly #refuting: number;
  #steps = 0;
  /** Logarithms of the capital by bet against the next mean above the bound. */
  #capital: readonly number[];

  /** `refuting` is the logarithm of the capital, as a multiple of that at the start, which refutes a mean. */
  constructor(game: BettingGame<Value>, refuting: number) {
    this.#game = game;
    this.#mostSteps = Math.round(2 / game.resolution);
    this.#refuting = refuting;
    this.#capital = game.bets.map(() => 0);
  }

  get value(): number {
    return this.#meanOfStep(this.#steps);
  }

  add(value: Value): void {
    this.#game.remember(value);
    if (this.#steps === this.#mostSteps) return;
    const next = this.#meanOfStep(this.#steps + 1);
    this.#capital = this.#game.bets.map(
      (bet, index) => (this.#capital[index] ?? 0) + this.#game.logGain(bet, value, next),
    );
    if (this.#refutes(this.#capital)) this.#raise();
  }

  /** Searches for the largest refuted mean by halving, because a larger mean is harder to refute. */
  #raise(): void {
    let refuted = this.#steps + 1;
    let open = this.#mostSteps + 1;
    while (open - refuted > 1) {
      const middle = Math.floor((refuted + open) / 2);
      if (this.#refutes(this.#logCapitals(middle))) refuted = middle;
      else open = middle;
    }
    this.#steps = refuted;
    this.#capital = this.#logCapitals(Math.min(this.#mostSteps, refuted + 1));
  }

  #refutes(capital: readonly number[]): boolean {
    const most = Math.max(...capital);
    if (most === Infinity) return true;
    const sum = capital.reduce((total, log) => total + Math.exp(log - most), 0);
    return most + Math.log(sum / capital.length) >= this.#refuting;
  }

  #logCapitals(step: number): number[] {
    const mean = this.#meanOfStep(step);
    return this.#game.bets.map((bet) => this.#game.logCapital(bet, mean));
  }

  #meanOfStep(step: number): number {
    return (step - this.#mostSteps / 2) / (this.#mostSteps / 2);
  }
}
