import type { Random } from '#core/values/random.ts';

/** The share of every draw in which all that are left are equally likely: none is ever too unlikely to weigh what it shows. */
const evenShare = 0.5;

/** What was drawn, with its chance among those that were left, and the least chance that one of these had. */
export interface Drawn<T> {
  readonly item: T;
  readonly probability: number;
  readonly leastProbability: number;
}

/**
 * Draws `count` different items (all, if there are fewer), one after another: half of the chance is the same for all that are left, the
 * rest in proportion to `spreadOf`, the expected spread of the item's value, 0 or more. In proportion to the spread is best for
 * a mean (Neyman 1934).
 */
export function drawBySpread<T>(
  random: Random,
  items: readonly T[],
  spreadOf: (item: T) => number,
  count: number,
): Drawn<T>[] {
  const left = [...items];
  const drawn: Drawn<T>[] = [];
  while (drawn.length < count && left.length > 0) {
    const chances = drawChances(left.map(spreadOf));
    const place = drawPlace(random, chances);
    const [item] = left.splice(place, 1);
    const probability = chances[place];
    if (item === undefined || probability === undefined) break;
    drawn.push({ item, probability, leastProbability: Math.min(...chances) });
  }
  return drawn;
}

/** Returns the chances of items with these spreads; all the same if no spread is above 0. */
function drawChances(spreads: readonly number[]): number[] {
  const total = spreads.reduce((sum, spread) => sum + spread, 0);
  const even = 1 / spreads.length;
  return spreads.map((spread) => (total > 0 ? evenShare * even + ((1 - evenShare) * spread) / total : even));
}

function drawPlace(random: Random, chances: readonly number[]): number {
  let rest = random.next();
  for (const [place, chance] of chances.entries()) {
    rest -= chance;
    if (rest < 0) return place;
  }
  return chances.length - 1;
}
