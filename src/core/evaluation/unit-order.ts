import { makeRandom } from '#core/values/random.ts';

/**
 * Returns the place of a unit in the order in which an evaluation takes its units: a number that the seed draws, so that the
 * units of a run that ends early are a random sample of all. Units of the same place follow by id.
 */
export const drawOrderKeyOfUnit = (seed: number, unit: string): number =>
  makeRandom(seed, 'order', unit).below(2 ** 31);

/**
 * Returns how many units of a submission are handed out at once, of so many: a tenth, and at least five. Private units are drawn among the
 * public ones, so nobody holds more private requests at once than a batch has.
 */
export const unitsOfBatch = (units: number): number => Math.max(5, Math.ceil(units / 10));

/** Returns units in the order in which an evaluation with this seed takes them. */
export function orderUnits(seed: number, units: readonly string[]): string[] {
  const places = new Map(units.map((unit) => [unit, drawOrderKeyOfUnit(seed, unit)]));
  const placeOf = (unit: string): number => places.get(unit) ?? 0;
  return units.toSorted((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
}
