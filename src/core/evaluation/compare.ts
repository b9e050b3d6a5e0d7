import { randomFor } from '#core/random.ts';
import { comparePasses } from '#core/statistics/mcnemar.ts';
import { comparePaired, type UnitValues } from '#core/statistics/paired.ts';
import { requestSide } from '#core/units/unit.ts';
import { doneCasesOf, type ResultsBasis } from './basis.ts';
import type { EvaluationCase } from './case.ts';
import { attemptPassed } from './passes.ts';
import type { Comparison } from './record.ts';
import { valuesByUnit } from './unit-values.ts';

/** Two agents compared on the units that both are scored on, metric by metric, and on the attempts that both passed or did not. */
export function compareAgents(a: string, b: string, basis: ResultsBasis): Comparison {
  const [casesOfA, casesOfB] = [doneCasesOf(a, basis), doneCasesOf(b, basis)];
  const [first, second] = [valuesByUnit(casesOfA, basis), valuesByUnit(casesOfB, basis)];
  const compare = (metric: string, ofA: UnitValues, ofB: UnitValues, lowerIsBetter = false) =>
    comparePaired(ofA, ofB, randomFor(basis.seed, 'compare', a, b, metric), { lowerIsBetter });
  return {
    a,
    b,
    tcs: compare('tcs', first.tcs, second.tcs),
    mtc: compare('mtc', first.mtc, second.mtc),
    tfd: compare('tfd', first.tfd, second.tfd, true),
    ar: compare('ar', first.ar, second.ar),
    uic: compare('uic', first.uic, second.uic),
    ecgAbsolute: compare('ecg', absolute(first.ecg), absolute(second.ecg), true),
    pass: comparePasses(passesByAttempt(casesOfA), passesByAttempt(casesOfB)),
  };
}

/** The gap's best value lies in the middle: how far from it is what can be compared. */
const absolute = (values: UnitValues): UnitValues =>
  new Map(Array.from(values, ([unit, value]) => [unit, value === null ? null : Math.abs(value)]));

const passesByAttempt = (cases: readonly EvaluationCase[]): Map<string, boolean | null> =>
  new Map(
    cases.flatMap(({ unit, trial, attempts }) =>
      requestSide.options.map((side) => [`${unit}.${trial}.${side}`, attemptPassed(attempts[side])] as const),
    ),
  );
