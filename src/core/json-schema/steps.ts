/** Counts the steps that work on foreign data may take; once they are used up, every further one is refused. */
export class Steps {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Takes steps; false where fewer are left. */
  take(count = 1): boolean {
    this.#left -= count;
    return this.#left >= 0;
  }
}
