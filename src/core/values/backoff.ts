/** How long to wait between tries. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Returns the wait in milliseconds after a number of consecutive failures (at least 1): the first wait, doubled with
 * every further failure up to the longest. `random` (0..1) removes up to half of it, so that many callers do not return
 * at once.
 */
export const backoffMs = ({ firstMs, longestMs }: Backoff, failures: number, random = 0): number =>
  Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (1 - random / 2);
