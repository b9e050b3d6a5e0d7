import { randomFor } from '#core/random.ts';
import { passAtK, passHatK } from '#core/statistics/pass-at-k.ts';
import { summarise } from '#core/statistics/summary.ts';
import { casesByUnit } from './basis.ts';
import type { AttemptRecord, EvaluationCase } from './case.ts';
import type { Passes } from './results-record.ts';

/** Whether an attempt passed; null where that is unscored. */
export const attemptPassed = (attempt: AttemptRecord | null): boolean | null =>
  attempt?.scores.pass.scored === true ? attempt.scores.pass.value === 1 : null;

/**
 * How many trials of a unit are scored and passed. Both attempts of a trial have to pass, and both have to be scored: to count
 * only the failures among the half-scored ones would push the rate down.
 */
export function trialPasses(cases: readonly EvaluationCase[]): { scored: number; passed: number } {
  const known = cases.flatMap(({ attempts }) => {
    const [source, followUp] = [attemptPassed(attempts.source), attemptPassed(attempts.followUp)];
    return source === null || followUp === null ? [] : [source && followUp];
  });
  return { scored: known.length, passed: known.filter(Boolean).length };
}

/** pass@k and pass^k of an agent's cases for each k up to the number of trials. */
export function passesOf(
  agent: string,
  cases: readonly EvaluationCase[],
  { trials, seed }: { readonly trials: number; readonly seed: number },
): Passes {
  const units = Array.from(casesByUnit(cases).values(), trialPasses);
  const atK = Array.from({ length: trials }, (_, at) => {
    const k = at + 1;
    // The same draws for both: with k = 1 they are one figure and have to have one interval.
    const over = (chance: typeof passAtK) =>
      summarise(
        units.map(({ scored, passed }) => chance(scored, passed, k)),
        randomFor(seed, 'bootstrap', agent, 'passes', k),
      );
    return { k, passAtK: over(passAtK), passHatK: over(passHatK) };
  });
  return { trials, atK };
}
