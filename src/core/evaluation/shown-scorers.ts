import { scorersOfProtocol, type ListedScorer } from '#core/benchmarks/protocols/protocols.ts';
import { findReasonAgainstScoring } from '#core/scoring/negative-scores.ts';
import { scorers, type ScorerKey } from './scorers.ts';
import type { AgentResult, Comparison, EvaluationResults } from './record.ts';

/** Returns whether a scorer says something only of units that no tool fits. */
const isForNegativeUnitsAlone = (key: string): boolean => findReasonAgainstScoring(key, false) !== null;

const hasAttemptWhereNoToolFits = ({ unscoredReasons }: Pick<AgentResult, 'unscoredReasons'>): boolean =>
  Object.values(unscoredReasons).some((reasons) => (reasons['no-tool-fits'] ?? 0) > 0);

/**
 * Returns the scorers that tables of an evaluation show, in their order: those of its protocol, but `refusal` only where an
 * attempt was made at a unit that no tool fits. Elsewhere its column would say nothing.
 */
export function listShownScorers({
  protocol,
  agents,
}: Pick<EvaluationResults, 'protocol' | 'agents'>): readonly ListedScorer[] {
  const hasNegative = agents.some(hasAttemptWhereNoToolFits);
  return scorersOfProtocol(protocol).filter(({ key }) => hasNegative || !isForNegativeUnitsAlone(key));
}

type ShownComparison = NonNullable<Comparison['scores'][ScorerKey]> & { readonly scorer: (typeof scorers)[number] };

/** Returns the scorers that tables of a comparison show, with their differences: `refusal` only where both agents have it in a unit. */
export const listShownComparisons = ({ scores }: Pick<Comparison, 'scores'>): ShownComparison[] =>
  scorers.flatMap((scorer) => {
    const found = scores[scorer.key];
    return found === undefined || (found.n === 0 && isForNegativeUnitsAlone(scorer.key)) ? [] : [{ scorer, ...found }];
  });
