import { z } from 'zod';
import { pairUnit } from './benchmark.ts';
import { listUnitsOfSameLineages, mapUnitsToLineageNames, type Lineages, type UnitOfRun } from './lineages.ts';
import { assignSplitsByLineage } from './split-units.ts';
import { taskUnit } from '#core/units/task-unit.ts';

/** Where a unit comes from, as it says itself. */
export const unitProvenance = z.union([pairUnit.shape.provenance, taskUnit.shape.provenance]);

interface UnitWithProvenance {
  readonly id: string;
  readonly provenance: z.infer<typeof unitProvenance>;
}

/** A unit with those units of its run that it was evolved from. */
export interface UnitOrigin extends UnitOfRun {
  readonly seeds: readonly string[];
}

/** Returns what lineages need to know of a unit. */
export function originOfUnit({ id, provenance }: UnitWithProvenance): UnitOrigin {
  const [exploration, unit, lineage] =
    'collection' in provenance
      ? [provenance.collection, provenance.task, provenance.made?.lineage]
      : [provenance.exploration, provenance.unit, provenance.lineage];
  return { id, exploration, unit, seeds: lineage?.seeds.map((seed) => seed.unit) ?? [] };
}

/** Returns the lineages that units' own descents connect. */
export function mapToLineages(units: readonly UnitOrigin[]): Lineages {
  const descents = units.flatMap(({ exploration, unit, seeds }) => seeds.map((seed) => ({ exploration, unit, seed })));
  return mapUnitsToLineageNames(units, descents, new Map());
}

/** Returns those of some units that must be left out where others were seen: the seen ones, and all of their lineages. */
export const listUnitsRelatedToSeen = (units: readonly UnitOrigin[], seen: readonly string[]): Set<string> =>
  listUnitsOfSameLineages(mapToLineages(units), seen);

/**
 * Draws by seed the units that somebody may see who is judged on the others: about a share of them, at most `most`, whole lineages
 * as far as that allows. Returns their ids, in order.
 */
export async function drawSeenUnits(
  units: readonly UnitOrigin[],
  { share, seed, most }: { readonly share: number; readonly seed: number; readonly most: number },
): Promise<string[]> {
  const hiddenShare = 1 - Math.min(share, most / Math.max(1, units.length));
  const split = await assignSplitsByLineage(units, mapToLineages(units), seed, hiddenShare, new Set());
  return split
    .flatMap((unit) => (unit.split === 'public' ? [unit.id] : []))
    .toSorted()
    .slice(0, most);
}
