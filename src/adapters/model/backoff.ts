import { backoffMs } from '#core/backoff.ts';
import type { Admission, Place } from '#adapters/network/admission.ts';
import { requestedWaitMs } from '#adapters/network/retry-after.ts';

const backoff = { firstMs: 500, longestMs: 20_000 };

/**
 * Returns how long to wait before a request is repeated, in milliseconds. The endpoint's own wish counts
 * (`retry-after-ms`, or `retry-after` in seconds or as a date). Without one it is 0.5 s, doubled with every repeat up
 * to 20 s, minus up to half by `random` (0..1), so that many callers do not return at once.
 */
export function retryWaitMs(repeat: number, headers: Headers | undefined, nowMs: number, random: () => number): number {
  const asked = requestedWaitMs(headers, nowMs);
  if (asked !== undefined) return asked;
  return Math.round(backoffMs(backoff, repeat + 1, random()));
}

/** How often a request may be repeated, and what is needed for waiting. */
export interface Repeats {
  readonly admission: Admission;
  readonly maxRetries: number;
  /** Limit of all waits before repeats of one request. */
  readonly maxWaitMs: number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
  /** Wall clock in milliseconds since the epoch. */
  readonly now: () => number;
}

/** The result of a request; a `transient` failure may pass. */
type Attempted =
  | { readonly ok: true }
  | { readonly ok: false; readonly transient: boolean; readonly headers?: Headers | undefined };

/** The result of the last request, and the time of all of them. */
interface Repeated<Attempt> {
  readonly attempt: Attempt;
  readonly retries: number;
  /** Requests and the waits between them, without time in the queue. */
  readonly latencyMs: number;
  /** How long the requests waited for their places. */
  readonly queuedMs: number;
}

/**
 * Makes a request in its own place, and repeats it while its failure may pass and the limits allow it. `timeoutMs`
 * limits requests and waits together; `leftMs` is the rest.
 */
export async function requestWithRetries<Attempt extends Attempted>(
  once: (leftMs: number, place: Place) => Promise<Attempt>,
  { admission, maxRetries, maxWaitMs, sleep, random, now }: Repeats,
  timeoutMs = Number.POSITIVE_INFINITY,
): Promise<Repeated<Attempt>> {
  const start = now();
  let waited = 0;
  let queuedMs = 0;
  for (let retries = 0; ; retries += 1) {
    const attempt = await admission.runInPlace(async (place) => {
      queuedMs += place.queuedMs;
      return once(timeoutMs - (now() - start - queuedMs), place);
    });
    const latencyMs = now() - start - queuedMs;
    if (attempt.ok) return { attempt, retries, latencyMs, queuedMs };
    const wait = retryWaitMs(retries, attempt.headers, now(), random);
    const hopeless = !attempt.transient || retries === maxRetries || waited + wait > maxWaitMs;
    if (hopeless || latencyMs + wait >= timeoutMs) return { attempt, retries, latencyMs, queuedMs };
    waited += wait;
    await sleep(wait);
  }
}
