import type { ExplorationConfig } from './config.ts';
import { strategyOf } from './strategies.ts';

/**
 * Steps of the driving workflow that a round takes at most: opening and committing it, one a unit, the probe among them, and
 * one an answer that serves several units.
 */
export const stepsPerRound = ({ batch, strategy }: Pick<ExplorationConfig, 'batch' | 'strategy'>): number => {
  const { seesCatalog, unitsPerAnswer } = strategyOf(strategy);
  return 2 + batch + 1 + (seesCatalog ? Math.ceil(batch / unitsPerAnswer) : 0);
};

/** The hand-over itself, and the step that tells of a failure. */
const stepsKept = 2;

/** Whether an instance that has taken `used` steps leaves the next round to a new one. */
export const handsOver = (used: number, perRound: number, limit: number): boolean =>
  used + perRound + stepsKept > limit;
