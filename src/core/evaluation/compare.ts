import { randomFor } from '#core/random.ts';
import { comparePasses } from '#core/statistics/mcnemar.ts';
import { comparePaired, type UnitValues } from '#core/statistics/paired.ts';
import type { AgentFigures } from './agent-figures.ts';
import { agentIn, type ResultsBasis } from './basis.ts';
import type { UnitMetric } from './case-figures.ts';
import type { Comparison } from './record.ts';

/** Two agents compared on the units that both are scored on, metric by metric, and on the attempts that both passed or did not. */
export function compareAgents(a: string, b: string, basis: Pick<ResultsBasis, 'agents' | 'seed'>): Comparison {
  const [first, second] = [agentIn(basis, a).figures, agentIn(basis, b).figures];
  const compare = (metric: UnitMetric, of: typeof valuesOf = valuesOf, lowerIsBetter = false) =>
    comparePaired(of(first, metric), of(second, metric), randomFor(basis.seed, 'compare', a, b, metric), {
      lowerIsBetter,
    });
  return {
    a,
    b,
    tcs: compare('tcs'),
    mtc: compare('mtc'),
    tfd: compare('tfd', valuesOf, true),
    ar: compare('ar'),
    uic: compare('uic'),
    ecgAbsolute: compare('ecg', absoluteOf, true),
    pass: comparePasses(passesByAttempt(first), passesByAttempt(second)),
  };
}

const valuesOf = ({ units, values }: AgentFigures, metric: UnitMetric): UnitValues =>
  new Map(units.map((unit, place) => [unit, values[metric][place] ?? null]));

/** The gap's best value lies in the middle: how far from it is what can be compared. */
const absoluteOf = (figures: AgentFigures, metric: UnitMetric): UnitValues =>
  new Map(Array.from(valuesOf(figures, metric), ([unit, value]) => [unit, value === null ? null : Math.abs(value)]));

const passesByAttempt = ({ units, trials }: AgentFigures): Map<string, boolean | null> =>
  new Map(
    units.flatMap((unit, place) =>
      (trials[place] ?? []).flatMap(({ trial, source, followUp }) => [
        [`${unit}.${trial}.source`, source] as const,
        [`${unit}.${trial}.followUp`, followUp] as const,
      ]),
    ),
  );
