import { refusal } from './refusal.ts';
import type { Score, UnscoredReason } from './score.ts';

/**
 * Returns why a scorer says nothing about an attempt at a unit; null if it says something. Where no tool fits, the best that can be done is
 * to do nothing, which chains, calls and goals would count as right or wrong for no reason: only `refusal` counts there, and only there.
 */
export const findReasonAgainstScoring = (scorer: string, isNegative: boolean): UnscoredReason | null => {
  if (scorer === refusal.key) return isNegative ? null : 'tool-fits';
  return isNegative ? 'no-tool-fits' : null;
};

/** Returns whether scores are those of an attempt or case at a unit that no tool fits. */
export const areScoresOfNegativeUnit = (scores: Readonly<Record<string, Score>>): boolean =>
  Object.values(scores).some((score) => score.value === null && score.reason === 'no-tool-fits');
