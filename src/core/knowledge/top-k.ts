/** Where a vector lies among those of its namespace, and how near it is. */
export interface Near {
  readonly slot: number;
  readonly score: number;
}

/** The best of many scores, at most so many, best first; of equal ones those that were offered first. */
export class TopK {
  readonly #size: number;
  readonly #best: Near[] = [];
  #floor = Number.NEGATIVE_INFINITY;

  constructor(size: number) {
    this.#size = size;
    if (size < 1) this.#floor = Number.POSITIVE_INFINITY;
  }

  /** What a score has to be above to be taken. */
  get floor(): number {
    return this.#floor;
  }

  offer(slot: number, score: number): void {
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
