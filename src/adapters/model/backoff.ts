const firstMs = 500;
const longestMs = 20_000;

/**
 * How long to wait before a request is repeated, in milliseconds. What the endpoint asks for counts (`retry-after-ms`, or
 * `retry-after` in seconds or as a date); without it 0.5 s doubled with every repeat up to 20 s, less up to half by `random`
 * (0..1), so that many callers do not come back at once.
 */
export function waitMs(repeat: number, headers: Headers | undefined, nowMs: number, random: () => number): number {
  const asked = askedMs(headers, nowMs);
  if (asked !== undefined) return asked;
  return Math.round(Math.min(longestMs, firstMs * 2 ** repeat) * (1 - random() / 2));
}

/** How often a request may be repeated, and what waiting for that takes. */
export interface Repeats {
  readonly maxRetries: number;
  /** Bound of all waits before repeats of one request, together. */
  readonly maxWaitMs: number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
  /** Wall clock in milliseconds since the epoch. */
  readonly now: () => number;
}

/** What a request came to; a `transient` failure may pass. */
type Attempted =
  | { readonly ok: true }
  | { readonly ok: false; readonly transient: boolean; readonly headers?: Headers | undefined };

/**
 * Makes a request, and again while its failure may pass and the bounds allow it. `timeoutMs` bounds requests and waits together;
 * `leftMs` is what is left of it.
 */
export async function repeated<Attempt extends Attempted>(
  once: (leftMs: number) => Promise<Attempt>,
  { maxRetries, maxWaitMs, sleep, random, now }: Repeats,
  timeoutMs = Number.POSITIVE_INFINITY,
): Promise<{ readonly attempt: Attempt; readonly retries: number; readonly latencyMs: number }> {
  const start = now();
  let waited = 0;
  for (let retries = 0; ; retries += 1) {
    const attempt = await once(timeoutMs - (now() - start));
    const latencyMs = now() - start;
    if (attempt.ok) return { attempt, retries, latencyMs };
    const wait = waitMs(retries, attempt.headers, now(), random);
    const hopeless = !attempt.transient || retries === maxRetries || waited + wait > maxWaitMs;
    if (hopeless || latencyMs + wait >= timeoutMs) return { attempt, retries, latencyMs };
    waited += wait;
    await sleep(wait);
  }
}

function askedMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const millis = seconds(headers?.get('retry-after-ms'));
  if (millis !== undefined) return millis;
  const after = headers?.get('retry-after');
  const asSeconds = seconds(after);
  if (asSeconds !== undefined) return asSeconds * 1_000;
  const date = Date.parse(after ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function seconds(text: string | null | undefined): number | undefined {
  const value = Number(text?.trim() || 'none');
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
