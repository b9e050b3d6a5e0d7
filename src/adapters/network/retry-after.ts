import { backoffMs } from '#core/backoff.ts';

/**
 * Returns how long an answer asks its client to wait, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or
 * as a date; undefined if it does not ask.
 */
export function parseRetryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const millis = parseNonNegative(headers?.get('retry-after-ms'));
  if (millis !== undefined) return millis;
  const after = headers?.get('retry-after');
  const asSeconds = parseNonNegative(after);
  if (asSeconds !== undefined) return asSeconds * 1_000;
  const date = Date.parse(after ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

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

function parseNonNegative(text: string | null | undefined): number | undefined {
  const value = Number(text?.trim() || 'none');
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
