import { getScoreOrThrow, type Parts, type Score } from '#core/scoring/score.ts';
import { scoreParts, type AttemptScorerKey, type ScorerKey } from './scorers.ts';

/**
 * Returns a part of a score as one number: a number as it is, the mean of a list, and 1 or 0 for yes or no. Null if it is
 * absent, empty, or not a figure.
 */
export function partAsNumberOrNull(part: Parts[string] | undefined): number | null {
  if (part === undefined || part === null) return null;
  if (!Array.isArray(part)) return Number(part);
  const numbers = part.filter((each) => typeof each !== 'string').map(Number);
  return numbers.length === 0 ? null : meanOf(numbers);
}

/**
 * Returns the parts of a case's scores, in the order of `scoreParts`; null for those that are not known, and those of
 * missing scores, so that the parts are of what the scores are of. A part of an attempt's score is the mean of the attempts that have it.
 */
export function casePartValues(
  attempts: readonly Readonly<Record<AttemptScorerKey, Score>>[],
  scores: Readonly<Partial<Record<ScorerKey, Score>>>,
): (number | null)[] {
  return scoreParts.map(({ scorer, unit, key }) => {
    const whole = scores[scorer];
    if (whole === undefined || whole.value === null) return null;
    const found: readonly Score[] = unit === 'case' ? [whole] : attempts.map((each) => getScoreOrThrow(each, scorer));
    const known = found.flatMap(({ value, parts }) => (value === null ? [] : (partAsNumberOrNull(parts[key]) ?? [])));
    return known.length === 0 ? null : meanOf(known);
  });
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
