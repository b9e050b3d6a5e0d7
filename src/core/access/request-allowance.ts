/** Whether a request is admitted, and how many more the current minute allows. */
export interface RequestAllowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the current minute ends; after that, a refused request may pass. 1 to 60,000. */
  readonly resetMs: number;
}

export const windowMs = 60_000;

/** The requests of two clock minutes: the current one and the one before. */
export interface RequestCount {
  /** The current minute, counted from 1970. */
  readonly minute: number;
  readonly present: number;
  readonly before: number;
}

/**
 * A sliding window from two fixed ones: the previous minute counts with the share that the last 60 seconds still cover,
 * as if its requests were evenly distributed. A refused request is not counted. `now` is milliseconds since 1970;
 * `limit` is at least 1.
 */
export function admitAndCountRequest(
  count: RequestCount | null,
  limit: number,
  now: number,
): { readonly count: RequestCount; readonly allowance: RequestAllowance } {
  const { minute, present, before } = countMovedToMinute(count, Math.floor(now / windowMs));
  const passedMs = now % windowMs;
  const used = present + Math.floor(before * (1 - passedMs / windowMs));
  const allowed = used < limit;
  return {
    count: { minute, present: allowed ? present + 1 : present, before },
    allowance: {
      allowed,
      limit,
      remaining: allowed ? limit - used - 1 : 0,
      resetMs: windowMs - passedMs,
    },
  };
}

function countMovedToMinute(count: RequestCount | null, minute: number): RequestCount {
  if (count === null || minute > count.minute + 1) return { minute, present: 0, before: 0 };
  if (minute === count.minute + 1) return { minute, present: 0, before: count.present };
  // If the clock goes back, the current minute continues.
  return count;
}

/** Returns how many requests of a count an earlier state of it lacks. */
export function countRequestsBetweenCounts(earlier: RequestCount | null, count: RequestCount): number {
  const known = countMovedToMinute(earlier, count.minute);
  return count.present - known.present + count.before - known.before;
}

/** Returns the time, in milliseconds since 1970, from which a count no longer matters. */
export const expiryTimeOfCount = ({ minute }: RequestCount): number => (minute + 2) * windowMs;
