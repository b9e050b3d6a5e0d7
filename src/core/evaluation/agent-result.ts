import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { makeRandom, type Random } from '#core/random.ts';
import { buildByScorer, getScorer, type ScorerKey } from '#core/scoring/scorers.ts';
import { gapSpread } from '#core/statistics/gap-spread.ts';
import { summarise } from '#core/statistics/summary.ts';
import { agentBasisOrEmpty, type ResultsBasis } from './results-basis.ts';
import { sumEffort } from './sum-effort.ts';
import { countFailures } from './count-failures.ts';
import { computePasses } from './compute-passes.ts';
import type { AgentResult } from './record.ts';
import type { ScoreSummary } from './results-record.ts';
import { countUnscored } from './count-unscored.ts';

/** Returns one agent's means over units with intervals, its failures and its cost. */
export function makeAgentResult(agent: string, basis: Pick<ResultsBasis, 'agents' | 'trials' | 'seed'>): AgentResult {
  const { figures } = agentBasisOrEmpty(basis, agent);
  const { units, values, patterns, attempts } = figures;
  const [incomplete, noise, unstable] = failurePatterns;
  return {
    name: agent,
    units: units.length,
    scores: buildByScorer((key) => summariseScore(key, values[key], makeRandom(basis.seed, 'bootstrap', agent, key))),
    passes: computePasses(agent, figures, basis),
    patterns: {
      [incomplete]: patterns.get(incomplete) ?? 0,
      [noise]: patterns.get(noise) ?? 0,
      [unstable]: patterns.get(unstable) ?? 0,
    },
    failures: countFailures(attempts),
    attempts: attempts.made,
    notEvaluated: attempts.notEvaluated,
    relaunched: attempts.relaunched,
    unscoredReasons: countUnscored(attempts),
    ...sumEffort(attempts),
  };
}

/** Summarizes a scorer's values of units. */
export const summariseScore = (key: ScorerKey, values: readonly (number | null)[], random: Random): ScoreSummary => ({
  ...summarise(values, random),
  ...(getScorer(key).direction === 'zero' ? gapSpread(values) : {}),
});
