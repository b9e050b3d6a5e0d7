import { currentInvocation, take } from './invocation.ts';

/** Replaces the global `fetch` with one that counts, queues and refuses like the platform's. */
export function watchFetch(): void {
  const send = globalThis.fetch;
  const watched: typeof fetch = async function watched(input, init) {
    if (take('subrequests', 1, watched) !== null) throw new Error(tooMany);
    const connections = currentInvocation()?.connections;
    if (connections === undefined) return send(input, init);
    const signal = signalOf(input, init);
    const placed = connections.place(signal);
    take('waitingConnections', connections.waiting, watched);
    const leave = await placed;
    // What was aborted has no connection any more, although `fetch` may reject only later.
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await send(input, init);
    } finally {
      leave();
    }
  };
  Object.defineProperty(globalThis, 'fetch', { value: watched, configurable: true, writable: true });
}

/** The exact error of the platform's `fetch`. */
export const tooMany = 'Too many subrequests by single Worker invocation.';

const signalOf = (input: unknown, init: RequestInit | undefined): AbortSignal | null =>
  init?.signal ?? (input instanceof Request ? input.signal : null);
