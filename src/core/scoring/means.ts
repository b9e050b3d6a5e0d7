import { makeScore, makeUnscored, type Parts, type Score, type UnscoredReason } from './score.ts';

/** Reasons that are properties of an attempt, those that say most of a case first. */
const propertiesOfAttempts: readonly UnscoredReason[] = [
  'no-calls',
  'not-met',
  'nothing-to-notice',
  'disturbed',
  'not-disturbed',
];

/**
 * Returns a case's score by a scorer of attempts: the mean of its attempts, which are the parts by name. All must be scored, so
 * that a half-measured case does not count as a whole one. The exceptions are properties of the attempt and no gaps in the
 * measurement, such as `no-calls`: then the other attempts determine the score.
 */
export const meanScoreOverAttempts = (attempts: Readonly<Record<string, Score>>): Score => {
  const scores = Object.values(attempts);
  const parts = valuesByAttempt(attempts);
  for (const each of scores) {
    if (each.value === null && !propertiesOfAttempts.includes(each.reason)) return makeUnscored(each.reason, parts);
  }
  const known = scores.flatMap(({ value }) => value ?? []);
  const [reason = 'no-calls'] = propertiesOfAttempts.filter((each) =>
    scores.some((one) => one.value === null && one.reason === each),
  );
  return known.length === 0
    ? makeUnscored(reason, parts)
    : makeScore(known.reduce((sum, value) => sum + value, 0) / known.length, parts);
};

/**
 * Returns a case's score by a scorer whose only values are 0 and 1: 1 if all of its attempts have 1, else 0. The
 * attempts are the parts by name. All must be scored, even if one has 0: counting only the failures among half-scored
 * cases would lower the rate.
 */
export const minScoreOverAttempts = (attempts: Readonly<Record<string, Score>>): Score => {
  const scores = Object.values(attempts);
  const parts = valuesByAttempt(attempts);
  for (const each of scores) if (each.value === null) return makeUnscored(each.reason, parts);
  return makeScore(scores.every(({ value }) => value === 1) ? 1 : 0, parts);
};

const valuesByAttempt = (attempts: Readonly<Record<string, Score>>): Parts =>
  Object.fromEntries(Object.entries(attempts).map(([name, { value }]) => [name, value]));

/** Returns a unit's value over several trials: the mean of the scored ones, or null. */
export const meanOfScoredTrialsOrNull = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
};
