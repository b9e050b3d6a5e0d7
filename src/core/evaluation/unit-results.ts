import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { overTrials } from '#core/scoring/per-case.ts';
import { trialPass } from './agent-figures.ts';
import type { UnitResult } from './breakdown-record.ts';
import { byScorer } from '#core/scoring/scorers.ts';
import type { CaseFigures } from './case-figures.ts';
import { trialPasses } from './passes.ts';

/** What one agent came to in one unit, from the trials of it that are done. */
export function unitResult(own: readonly [CaseFigures, ...CaseFigures[]]): UnitResult {
  const [{ unit, agent }] = own;
  const shown = new Set(own.map(({ pattern }) => pattern));
  return {
    unit,
    agent,
    trials: own.length,
    scores: byScorer((key) => overTrials(own.map(({ values }) => values[key]))),
    passes: trialPasses(own.map(trialPass)),
    patterns: failurePatterns.filter((pattern) => shown.has(pattern)),
  };
}

/** A result's place in the order of all: by unit, then by agent. Neither name holds a line break, which sorts before all else. */
export const placeOfUnitResult = ({ unit, agent }: Pick<UnitResult, 'unit' | 'agent'>): string => `${unit}\n${agent}`;
