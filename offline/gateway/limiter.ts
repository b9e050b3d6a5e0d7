/** Runs a limited number of tasks at a time, in order of arrival. */
export class Limiter {
  readonly #limit: number;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limit) await new Promise<void>((go) => this.#queue.push(go));
    else this.#running++;
    try {
      return await task();
    } finally {
      // The place goes straight to the next in the queue.
      const next = this.#queue.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
