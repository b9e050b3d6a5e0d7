/** The memory of a process and all that it started. */
export interface MemorySample {
  /** Calls that were made until then. */
  readonly calls: number;
  readonly megabytes: number;
}

/** Calls after which memory is first looked at: programs load much of themselves with their first calls. */
export const callsToWarmUp = 20;
/** Calls between two looks. */
export const callsOfSample = 10;

/** Megabytes a call from which on memory leaks. */
const leastPerCall = 0.5;
/**
 * Megabytes that a process has to grow by. A process that lets go of all it allocates still grows at first, until its collector
 * runs: Node.js by up to 70 MB without a pause if calls take 0.6 MB, and by 110 MB, ever more slowly, if they take 3 MB.
 */
const leastGrowth = 192;
/** Parts of the calls that have to grow alike. */
const parts = 4;

/**
 * Returns megabytes a call by which memory grows so far, if each quarter of the calls has its share of that; null if it grows by
 * less than a leak, or levels off.
 */
export function steadyGrowthOf(samples: readonly MemorySample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || samples.length <= parts) return null;
  const growth = (last.megabytes - first.megabytes) / (last.calls - first.calls);
  if (!(growth >= leastPerCall)) return null;
  for (let part = 0; part < parts; part += 1) {
    const from = samples[Math.round((part * (samples.length - 1)) / parts)] ?? first;
    const to = samples[Math.round(((part + 1) * (samples.length - 1)) / parts)] ?? last;
    if ((to.megabytes - from.megabytes) / (to.calls - from.calls) < growth / 2) return null;
  }
  return growth;
}

/**
 * Returns megabytes a call by which a process leaks memory; null if it does not, or if it grew by so little that its collector
 * may only wait.
 */
export function growthOf(samples: readonly MemorySample[]): number | null {
  const total = (samples.at(-1)?.megabytes ?? 0) - (samples[0]?.megabytes ?? 0);
  return total < leastGrowth ? null : steadyGrowthOf(samples);
}
