import { agentBasisOrEmpty, type ResultsBasis } from '#core/evaluation/results-basis.ts';
import { countTrialPasses } from '#core/evaluation/compute-passes.ts';
import { passHatK } from '#core/statistics/pass-at-k.ts';
import { getScorer } from '#core/scoring/scorers.ts';
import { buildByUnitMetric, type UnitRankingMetric } from './metrics.ts';

/** The k of the ranked reliability: the probability that all of four trials pass. */
const rankedK = 4;

/**
 * Returns the values by which two entries are compared: each metric's value of every unit, in the order of unit ids;
 * null if a unit has none. If values near 0 are best, it is the distance from 0.
 */
export function rankingValues(
  agent: string,
  basis: Pick<ResultsBasis, 'units' | 'agents'>,
): Record<UnitRankingMetric, (number | null)[]> {
  const { units, values, trials } = agentBasisOrEmpty(basis, agent).figures;
  const places = new Map(units.map((unit, place) => [unit, place]));
  const ids = basis.units.map(({ id }) => id).toSorted();
  const inUnitOrder = (known: readonly (number | null)[]) => ids.map((id) => known[places.get(id) ?? -1] ?? null);
  const reliability = trials.map((own) => {
    const { scored, passed } = countTrialPasses(own);
    return passHatK(scored, passed, rankedK);
  });
  return buildByUnitMetric((metric) => {
    if (metric === 'pass-hat-4') return inUnitOrder(reliability);
    const own = inUnitOrder(values[metric]);
    return getScorer(metric).direction === 'zero' ? own.map((value) => (value === null ? null : Math.abs(value))) : own;
  });
}
