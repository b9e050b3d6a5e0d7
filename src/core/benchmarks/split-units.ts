import { sha256Hex } from '../canonical.ts';
import type { Split } from './benchmark.ts';

/** What splitting needs to know about a unit. */
export interface SplittableUnit {
  readonly id: string;
  readonly provenance: {
    readonly exploration: string;
    readonly unit: string;
    readonly lineage?: { readonly seeds: readonly { readonly unit: string }[] } | undefined;
  };
}

/**
 * Splits units by seed. Each unit gets a number from the hash of seed and id, and those with the smallest numbers
 * become private, as many as the rounded share. Units that were `withheld` before stay private even if they exceed the
 * share. A variant of a private unit is private too, because it reveals what that unit expects. Copies (the same unit
 * from two runs) are kept once. The order of the units stays. Splitting again with the private units as `withheld`
 * gives the same split.
 */
export async function splitUnits<U extends SplittableUnit>(
  units: readonly U[],
  seed: number,
  privateShare: number,
  withheld: ReadonlySet<string>,
): Promise<(U & { split: Split })[]> {
  const unique = [...new Map(units.map((unit) => [unit.id, unit])).values()];
  const keyed: { readonly id: string; readonly key: string }[] = [];
  // Sequentially: a promise for each of very many units would take more memory than the units.
  for (const { id } of unique) keyed.push({ id, key: await sha256Hex(`${seed}:${id}`) });
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  const familyOf = makeFamilyFinder(unique);
  const hidden = new Set(unique.filter(({ id }) => withheld.has(id)).flatMap(({ id }) => familyOf(id)));
  const wanted = Math.round(unique.length * privateShare);
  // A family that is too large for the remaining room may have shrunk by the next pass.
  for (let before = -1; before !== hidden.size && hidden.size < wanted;) {
    before = hidden.size;
    for (const { id } of keyed) {
      if (hidden.size === wanted) break;
      const added = familyOf(id).filter((each) => !hidden.has(each));
      if (hidden.size + added.length <= wanted) for (const each of added) hidden.add(each);
    }
  }
  return unique.map((unit) => ({ ...unit, split: hidden.has(unit.id) ? 'private' : 'public' }));
}

/** Returns a unit with its variants, their variants, and so on, among these units. */
function makeFamilyFinder(units: readonly SplittableUnit[]): (id: string) => string[] {
  const unitKey = (exploration: string, unit: string): string => `${exploration}/${unit}`;
  const ids = new Map(units.map(({ id, provenance }) => [unitKey(provenance.exploration, provenance.unit), id]));
  const variants = new Map<string, string[]>();
  for (const { id, provenance } of units) {
    for (const seed of provenance.lineage?.seeds ?? []) {
      const from = ids.get(unitKey(provenance.exploration, seed.unit));
      if (from !== undefined) variants.set(from, [...(variants.get(from) ?? []), id]);
    }
  }
  return (id) => {
    const family = new Set([id]);
    for (const each of family) for (const variant of variants.get(each) ?? []) family.add(variant);
    return [...family];
  };
}
