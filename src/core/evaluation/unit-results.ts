import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { failurePatterns } from '#core/metrics/failure-patterns.ts';
import type { ResultsBasis } from './basis.ts';
import type { UnitResult } from './breakdown-record.ts';
import type { EvaluationCase } from './case.ts';
import { trialPasses } from './passes.ts';
import { patternOfCase, traitsOf } from './patterns.ts';
import { valuesByUnit, type UnitMetric } from './unit-values.ts';

/** One unit's results by agent, in the order of the agents' names; an agent that is done with none of its trials is not there. */
export function unitResults(
  { id, chain }: Pick<BenchmarkUnit, 'id' | 'chain'>,
  cases: readonly EvaluationCase[],
  basis: Pick<ResultsBasis, 'tools'>,
): UnitResult[] {
  const traits = traitsOf(basis);
  const done = cases.filter(({ unit, stage }) => unit === id && stage.kind === 'done');
  return Array.from(
    Map.groupBy(done, ({ agent }) => agent),
    ([agent, own]) => {
      const values = valuesByUnit(own, basis);
      const value = (metric: UnitMetric): number | null => values[metric].get(id) ?? null;
      const shown = new Set(own.map((each) => patternOfCase(each, chain, traits)));
      return {
        unit: id,
        agent,
        trials: own.length,
        tcs: value('tcs'),
        mtc: value('mtc'),
        tfd: value('tfd'),
        ar: value('ar'),
        uic: value('uic'),
        ecg: value('ecg'),
        pass: value('pass'),
        passes: trialPasses(own),
        patterns: failurePatterns.filter((pattern) => shown.has(pattern)),
      };
    },
  ).toSorted((a, b) => (a.agent < b.agent ? -1 : 1));
}

/** A result's place in the order of all: by unit, then by agent. Neither name holds a line break, which sorts before all else. */
export const placeOfUnitResult = ({ unit, agent }: Pick<UnitResult, 'unit' | 'agent'>): string => `${unit}\n${agent}`;
