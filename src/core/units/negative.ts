import type { AuditAnswer, NegativeAuditAnswer, NegativePairAnswer, Pair, PairAnswer } from './answers.ts';
import { doneStage } from './ending.ts';
import type { Unit } from './unit.ts';

/**
 * Negative units: both requests look as if one of the tools served them, and no tool of the catalog does. The chain is empty; an agent
 * should call nothing and say so.
 */

/** Returns whether the candidate set being tried is to become a negative unit. */
export const isNegativeUnit = ({ draws, drawn }: Pick<Unit, 'draws' | 'drawn'>): boolean =>
  draws[drawn - 1]?.negative === true;

/** Returns whether a pair, of a unit or of a benchmark, is negative. */
export const isNegativePair = ({ looksLike }: Pick<Pair, 'looksLike'>): boolean => looksLike !== undefined;

/** Returns a writer's answer as that of a pair: without a chain, and with the tool that the requests seem to ask for. */
export const pairAnswerFromNegative = (looksLike: string, { pair, ...answer }: NegativePairAnswer): PairAnswer => ({
  ...answer,
  pair: pair && { ...pair, chain: [], arguments: [], facts: [], looksLike },
});

/** Returns a critic's answer as that of an audit: that nothing serves the requests takes the place of their solvability. */
export const auditAnswerFromNegative = ({ unserved, ...answer }: NegativeAuditAnswer): AuditAnswer => ({
  ...answer,
  facts: [],
  parameterSolvability: unserved,
});

/** Returns a negative unit whose requests have both been executed: it is accepted, whatever the agent called. */
export function acceptNegativeUnit(unit: Unit): Unit {
  const attempts = [unit.executions.source, unit.executions.followUp];
  const calling = attempts.filter((record) => (record?.calls.length ?? 0) > 0).length;
  return {
    ...unit,
    stage: doneStage(
      'accepted',
      `both requests were executed; no tool fits them, and ${calling} of 2 attempts called one`,
    ),
  };
}
