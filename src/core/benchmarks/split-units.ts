import { sha256Hex } from '#core/values/canonical.ts';
import type { Split } from '#core/units/split.ts';
import { chooseCountsForTotal } from './choose-total.ts';
import type { Lineages } from './lineages.ts';

/**
 * Splits units by seed, lineage by lineage: a unit and what was evolved from it are on one side, because each reveals
 * what the other expects. Each lineage gets a number from the hash of seed and name, and those with the smallest numbers
 * become private, as many units as are nearest to the rounded share that whole lineages can make. A lineage with a unit
 * that was `withheld` before stays private even if that exceeds the share, whether or not that unit is among these.
 * Copies (the same unit from two runs) are kept once. The order of the units stays. Splitting again with the private
 * units as `withheld` gives the same split.
 */
export async function assignSplitsByLineage<U extends { readonly id: string }>(
  units: readonly U[],
  lineages: Lineages,
  seed: number,
  privateShare: number,
  withheld: ReadonlySet<string>,
): Promise<(U & { split: Split })[]> {
  const unique = [...new Map(units.map((unit) => [unit.id, unit])).values()];
  const lineageOf = ({ id }: { readonly id: string }): string => lineages.get(id) ?? id;
  const hidden = new Set([...withheld].map((id) => lineageOf({ id })));
  const open = Map.groupBy(
    unique.filter((unit) => !hidden.has(lineageOf(unit))),
    lineageOf,
  );
  const free = [...open.values()].reduce((sum, members) => sum + members.length, 0);
  const wanted = Math.max(0, Math.round(unique.length * privateShare) - (unique.length - free));
  for (const lineage of await drawLineagesForUnitCount(open, seed, wanted)) hidden.add(lineage);
  return unique.map((unit) => ({ ...unit, split: hidden.has(lineageOf(unit)) ? 'private' : 'public' }));
}

/** Draws lineages that have together as nearly as possible a number of units. */
async function drawLineagesForUnitCount(
  lineages: ReadonlyMap<string, readonly unknown[]>,
  seed: number,
  wanted: number,
): Promise<string[]> {
  const keyed: { readonly name: string; readonly size: number; readonly key: string }[] = [];
  // Sequentially: a promise for each of very many lineages would take more memory than the units.
  for (const [name, { length: size }] of lineages) keyed.push({ name, size, key: await sha256Hex(`${seed}:${name}`) });
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  let room = wanted;
  const first = new Set(
    keyed.filter(({ size }) => {
      if (size > room) return false;
      room -= size;
      return true;
    }),
  );
  // The large ones first: the small ones fill what is left.
  const bySize = [...Map.groupBy(keyed, ({ size }) => size)].toSorted(([a], [b]) => b - a);
  const chosen = chooseCountsForTotal(
    bySize.map(([size, own]) => ({ size, count: own.length, preferred: own.filter((each) => first.has(each)).length })),
    wanted,
  );
  return bySize.flatMap(([, own], place) => own.slice(0, chosen[place]).map(({ name }) => name));
}
