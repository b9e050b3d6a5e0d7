import type { ExplorationConfig } from './config.ts';
import { strategyOf } from './strategies.ts';

/**
 * Steps of the driving workflow that a round takes at most: opening and committing it, one a unit, the probe among them, and
 * one an answer that serves several units. Where the round waits for reviews, each unit may take some more.
 */
export const stepsPerRound = ({
  batch,
  strategy,
  review,
}: Pick<ExplorationConfig, 'batch' | 'strategy' | 'review'>): number => {
  const { seesCatalog, unitsPerAnswer } = strategyOf(strategy);
  const perUnit = review === 'wait' ? 1 + stepsOfWaiting : 1;
  return 2 + perUnit * (batch + 1) + (seesCatalog ? Math.ceil(batch / unitsPerAnswer) : 0);
};

/** Steps that waiting for one decision takes at most: looking, the wait, looking again, and driving the unit on. */
export const stepsOfWaiting = 4;

/** The hand-over itself, and the step that tells of a failure. */
const stepsKept = 2;

/** Whether an instance that has taken `used` steps leaves the next round to a new one. */
export const handsOver = (used: number, perRound: number, limit: number): boolean =>
  used + perRound + stepsKept > limit;
