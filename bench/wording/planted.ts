import { makeRandom } from '#core/values/random.ts';

/** Two wordings of which the second adds `effect` to the chance of success at every unit. */
export interface Planted {
  readonly effect: number;
  /** Distinguishes runs: other units, and other chances. */
  readonly run: string;
}

/**
 * Returns the chance of success at a unit: most units are easy or hard (arcsine law, the Beta law with both parameters 1/2),
 * scaled so that the effect can be added to each of them.
 */
export function chanceOf({ effect, run }: Planted, wording: 'a' | 'b', unit: number): number {
  const difficulty = Math.sin((Math.PI / 2) * makeRandom(run, 'unit', unit).next()) ** 2;
  return (1 - Math.abs(effect)) * difficulty + Math.max(0, wording === 'b' ? effect : -effect);
}

/** Returns whether an agent succeeds at a unit in a trial, by chance; the same for the same question. */
export const succeeds = (planted: Planted, wording: 'a' | 'b', unit: number, trial: number): boolean =>
  makeRandom(planted.run, 'trial', wording, unit, trial).next() < chanceOf(planted, wording, unit);
