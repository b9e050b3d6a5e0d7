import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { randomFor, type Random } from '#core/random.ts';
import { byScorer, scorerOf, type ScorerKey } from '#core/scoring/scorers.ts';
import { gapSpread } from '#core/statistics/gap-spread.ts';
import { summarise } from '#core/statistics/summary.ts';
import { agentIn, type ResultsBasis } from './basis.ts';
import { effortOf } from './effort.ts';
import { failuresOf } from './failures.ts';
import { passesOf } from './passes.ts';
import type { AgentResult } from './record.ts';
import type { ScoreSummary } from './results-record.ts';
import { unscoredOf } from './unscored.ts';

/** Returns one agent's means over units with intervals, its failures and its cost. */
export function resultOf(agent: string, basis: Pick<ResultsBasis, 'agents' | 'trials' | 'seed'>): AgentResult {
  const { figures } = agentIn(basis, agent);
  const { units, values, patterns, attempts } = figures;
  const [incomplete, noise, unstable] = failurePatterns;
  return {
    name: agent,
    units: units.length,
    scores: byScorer((key) => scoreSummaryOf(key, values[key], randomFor(basis.seed, 'bootstrap', agent, key))),
    passes: passesOf(agent, figures, basis),
    patterns: {
      [incomplete]: patterns.get(incomplete) ?? 0,
      [noise]: patterns.get(noise) ?? 0,
      [unstable]: patterns.get(unstable) ?? 0,
    },
    failures: failuresOf(attempts),
    attempts: attempts.made,
    notEvaluated: attempts.notEvaluated,
    relaunched: attempts.relaunched,
    unscoredReasons: unscoredOf(attempts),
    ...effortOf(attempts),
  };
}

/** Summarizes a scorer's values of units. */
export const scoreSummaryOf = (key: ScorerKey, values: readonly (number | null)[], random: Random): ScoreSummary => ({
  ...summarise(values, random),
  ...(scorerOf(key).direction === 'zero' ? gapSpread(values) : {}),
});
