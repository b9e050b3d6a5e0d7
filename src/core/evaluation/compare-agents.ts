import { getProtocol, scorersOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { makeRandom } from '#core/values/random.ts';
import { comparePasses } from '#core/statistics/mcnemar.ts';
import { comparePairedUnitValues, type UnitValues } from '#core/statistics/paired.ts';
import { unitValueAtOrNull, type AgentFigures } from './agent-figures.ts';
import { agentBasisOrEmpty, type ResultsBasis } from './results-basis.ts';
import type { ScorerKey } from './scorers.ts';
import type { Comparison } from './record.ts';

/**
 * Compares two agents: by each scorer of the protocol on the units on which both are scored, and by its verdict on the attempts for
 * which both have one.
 */
export function compareAgents(
  a: string,
  b: string,
  basis: Pick<ResultsBasis, 'protocol' | 'agents' | 'seed'>,
): Comparison {
  const [first, second] = [agentBasisOrEmpty(basis, a).figures, agentBasisOrEmpty(basis, b).figures];
  const scores: Comparison['scores'] = {};
  for (const { key, direction } of scorersOfProtocol(basis.protocol)) {
    const unitValues = (of: AgentFigures): UnitValues => comparableUnitValuesOfAgent(of, key, direction === 'zero');
    scores[key] = comparePairedUnitValues(
      unitValues(first),
      unitValues(second),
      makeRandom(basis.seed, 'compare', a, b, key),
      {
        lowerIsBetter: direction !== 'higher',
      },
    );
  }
  const { verdict } = getProtocol(basis.protocol);
  const passes =
    verdict === null ? null : { scorer: verdict, ...comparePasses(passesByAttempt(first), passesByAttempt(second)) };
  return { a, b, scores, passes };
}

/** If the best value is 0, the distances from it are compared. */
const comparableUnitValuesOfAgent = (figures: AgentFigures, key: ScorerKey, absolute: boolean): UnitValues =>
  new Map(
    figures.units.map((unit, index) => {
      const value = unitValueAtOrNull(figures, key, index);
      return [unit, value === null || !absolute ? value : Math.abs(value)];
    }),
  );

const passesByAttempt = ({ units, trials }: AgentFigures): Map<string, boolean | null> =>
  new Map(
    units.flatMap((unit, index) =>
      (trials[index] ?? []).flatMap(({ trial, passed }) =>
        passed.map((each, request) => [`${unit}.${trial}.${request}`, each] as const),
      ),
    ),
  );
