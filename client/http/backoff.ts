/** How long to wait between attempts. */
export interface Backoff {
  readonly firstMs: number;
  readonly capMs: number;
}

/** The wait before an attempt, counted from 1: doubles up to the cap, with jitter so that many clients do not come at once. */
export function backoffMs({ firstMs, capMs }: Backoff, attempt: number, random: () => number = Math.random): number {
  const full = Math.min(capMs, firstMs * 2 ** (attempt - 1));
  return full / 2 + (random() * full) / 2;
}

/** Waits, or throws the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** What a signal was aborted with, as an error. */
export function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('aborted', 'AbortError');
}
