import { failurePatterns } from '#core/metrics/failure-patterns.ts';
import { overTrials } from '#core/metrics/per-unit.ts';
import { trialPass } from './agent-figures.ts';
import type { UnitResult } from './breakdown-record.ts';
import type { CaseFigures, UnitMetric } from './case-figures.ts';
import { trialPasses } from './passes.ts';

/** What one agent came to in one unit, from the trials of it that are done. */
export function unitResult(own: readonly [CaseFigures, ...CaseFigures[]]): UnitResult {
  const [{ unit, agent }] = own;
  const value = (metric: UnitMetric): number | null => overTrials(own.map(({ values }) => values[metric]));
  const shown = new Set(own.map(({ pattern }) => pattern));
  return {
    unit,
    agent,
    trials: own.length,
    tcs: value('tcs'),
    mtc: value('mtc'),
    tfd: value('tfd'),
    ar: value('ar'),
    uic: value('uic'),
    ecg: value('ecg'),
    pass: value('pass'),
    passes: trialPasses(own.map(trialPass)),
    patterns: failurePatterns.filter((pattern) => shown.has(pattern)),
  };
}

/** A result's place in the order of all: by unit, then by agent. Neither name holds a line break, which sorts before all else. */
export const placeOfUnitResult = ({ unit, agent }: Pick<UnitResult, 'unit' | 'agent'>): string => `${unit}\n${agent}`;
