/**
 * The places of one invocation for requests that wait for headers. A request without a place is queued, as on the
 * platform.
 */
export class Connections {
  readonly #places: number;
  readonly #queue: (() => void)[] = [];
  #taken = 0;

  constructor(places: number) {
    this.#places = places;
  }

  /** How many wait for headers, or to be sent. */
  get waiting(): number {
    return this.#taken + this.#queue.length;
  }

  /** Resolves with a function that releases the place, once, when there is one; rejects when the signal aborts the wait. */
  async place(signal: AbortSignal | null): Promise<() => void> {
    if (this.#taken < this.#places) this.#taken += 1;
    else await this.#turn(signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.#queue.shift();
      if (next === undefined) this.#taken -= 1;
      else next();
    };
  }

  /** Waits for a place that is passed on directly and stays taken. */
  #turn(signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#queue.splice(this.#queue.indexOf(take), 1);
        reject(signal?.reason);
      };
      const take = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      this.#queue.push(take);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }
}
