/** Whether a request may pass, and how many more may in the present minute. */
export interface RequestAllowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the present minute ends: after it, one that was refused may pass. 1 to 60,000. */
  readonly resetMs: number;
}

export const windowMs = 60_000;

/** The requests of two minutes of the clock: the present one and the one before. */
export interface RequestCount {
  /** The present minute, counted from 1970. */
  readonly minute: number;
  readonly present: number;
  readonly before: number;
}

/**
 * A sliding window out of two fixed ones: the minute before counts with the share of it that the last 60 seconds still cover, as if its
 * requests had come evenly. One that is refused is not counted. `now` is milliseconds since 1970; `limit` is at least 1.
 */
export function requestTaken(
  count: RequestCount | null,
  limit: number,
  now: number,
): { readonly count: RequestCount; readonly allowance: RequestAllowance } {
  const { minute, present, before } = upTo(count, Math.floor(now / windowMs));
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

function upTo(count: RequestCount | null, minute: number): RequestCount {
  if (count === null || minute > count.minute + 1) return { minute, present: 0, before: 0 };
  if (minute === count.minute + 1) return { minute, present: 0, before: count.present };
  // A clock that went back goes on in the minute that it came from.
  return count;
}

/** How many of the requests of a count an earlier state of it lacks. */
export function requestsSince(earlier: RequestCount | null, count: RequestCount): number {
  const known = upTo(earlier, count.minute);
  return count.present - known.present + count.before - known.before;
}

/** The time, in milliseconds since 1970, from which a count no longer matters. */
export const countsUntil = ({ minute }: RequestCount): number => (minute + 2) * windowMs;
