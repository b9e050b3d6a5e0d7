import { decideDuplicate, expectedBy } from '#core/similarity/near-duplicates.ts';
import type { Unit } from './unit.ts';

/** The neighbourhood of a unit: others by the cosine of their texts, the nearest first; null where it is not known. */
export interface Comparison {
  readonly unit: string;
  readonly neighbours: readonly { readonly unit: string; readonly cosine: number | null }[];
}

/** How many neighbours are looked at. */
export const neighboursCompared = 10;

/** The first of some neighbours that a unit is a near-duplicate of; null where it is of none. */
export function nearDuplicateAmong(
  unit: Unit,
  neighbours: readonly { readonly unit: Unit; readonly cosine: number | null }[],
): Unit['duplicateOf'] {
  const { pair } = unit;
  if (pair === null) return null;
  const found = neighbours.find(
    ({ unit: { pair: other }, cosine }) =>
      other !== null && decideDuplicate(expectedBy(pair), expectedBy(other), cosine).duplicate,
  );
  return found === undefined ? null : { unit: found.unit.id, cosine: found.cosine };
}
