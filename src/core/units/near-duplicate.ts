import { decideDuplicate, expectedRequestOfUnit, type DuplicateThresholds } from '#core/similarity/near-duplicates.ts';
import type { Unit } from './unit.ts';

/** A unit's neighbours by the cosine of their texts, nearest first; the cosine is null if unknown. */
export interface Comparison {
  readonly unit: string;
  readonly neighbours: readonly { readonly unit: string; readonly cosine: number | null }[];
}

/** How many neighbours are examined. */
export const neighboursCompared = 10;

/** Returns the first neighbour of which a unit is a near-duplicate, or null. */
export function findFirstNearDuplicateOrNull(
  unit: Unit,
  neighbours: readonly { readonly unit: Unit; readonly cosine: number | null }[],
  thresholds: DuplicateThresholds,
): Unit['duplicateOf'] {
  const { pair } = unit;
  if (pair === null) return null;
  const found = neighbours.find(
    ({ unit: { pair: other }, cosine }) =>
      other !== null &&
      decideDuplicate(expectedRequestOfUnit(pair), expectedRequestOfUnit(other), cosine, thresholds).duplicate,
  );
  return found === undefined ? null : { unit: found.unit.id, cosine: found.cosine };
}
