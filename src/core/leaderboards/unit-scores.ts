import { casesByUnit, type ResultsBasis } from '#core/evaluation/basis.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { trialPasses } from '#core/evaluation/passes.ts';
import { valuesByUnit } from '#core/evaluation/unit-values.ts';
import { passHatK } from '#core/statistics/pass-at-k.ts';
import type { UnitRankingMetric } from './metrics.ts';

/** The k of the reliability that is ranked: the chance that all of four trials pass. */
const rankedK = 4;

/**
 * What two entries are compared by: each metric's value of every unit, in the order of the units' ids; null where a unit has none. ECG
 * counts by how far it is from 0, which is where it is best.
 */
export function rankingValues(
  cases: readonly EvaluationCase[],
  basis: Pick<ResultsBasis, 'units' | 'tools'>,
): Record<UnitRankingMetric, (number | null)[]> {
  const values = valuesByUnit(cases, basis);
  const passed = new Map(Array.from(casesByUnit(cases), ([unit, own]) => [unit, trialPasses(own)]));
  const ids = basis.units.map(({ id }) => id).toSorted();
  const of = (known: ReadonlyMap<string, number | null>) => ids.map((id) => known.get(id) ?? null);
  return {
    execution: of(values.execution),
    mtc: of(values.mtc),
    tcs: of(values.tcs),
    pass: of(values.pass),
    'pass-hat-4': ids.map((id) => {
      const counts = passed.get(id);
      return counts === undefined ? null : passHatK(counts.scored, counts.passed, rankedK);
    }),
    ar: of(values.ar),
    uic: of(values.uic),
    tfd: of(values.tfd),
    ecg: of(values.ecg).map((gap) => (gap === null ? null : Math.abs(gap))),
  };
}
