import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { meanOfScoredTrialsOrNull } from '#core/scoring/means.ts';
import { trialAndPassesOfCase } from './agent-figures.ts';
import type { UnitResult } from './breakdown-record.ts';
import { buildRecordByScorer } from './scorers.ts';
import type { CaseFigures } from './case-figures.ts';
import { countScoredAndPassedTrials } from './compute-passes.ts';

/** Returns one agent's results in one unit, from its finished trials. */
export function makeResultOfAgentInUnit(
  own: readonly [CaseFigures, ...CaseFigures[]],
  protocol: ProtocolKey,
): UnitResult {
  const [{ unit, agent }] = own;
  const shown = new Set(own.map(({ pattern }) => pattern));
  return {
    unit,
    agent,
    trials: own.length,
    scores: buildRecordByScorer((key) => meanOfScoredTrialsOrNull(own.map(({ values }) => values[key]))),
    passes: getProtocol(protocol).verdict === null ? null : countScoredAndPassedTrials(own.map(trialAndPassesOfCase)),
    patterns: failurePatterns.filter((pattern) => shown.has(pattern)),
  };
}

/**
 * Returns the sort key of a result: by unit, then by agent. Neither name has a line break, which sorts before all other
 * characters.
 */
export const unitResultSortKey = ({ unit, agent }: Pick<UnitResult, 'unit' | 'agent'>): string => `${unit}\n${agent}`;
