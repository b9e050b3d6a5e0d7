import type { Scorer } from '#core/scoring/scorer.ts';
import { makeRandom } from '#core/random.ts';
import { comparePasses } from '#core/statistics/mcnemar.ts';
import { comparePaired, type UnitValues } from '#core/statistics/paired.ts';
import { readUnitValueAt, type AgentFigures } from './agent-figures.ts';
import { agentBasisOrEmpty, type ResultsBasis } from './results-basis.ts';
import { scorers, type ScorerKey } from '#core/scoring/scorers.ts';
import type { Comparison } from './record.ts';

/**
 * Compares two agents: by each of these scorers on the units on which both are scored, and by success on the attempts for which both
 * have a verdict.
 */
export function compareAgents(
  a: string,
  b: string,
  basis: Pick<ResultsBasis, 'agents' | 'seed'>,
  asked: readonly (Pick<Scorer, 'direction'> & { readonly key: ScorerKey })[] = scorers,
): Comparison {
  const [first, second] = [agentBasisOrEmpty(basis, a).figures, agentBasisOrEmpty(basis, b).figures];
  const scores: Comparison['scores'] = {};
  for (const { key, direction } of asked) {
    const unitValues = (of: AgentFigures): UnitValues => unitValuesOf(of, key, direction === 'zero');
    scores[key] = comparePaired(unitValues(first), unitValues(second), makeRandom(basis.seed, 'compare', a, b, key), {
      lowerIsBetter: direction !== 'higher',
    });
  }
  return { a, b, scores, success: comparePasses(passesByAttempt(first), passesByAttempt(second)) };
}

/** If the best value is 0, the distances from it are compared. */
const unitValuesOf = (figures: AgentFigures, key: ScorerKey, absolute: boolean): UnitValues =>
  new Map(
    figures.units.map((unit, place) => {
      const value = readUnitValueAt(figures, key, place);
      return [unit, value === null || !absolute ? value : Math.abs(value)];
    }),
  );

const passesByAttempt = ({ units, trials }: AgentFigures): Map<string, boolean | null> =>
  new Map(
    units.flatMap((unit, place) =>
      (trials[place] ?? []).flatMap(({ trial, passed }) =>
        passed.map((each, request) => [`${unit}.${trial}.${request}`, each] as const),
      ),
    ),
  );
