import { gapSpread } from '#core/metrics/ecg.ts';
import { failurePatterns } from '#core/metrics/failure-patterns.ts';
import { randomFor } from '#core/random.ts';
import { summarise } from '#core/statistics/summary.ts';
import { agentIn, type ResultsBasis } from './basis.ts';
import type { UnitMetric } from './case-figures.ts';
import { effortOf } from './effort.ts';
import { failuresOf } from './failures.ts';
import { passesOf } from './passes.ts';
import type { AgentResult } from './record.ts';
import { unscoredOf } from './unscored.ts';

/** One agent's means over units with their intervals, its failures and its cost. */
export function resultOf(agent: string, basis: Pick<ResultsBasis, 'agents' | 'trials' | 'seed'>): AgentResult {
  const { figures } = agentIn(basis, agent);
  const { units, values, patterns, attempts } = figures;
  const sum = (metric: UnitMetric) => summarise(values[metric], randomFor(basis.seed, 'bootstrap', agent, metric));
  const [incomplete, noise, unstable] = failurePatterns;
  return {
    name: agent,
    units: units.length,
    execution: sum('execution'),
    tcs: sum('tcs'),
    mtc: sum('mtc'),
    tfd: sum('tfd'),
    ar: sum('ar'),
    uic: sum('uic'),
    ecg: { ...sum('ecg'), ...gapSpread(values.ecg) },
    pass: sum('pass'),
    passes: passesOf(agent, figures, basis),
    patterns: {
      [incomplete]: patterns.get(incomplete) ?? 0,
      [noise]: patterns.get(noise) ?? 0,
      [unstable]: patterns.get(unstable) ?? 0,
    },
    failures: failuresOf(attempts),
    attempts: attempts.made,
    notEvaluated: attempts.notEvaluated,
    relaunched: attempts.relaunched,
    unscoredReasons: unscoredOf(attempts),
    ...effortOf(attempts),
  };
}
