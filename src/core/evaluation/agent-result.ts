import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { makeRandom, type Random } from '#core/random.ts';
import { buildByScorer, getScorer, type ScorerKey } from '#core/scoring/scorers.ts';
import { gapSpread } from '#core/statistics/gap-spread.ts';
import { summarise, summariseShares } from '#core/statistics/summary.ts';
import { isProven } from '#core/units/witness.ts';
import { agentBasisOrEmpty, type ResultsBasis } from './results-basis.ts';
import { sumEffort } from './sum-effort.ts';
import { sumFailures } from '#core/traces/failure-counts.ts';
import { computePasses } from './compute-passes.ts';
import type { AgentResult } from './record.ts';
import type { ScoreSummary } from './results-record.ts';
import { countUnscored } from './count-unscored.ts';

/** Returns one agent's means over units with intervals, its failures and its cost. */
export function makeAgentResult(
  agent: string,
  basis: Pick<ResultsBasis, 'units' | 'agents' | 'trials' | 'seed'>,
): AgentResult {
  const { figures } = agentBasisOrEmpty(basis, agent);
  const { units, values, patterns, attempts } = figures;
  const [incomplete, noise, unstable] = failurePatterns;
  const summariseUnits = (places: readonly number[]): AgentResult['scores'] =>
    buildByScorer((key) =>
      summariseScore(
        key,
        places.map((place) => values[key][place] ?? null),
        makeRandom(basis.seed, 'bootstrap', agent, key),
      ),
    );
  const all = units.map((_, place) => place);
  const provenUnits = new Set(basis.units.filter(isProven).map(({ id }) => id));
  const proven = all.filter((place) => provenUnits.has(units[place] ?? ''));
  const scores = summariseUnits(all);
  return {
    name: agent,
    units: units.length,
    scores,
    proven: { units: proven.length, scores: proven.length === units.length ? scores : summariseUnits(proven) },
    passes: computePasses(figures, basis.trials),
    patterns: {
      [incomplete]: patterns.get(incomplete) ?? 0,
      [noise]: patterns.get(noise) ?? 0,
      [unstable]: patterns.get(unstable) ?? 0,
    },
    failures: sumFailures(attempts),
    answers: { ...attempts.answers, unreturnedShare: shareOf(attempts.answers.unreturned, attempts.answers.checked) },
    attempts: attempts.made,
    notEvaluated: attempts.notEvaluated,
    relaunched: attempts.relaunched,
    unscoredReasons: countUnscored(attempts),
    ...sumEffort(attempts),
  };
}

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Summarizes a scorer's values of units. Those of a binary scorer are shares of trials. */
export const summariseScore = (key: ScorerKey, values: readonly (number | null)[], random: Random): ScoreSummary => ({
  ...(getScorer(key).binary ? summariseShares(values) : summarise(values, random)),
  ...(getScorer(key).direction === 'zero' ? gapSpread(values) : {}),
});
