import { backoffMs } from '#core/values/backoff.ts';

/** The least that is waited, however little a server asks for: it is asked ever less often. */
const shortest = { firstMs: 100, longestMs: 5_000 };

/**
 * Returns how long to wait before a request is repeated (`repeat` from 1), in milliseconds; null if it is not repeated,
 * because its answer did not ask for that or the time that is left is too short.
 */
export function waitBeforeRetryMsOrNull(askedMs: number | undefined, repeat: number, leftMs: number): number | null {
  if (askedMs === undefined) return null;
  const waitMs = Math.max(askedMs, backoffMs(shortest, repeat));
  return waitMs < leftMs ? waitMs : null;
}

/** Waits; returns early if the signal aborts. */
export function sleepUnlessAborted(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
