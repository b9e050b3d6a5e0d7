/**
 * How many requests of one invocation may wait for response headers at the same time. Cloudflare allows six and queues
 * the seventh while its time-outs run; here a request is queued before its clock starts.
 */
export const waitingRequests = 6;

/** One of the six places. */
export interface Place {
  /** How long its holder waited for it. */
  readonly queuedMs: number;
  /** Releases the place. Calling it again does nothing. */
  leave(): void;
}

/**
 * The single point through which an invocation (of the Worker, a workflow or an object) sends requests. It admits six
 * at a time, first come first served, and counts what the platform counts as subrequests. A holder of a place must not
 * enter again; so every place is released within its holder's time limit, and the queue always moves.
 */
export class Admission {
  #free = waitingRequests;
  #requests = 0;
  /** The waiting operations, in order of arrival. */
  readonly #queue = new Set<() => void>();

  /** Requests made so far: every redirect hop, and what `addToRequestCount` added. */
  get requestCount(): number {
    return this.#requests;
  }

  /** Adds requests to the count: each hop of the guarded fetch, and those made elsewhere, such as calls to objects. */
  addToRequestCount(requests = 1): void {
    this.#requests += requests;
  }

  /** Waits for a place. Rejects with the signal's reason if it aborts first. */
  async waitForPlace(signal?: AbortSignal | null): Promise<Place> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return this.#makePlace(0);
    }
    const since = Date.now();
    await this.#waitForTurn(signal);
    return this.#makePlace(Date.now() - since);
  }

  /** Performs an operation that holds a place until it ends or releases the place early. */
  async runHoldingPlace<T>(operation: (place: Place) => Promise<T>): Promise<T> {
    const place = await this.waitForPlace();
    try {
      return await operation(place);
    } finally {
      place.leave();
    }
  }

  /** Resolves when a place is free for the caller. */
  #waitForTurn(signal: AbortSignal | null | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#queue.delete(take);
        reject(signal?.reason);
      };
      const take = (): void => {
        this.#queue.delete(take);
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      this.#queue.add(take);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  #makePlace(queuedMs: number): Place {
    let held = true;
    return {
      queuedMs,
      leave: () => {
        if (!held) return;
        held = false;
        const [next] = this.#queue;
        if (next === undefined) this.#free += 1;
        else next();
      },
    };
  }
}
