import { scorersOfProtocol, type ListedScorer, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { handleKept } from '#core/scoring/handle-kept.ts';
import { findReasonAgainstScoring } from '#core/scoring/negative-scores.ts';
import { scorers, type ScorerKey } from './scorers.ts';
import type { AgentResult, Comparison, EvaluationResults } from './record.ts';

/** Returns whether a scorer says something only of units that no tool fits. */
const isForNegativeUnitsAlone = (key: string): boolean => findReasonAgainstScoring(key, false) !== null;

const hasAttemptWhereNoToolFits = ({ unscoredReasons }: Pick<AgentResult, 'unscoredReasons'>): boolean =>
  Object.values(unscoredReasons).some((reasons) => (reasons['no-tool-fits'] ?? 0) > 0);

/**
 * Returns the scorers that tables of an evaluation show, in their order: those of its protocol, but `refusal` only where an
 * attempt was made at a unit that no tool fits, and `handle kept` only where a call passed a handle. Elsewhere their columns would say nothing.
 */
export function listShownScorers({
  protocol,
  agents,
}: Pick<EvaluationResults, 'protocol' | 'agents'>): readonly ListedScorer[] {
  const hasNegative = agents.some(hasAttemptWhereNoToolFits);
  const hasHandles = agents.some(({ scores }) => scores[handleKept.key].mean !== null);
  return scorersOfProtocol(protocol).filter(({ key }) =>
    isForNegativeUnitsAlone(key) ? hasNegative : key !== handleKept.key || hasHandles,
  );
}

const isForSomeUnitsAlone = (key: string): boolean => isForNegativeUnitsAlone(key) || key === handleKept.key;

/** Returns the scorers that a single case or entry shows: those of its protocol, but those that speak of some units alone only with a value. */
export const listScorersWithSomethingToSay = (
  protocol: ProtocolKey,
  hasValue: (key: ScorerKey) => boolean,
): readonly ListedScorer[] =>
  scorersOfProtocol(protocol).filter(({ key }) => !isForSomeUnitsAlone(key) || hasValue(key));

type ShownComparison = NonNullable<Comparison['scores'][ScorerKey]> & { readonly scorer: (typeof scorers)[number] };

/** Returns the scorers that tables of a comparison show, with their differences: `refusal` and `handle kept` only where both agents have it in a unit. */
export const listShownComparisons = ({ scores }: Pick<Comparison, 'scores'>): ShownComparison[] =>
  scorers.flatMap((scorer) => {
    const found = scores[scorer.key];
    return found === undefined || (found.n === 0 && isForSomeUnitsAlone(scorer.key)) ? [] : [{ scorer, ...found }];
  });
