/** How often it looks at the time of day. */
const tickMs = 1_000;
/** What may pass between two looks at most; more is a clock that was set, or a machine that slept. */
const mostMs = 10_000;

/** A clock of milliseconds since 1970 that begins with the time of day and that nobody sets. It ticks until it is stopped. */
export interface SteadyClock {
  readonly now: () => number;
  readonly stop: () => void;
}

/**
 * Starts a clock for the time limits of an attempt. The only clock of a Worker is the time of day: set forth by an hour it would end each
 * attempt under way as too slow, set back it would let none end. So it is looked at each second, and a leap counts for little.
 */
export function startSteadyClock(): SteadyClock {
  let last = Date.now();
  let time = last;
  const now = (): number => {
    const seen = Date.now();
    time += Math.min(Math.max(0, seen - last), mostMs);
    last = seen;
    return time;
  };
  const timer = setInterval(now, tickMs);
  return { now, stop: () => clearInterval(timer) };
}
