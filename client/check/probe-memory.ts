import {
  callsOfSample,
  callsToWarmUp,
  growthOf,
  steadyGrowthOf,
  type MemorySample,
} from '#core/reports/check/probes/memory-growth.ts';
import { listProcessTree } from './process-tree.ts';

/** Calls after which a process that does not grow is left alone. */
const fewCalls = 200;
/** Calls that a process gets which grows and grows. */
const mostCalls = 800;
const budgetMs = 4_000;

/** By how much calls made a process and all that it started grow. */
export interface MemoryGrowth {
  readonly megabytesPerCall: number;
  readonly calls: number;
  readonly megabytesBefore: number;
  readonly megabytesAfter: number;
}

/**
 * Makes calls of a local server, one after the other until one fails, and returns by how much its memory grows with them. Null if
 * it does not leak, if too few calls succeed in the four seconds that they may take, and where memory cannot be read, as on
 * Windows. Stops as soon as it is sure; a server that leaks holds about 200 MB more by then.
 */
export async function probeMemory(pid: number, call: () => Promise<unknown>): Promise<MemoryGrowth | null> {
  const until = performance.now() + budgetMs;
  const samples: MemorySample[] = [];
  for (let calls = 1; calls <= mostCalls; calls += 1) {
    if (!(await endsInTime(call, until - performance.now()))) break;
    if (calls < callsToWarmUp || calls % callsOfSample !== 0) continue;
    const tree = await listProcessTree(pid);
    if (tree === null) return null;
    samples.push({ calls, megabytes: tree.reduce((sum, { megabytes }) => sum + megabytes, 0) });
    if (growthOf(samples) !== null || (calls >= fewCalls && steadyGrowthOf(samples) === null)) break;
  }
  const megabytesPerCall = growthOf(samples);
  const [first, last] = [samples[0], samples.at(-1)];
  if (megabytesPerCall === null || first === undefined || last === undefined) return null;
  return {
    megabytesPerCall,
    calls: last.calls - first.calls,
    megabytesBefore: first.megabytes,
    megabytesAfter: last.megabytes,
  };
}

/** Whether a call succeeds within some milliseconds. */
async function endsInTime(call: () => Promise<unknown>, ms: number): Promise<boolean> {
  if (ms <= 0) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  call().then(
    () => resolve(true),
    () => resolve(false),
  );
  const isInTime = await promise;
  clearTimeout(timer);
  return isInTime;
}
