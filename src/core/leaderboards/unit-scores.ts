import { agentIn, type ResultsBasis } from '#core/evaluation/basis.ts';
import { trialPasses } from '#core/evaluation/passes.ts';
import { passHatK } from '#core/statistics/pass-at-k.ts';
import type { UnitRankingMetric } from './metrics.ts';

/** The k of the reliability that is ranked: the chance that all of four trials pass. */
const rankedK = 4;

/**
 * What two entries are compared by: each metric's value of every unit, in the order of the units' ids; null where a unit has none. ECG
 * counts by how far it is from 0, which is where it is best.
 */
export function rankingValues(
  agent: string,
  basis: Pick<ResultsBasis, 'units' | 'agents'>,
): Record<UnitRankingMetric, (number | null)[]> {
  const { units, values, trials } = agentIn(basis, agent).figures;
  const places = new Map(units.map((unit, place) => [unit, place]));
  const ids = basis.units.map(({ id }) => id).toSorted();
  const of = (known: readonly (number | null)[]) => ids.map((id) => known[places.get(id) ?? -1] ?? null);
  const reliability = trials.map((own) => {
    const { scored, passed } = trialPasses(own);
    return passHatK(scored, passed, rankedK);
  });
  return {
    execution: of(values.execution),
    mtc: of(values.mtc),
    tcs: of(values.tcs),
    pass: of(values.pass),
    'pass-hat-4': of(reliability),
    ar: of(values.ar),
    uic: of(values.uic),
    tfd: of(values.tfd),
    ecg: of(values.ecg).map((gap) => (gap === null ? null : Math.abs(gap))),
  };
}
