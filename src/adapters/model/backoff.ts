import { backoffMs } from '#core/values/backoff.ts';
import type { Admission, Place } from '#adapters/network/admission.ts';
import { parseRetryAfterMs } from '#core/values/retry-after.ts';

const backoff = { firstMs: 500, longestMs: 20_000 };

/**
 * Returns how long to wait before a request is repeated, in milliseconds. The endpoint's own wish counts
 * (`retry-after-ms`, or `retry-after` in seconds or as a date). Without one it is 0.5 s, doubled with every repeat up
 * to 20 s, minus up to half by `random` (0..1), so that many callers do not return at once.
 */
export function retryWaitMs(repeat: number, headers: Headers | undefined, nowMs: number, random: () => number): number {
  const asked = parseRetryAfterMs(headers, nowMs);
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

/** The result of a request. A `transient` failure may pass; one that took all the time there was (`once`) is tried again only once. */
type Attempted =
  | { readonly ok: true }
  | { readonly ok: false; readonly transient: boolean | 'once'; readonly headers?: Headers | undefined };

/** The result of the last request. */
interface Repeated<Attempt> {
  readonly attempt: Attempt;
  readonly retries: number;
  /** How long the last request took. */
  readonly latencyMs: number;
  /** Everything else: waiting for leave and for places, earlier requests, and the waits after them. */
  readonly queuedMs: number;
}

/** Makes a request with leave, perhaps repeatedly; `refusals` counts the requests before the last. */
type SendWithLeave<Attempt> = (
  send: () => Promise<Attempt>,
) => Promise<{ readonly made: Attempt; readonly refusals: number }>;

/**
 * Makes a request in its own place, and repeats it while its failure may pass and the limits allow it. `timeoutMs` limits each
 * request, without what it waits: what a busy endpoint refuses says nothing about the caller. `withLeave` may make
 * it wait.
 */
export async function requestUntilAnsweredOrGivenUp<Attempt extends Attempted>(
  once: (timeoutMs: number, place: Place) => Promise<Attempt>,
  { admission, maxRetries, maxWaitMs, sleep, random, now }: Repeats,
  timeoutMs = Number.POSITIVE_INFINITY,
  withLeave: SendWithLeave<Attempt> = async (send) => ({ made: await send(), refusals: 0 }),
): Promise<Repeated<Attempt>> {
  const start = now();
  let [waited, failures, retries, latencyMs] = [0, 0, 0, 0];
  for (;;) {
    const { made: attempt, refusals } = await withLeave(() =>
      admission.runHoldingPlace(async (place) => {
        const begun = now();
        const made = await once(timeoutMs, place);
        latencyMs = now() - begun;
        return made;
      }),
    );
    retries += refusals;
    const result = (): Repeated<Attempt> => ({ attempt, retries, latencyMs, queuedMs: now() - start - latencyMs });
    if (attempt.ok) return result();
    const wait = retryWaitMs(failures, attempt.headers, now(), random);
    const repeatable = attempt.transient === 'once' ? failures === 0 : attempt.transient;
    if (!repeatable || failures === maxRetries || waited + wait > maxWaitMs) return result();
    waited += wait;
    failures += 1;
    retries += 1;
    await sleep(wait);
  }
}
