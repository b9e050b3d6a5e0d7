/** Counts the steps of work on untrusted data; once they are used up, every further one is refused. */
export class Steps {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Takes steps; false if fewer are left. */
  tryTake(count = 1): boolean {
    this.#left -= count;
    return this.#left >= 0;
  }
}
