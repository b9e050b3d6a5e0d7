import { gapSpread } from '#core/metrics/ecg.ts';
import { randomFor } from '#core/random.ts';
import { summarise } from '#core/statistics/summary.ts';
import { attemptsOf, doneCasesOf, type ResultsBasis } from './basis.ts';
import { effortOf } from './effort.ts';
import { failuresOf } from './failures.ts';
import { passesOf } from './passes.ts';
import { patternsOf } from './patterns.ts';
import type { AgentResult } from './record.ts';
import { valuesByUnit, type UnitMetric } from './unit-values.ts';
import { unscoredOf } from './unscored.ts';

/** One agent's means over units with their intervals, its failures and its cost. */
export function resultOf(agent: string, basis: ResultsBasis): AgentResult {
  const own = doneCasesOf(agent, basis);
  const values = valuesByUnit(own, basis);
  const sum = (metric: UnitMetric) =>
    summarise([...values[metric].values()], randomFor(basis.seed, 'bootstrap', agent, metric));
  const attempts = own.flatMap(attemptsOf);
  return {
    name: agent,
    units: values.tcs.size,
    execution: sum('execution'),
    tcs: sum('tcs'),
    mtc: sum('mtc'),
    tfd: sum('tfd'),
    ar: sum('ar'),
    uic: sum('uic'),
    ecg: { ...sum('ecg'), ...gapSpread([...values.ecg.values()]) },
    pass: sum('pass'),
    passes: passesOf(agent, own, basis),
    patterns: patternsOf(own, basis),
    failures: failuresOf(attempts),
    attempts: attempts.length,
    notEvaluated: attempts.filter(({ evaluated }) => !evaluated).length,
    relaunched: attempts.filter(({ relaunched }) => relaunched).length,
    unscoredReasons: unscoredOf(attempts),
    ...effortOf(attempts),
  };
}
