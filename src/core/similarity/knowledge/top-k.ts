/** The position of a vector in its namespace, and its score. */
export interface Near {
  readonly slot: number;
  readonly score: number;
}

/** Keeps the best scores up to a number, best first; equal scores in the order of arrival. */
export class TopK {
  readonly #size: number;
  readonly #best: Near[] = [];
  #floor = Number.NEGATIVE_INFINITY;

  constructor(size: number) {
    this.#size = size;
    if (size < 1) this.#floor = Number.POSITIVE_INFINITY;
  }

  /** The score that a new item must exceed. */
  get scoreToExceed(): number {
    return this.#floor;
  }

  addIfBetter(slot: number, score: number): void {
    if (!(score > this.#floor)) return;
    let place = this.#best.length;
    while (place > 0 && (this.#best[place - 1]?.score ?? 0) < score) place -= 1;
    this.#best.splice(place, 0, { slot, score });
    if (this.#best.length > this.#size) this.#best.pop();
    if (this.#best.length === this.#size) this.#floor = this.#best.at(-1)?.score ?? this.#floor;
  }

  get best(): readonly Near[] {
    return this.#best;
  }
}
