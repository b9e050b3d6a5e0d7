import { agentBasisOrEmpty, type ResultsBasis } from '#core/evaluation/results-basis.ts';
import { unitValueAtOrNull } from '#core/evaluation/agent-figures.ts';
import { countScoredAndPassedTrials } from '#core/evaluation/compute-passes.ts';
import { passHatK } from '#core/statistics/pass-at-k.ts';
import type { ScorerKey } from '#core/evaluation/scorers.ts';
import { buildByMetric, listMetricsWithUnitValues, type UnitRankingMetric } from './metrics.ts';

/** The k of the ranked reliability: the probability that all of four trials pass. */
const rankedK = 4;

/** The results of an evaluation, as far as values of units need them. */
type UnitBasis = Pick<ResultsBasis, 'protocol' | 'units' | 'agents'>;

/** Returns an agent's values of units in the order of unit ids; null if a unit has none. */
function valuesInUnitIdOrder(agent: string, basis: UnitBasis, known: readonly (number | null)[]): (number | null)[] {
  const places = new Map(agentBasisOrEmpty(basis, agent).figures.units.map((unit, place) => [unit, place]));
  const ids = basis.units.map(({ id }) => id).toSorted();
  return ids.map((id) => known[places.get(id) ?? -1] ?? null);
}

/** Returns an agent's values of units by a scorer, in the order of unit ids; null if a unit has none. */
export function unitScoresInIdOrder(agent: string, basis: UnitBasis, key: ScorerKey): (number | null)[] {
  const { figures } = agentBasisOrEmpty(basis, agent);
  const values = figures.units.map((_, place) => unitValueAtOrNull(figures, key, place));
  return valuesInUnitIdOrder(agent, basis, values);
}

/**
 * Returns the values by which two entries are compared: each metric's value of every unit, in the order of unit ids;
 * null if a unit has none.
 */
export function listUnitValuesByMetric(
  agent: string,
  basis: UnitBasis,
): Partial<Record<UnitRankingMetric, (number | null)[]>> {
  const { trials } = agentBasisOrEmpty(basis, agent).figures;
  const reliability = trials.map((own) => {
    const { scored, passed } = countScoredAndPassedTrials(own);
    return passHatK(scored, passed, rankedK);
  });
  return buildByMetric(listMetricsWithUnitValues(basis.protocol), (metric) =>
    metric === 'pass-hat-4'
      ? valuesInUnitIdOrder(agent, basis, reliability)
      : unitScoresInIdOrder(agent, basis, metric),
  );
}
