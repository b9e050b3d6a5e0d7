import type { FactIndex, Reached } from '#core/ports.ts';

/** Consecutive failures after which an index is left alone for a while. */
const patience = 3;
const restMs = 60_000;

type Fault = Extract<Reached<never>, { ok: false }>['fault'];

/**
 * Wraps an index that is left alone after repeated failures: searches in the next minute get its last fault at once.
 * Otherwise each unit of a run would wait for all retries of an unreachable index.
 */
export function makeIndexThatRestsAfterFailures(index: FactIndex, now: () => number): FactIndex {
  let failures = 0;
  let rest: { readonly fault: Fault; readonly untilMs: number } | null = null;
  return {
    async search(query, topK) {
      if (rest !== null && now() < rest.untilMs) return { ok: false, fault: rest.fault, calls: [] };
      const found = await index.search(query, topK);
      failures = found.ok ? 0 : failures + 1;
      rest = !found.ok && failures >= patience ? { fault: found.fault, untilMs: now() + restMs } : null;
      return found;
    },
  };
}
