import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { overTrials } from '#core/scoring/per-case.ts';
import { trialPass } from './agent-figures.ts';
import type { UnitResult } from './breakdown-record.ts';
import { byScorer } from '#core/scoring/scorers.ts';
import type { CaseFigures } from './case-figures.ts';
import { trialPasses } from './passes.ts';

/** One agent's results in one unit, from its finished trials. */
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

/**
 * The sort key of a result: by unit, then by agent. Neither name has a line break, which sorts before all other
 * characters.
 */
export const placeOfUnitResult = ({ unit, agent }: Pick<UnitResult, 'unit' | 'agent'>): string => `${unit}\n${agent}`;
