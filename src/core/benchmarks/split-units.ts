import { sha256Hex } from '#core/values/canonical.ts';
import type { Split } from '#core/units/split.ts';
import type { Lineages } from './lineages.ts';

/** Things of one size, of which some are to be chosen. */
interface SizeClass {
  /** At least 1. */
  readonly size: number;
  readonly count: number;
  /** The preferred number of chosen ones. */
  readonly preferred: number;
}

/**
 * Returns how many of each class to choose, so that the sizes add up as near to `wanted` as they can; of two totals that
 * are equally near, to the larger. Among the choices with this total, the numbers are near the preferred ones, the
 * classes in front first. Costs time and memory of classes times twice `wanted`: n things have at most sqrt(2n) sizes.
 */
function chooseCountsForTotal(classes: readonly SizeClass[], wanted: number): number[] {
  const sum = classes.reduce((total, { size, count }) => total + size * count, 0);
  const limit = Math.min(sum, 2 * wanted);
  const reachable = markReachableTotalsFromEachClass(classes, limit);
  let rest = findNearestReachableTotal(reachable[0], wanted, limit);
  return classes.map(({ size, count, preferred }, index) => {
    const possible = Array.from({ length: Math.min(count, Math.floor(rest / size)) + 1 }, (_, chosen) => chosen).filter(
      (chosen) => reachable[index + 1]?.[rest - chosen * size] === 1,
    );
    const chosen = possible.reduce((best, each) =>
      Math.abs(each - preferred) < Math.abs(best - preferred) ? each : best,
    );
    rest -= chosen * size;
    return chosen;
  });
}

/** Returns, for each class, which totals up to a limit this class and those behind it can make: 1 at such a total. */
function markReachableTotalsFromEachClass(classes: readonly SizeClass[], limit: number): Uint8Array[] {
  const nothing = new Uint8Array(limit + 1);
  nothing[0] = 1;
  return classes.reduceRight(
    (made: Uint8Array[], { size, count }) => {
      const behind = made[0] ?? nothing;
      const totals = Uint8Array.from(behind);
      const used = new Int32Array(limit + 1);
      for (let total = size; total <= limit; total += 1) {
        const more = (used[total - size] ?? 0) + 1;
        if (totals[total] === 1 || totals[total - size] !== 1 || more > count) continue;
        totals[total] = 1;
        used[total] = more;
      }
      return [totals, ...made];
    },
    [nothing],
  );
}

function findNearestReachableTotal(reachable: Uint8Array | undefined, wanted: number, limit: number): number {
  let nearest = 0;
  for (let total = 1; total <= limit; total += 1)
    if (reachable?.[total] === 1 && Math.abs(total - wanted) <= Math.abs(nearest - wanted)) nearest = total;
  return nearest;
}

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
  return bySize.flatMap(([, own], index) => own.slice(0, chosen[index]).map(({ name }) => name));
}
