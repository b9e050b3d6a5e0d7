import { makeRandom } from '#core/random.ts';
import { passAtK, passHatK } from '#core/statistics/pass-at-k.ts';
import { summarise } from '#core/statistics/summary.ts';
import type { AgentFigures, TrialPass } from './agent-figures.ts';
import type { Passes } from './results-record.ts';

/**
 * Counts the scored and passed trials of a unit. All attempts of a trial must pass, and all must be scored: counting
 * only the failures among partly scored trials would lower the rate.
 */
export function countTrialPasses(trials: readonly TrialPass[]): { scored: number; passed: number } {
  const scored = trials.filter(({ passed }) => passed.every((each) => each !== null));
  return { scored: scored.length, passed: scored.filter(({ passed }) => passed.every(Boolean)).length };
}

/** Returns pass@k and pass^k of an agent for each k up to the number of trials. */
export function computePasses(
  agent: string,
  figures: Pick<AgentFigures, 'trials'>,
  { trials, seed }: { readonly trials: number; readonly seed: number },
): Passes {
  const units = figures.trials.map(countTrialPasses);
  const atK = Array.from({ length: trials }, (_, at) => {
    const k = at + 1;
    // The same draws for both, because for k = 1 they are equal and must have the same interval.
    const summariseChance = (chance: typeof passAtK) =>
      summarise(
        units.map(({ scored, passed }) => chance(scored, passed, k)),
        makeRandom(seed, 'bootstrap', agent, 'passes', k),
      );
    return { k, passAtK: summariseChance(passAtK), passHatK: summariseChance(passHatK) };
  });
  return { trials, atK };
}
