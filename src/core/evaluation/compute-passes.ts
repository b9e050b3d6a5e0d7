import { passAtK, passHatK } from '#core/statistics/pass-at-k.ts';
import { summariseShares } from '#core/statistics/summary.ts';
import type { AgentFigures, TrialPass } from './agent-figures.ts';
import type { Passes } from './results-record.ts';

/**
 * Counts the scored and passed trials of a unit. All attempts of a trial must pass, and all must be scored: counting
 * only the failures among partly scored trials would lower the rate.
 */
export function countScoredAndPassedTrials(trials: readonly TrialPass[]): { scored: number; passed: number } {
  const scored = trials.filter(({ passed }) => passed.every((each) => each !== null));
  return { scored: scored.length, passed: scored.filter(({ passed }) => passed.every(Boolean)).length };
}

/** Returns pass@k and pass^k of an agent for each k up to the number of trials. */
export function computePassAtKAndHatK(figures: Pick<AgentFigures, 'trials'>, trials: number): Passes {
  const units = figures.trials.map(countScoredAndPassedTrials);
  const atK = Array.from({ length: trials }, (_, at) => {
    const k = at + 1;
    const summariseChance = (chance: typeof passAtK) =>
      summariseShares(units.map(({ scored, passed }) => chance(scored, passed, k)));
    return { k, passAtK: summariseChance(passAtK), passHatK: summariseChance(passHatK) };
  });
  return { trials, atK };
}
