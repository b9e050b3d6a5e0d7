import { Z95 } from '#core/statistics/normal.ts';
import { type Interval, wilsonInterval } from '#core/statistics/wilson.ts';

/** So many of so many: whole numbers, `trials` at least `successes`. */
export interface Proportion {
  readonly successes: number;
  readonly trials: number;
}

/**
 * The interval of the change from one proportion to another (`to` less `from`, within -1..1) of independent trials, 95% by default.
 * Null without trials on either side. Source: Newcombe 1998, hybrid score interval (method 10), from Wilson intervals.
 */
export const newcombeDifference = (from: Proportion, to: Proportion, z: number = Z95): Interval | null => {
  if (from.trials < 1 || to.trials < 1) return null;
  const p = from.successes / from.trials;
  const q = to.successes / to.trials;
  const ofP = wilsonInterval(p, from.trials, z);
  const ofQ = wilsonInterval(q, to.trials, z);
  return {
    low: q - p - Math.hypot(q - ofQ.low, ofP.high - p),
    high: q - p + Math.hypot(ofQ.high - q, p - ofP.low),
  };
};
