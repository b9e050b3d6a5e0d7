import { z } from 'zod';

/** The most that the owner of an endpoint allows; nothing where it does not say. */
export const statedLimits = z.strictObject({
  /** Requests that may be under way at once. */
  concurrency: z.int().min(1).max(512).optional(),
  /** Requests that may start within any 60 seconds. */
  perMinute: z.int().min(1).max(100_000).optional(),
});
export type StatedLimits = Readonly<z.infer<typeof statedLimits>>;

/** How many requests started in each second, by its number since 1970. */
export const recentStarts = z.record(z.string(), z.int());
export type RecentStarts = Readonly<z.infer<typeof recentStarts>>;

const windowMs = 60_000;

/** A second counts until its last millisecond is a minute ago, so that no 60 seconds have more than is allowed. */
const whenSecondStopsCountingMs = (second: string): number => (Number(second) + 1) * 1_000 + windowMs;

/** Returns how many requests started within the last minute. */
export const countRecentStarts = (starts: RecentStarts, nowMs: number): number =>
  Object.entries(starts).reduce(
    (sum, [second, count]) => (whenSecondStopsCountingMs(second) > nowMs ? sum + count : sum),
    0,
  );

/** Adds requests that start now, and forgets those that no longer count. */
export function recentStartsWithAdded(starts: RecentStarts, requests: number, nowMs: number): RecentStarts {
  const second = String(Math.floor(nowMs / 1_000));
  const recent = Object.entries(starts).filter(([each]) => whenSecondStopsCountingMs(each) > nowMs);
  return { ...Object.fromEntries(recent), [second]: (starts[second] ?? 0) + requests };
}

/**
 * Returns when so many requests may start, in milliseconds since 1970; 0 if they may now. More than are allowed in a minute start once
 * there was none for a minute.
 */
export function earliestStartByMinuteLimitMs(
  starts: RecentStarts,
  perMinute: number | undefined,
  requests: number,
  nowMs: number,
): number {
  if (perMinute === undefined) return 0;
  let excess = countRecentStarts(starts, nowMs) + Math.min(requests, perMinute) - perMinute;
  if (excess <= 0) return 0;
  const recent = Object.entries(starts)
    .filter(([second]) => whenSecondStopsCountingMs(second) > nowMs)
    .toSorted(([a], [b]) => Number(a) - Number(b));
  for (const [second, count] of recent) {
    excess -= count;
    if (excess <= 0) return whenSecondStopsCountingMs(second);
  }
  return nowMs + windowMs;
}
