import { z } from 'zod';
import { getScorerOrThrow, scorerKeys, type ScorerKey } from './scorers.ts';
import type { StoredAgent } from './config.ts';
import type { ScoreSummary } from './results-record.ts';

/** A null agent's figure above which a scorer can be won blind on a benchmark. */
export const noticeableFloor = 0.2;

const floorValue = z.object({
  /** The best mean of a null agent; for a scorer whose values near 0 are best, of absolute values. */
  value: z.number(),
  /** The null agent that has it. */
  agent: z.string(),
});

/** What agents that know nothing score on a benchmark, by scorer; a scorer that scored none of them is absent. */
export const floorScores = z.partialRecord(z.enum(scorerKeys), floorValue);
export type FloorScores = z.infer<typeof floorScores>;

/** The floor of a benchmark. */
export const benchmarkFloor = z.discriminatedUnion('state', [
  /** Its evaluation runs. */
  z.object({ state: z.literal('running'), evaluation: z.string() }),
  /** `units` is the size of the sample on which the null agents worked. */
  z.object({ state: z.literal('measured'), evaluation: z.string(), units: z.int(), scores: floorScores }),
  z.object({ state: z.literal('unavailable'), reason: z.string() }),
]);
export type BenchmarkFloor = z.infer<typeof benchmarkFloor>;

/** Returns the best figure of null agents by scorer, for the scorers with these keys. */
export function computeBestScoresOfNullAgents(
  agents: readonly { readonly name: string; readonly scores: Readonly<Record<ScorerKey, ScoreSummary>> }[],
  asked: readonly ScorerKey[] = scorerKeys,
): FloorScores {
  const found: FloorScores = {};
  for (const key of asked) {
    const { direction } = getScorerOrThrow(key);
    for (const { name, scores } of agents) {
      const { mean, meanAbsolute = null } = scores[key];
      const value = direction === 'zero' ? meanAbsolute : mean;
      const best = found[key];
      if (value === null) continue;
      if (best === undefined || (direction === 'higher' ? value > best.value : value < best.value))
        found[key] = { value, agent: name };
    }
  }
  return found;
}

/** Returns the names of the null agents among agents. */
export const nullAgentNames = (agents: readonly Pick<StoredAgent, 'name' | 'loop'>[]): string[] =>
  agents.filter(({ loop }) => loop === 'null').map(({ name }) => name);

/** Returns the scorers, more of which is better, that a null agent wins by more than the noticeable floor. */
export const scorersWithNoticeableFloor = (scores: FloorScores) =>
  scorerKeys.filter(
    (key) => getScorerOrThrow(key).direction === 'higher' && (scores[key]?.value ?? 0) > noticeableFloor,
  );
