import { z } from 'zod';
import { listUsedFacts } from './grounding.ts';
import type { Unit } from './unit.ts';

/**
 * Grounding in committed units: how many were searched for, how many need a fact of the index, and for how many the
 * index failed.
 */
export const groundingCounts = z.object({ searched: z.int(), grounded: z.int(), failed: z.int() });
export type GroundingCounts = z.infer<typeof groundingCounts>;

/** Counts the grounding of some units. */
export const countUnitsByGrounding = (units: readonly Unit[]): GroundingCounts => ({
  searched: units.filter(({ grounding }) => grounding.state !== 'none').length,
  grounded: units.filter((unit) => listUsedFacts(unit).length > 0).length,
  failed: units.filter(({ grounding }) => grounding.state === 'failed').length,
});

export const noGrounding: GroundingCounts = { searched: 0, grounded: 0, failed: 0 };

export const addGroundingCounts = (one: GroundingCounts, other: GroundingCounts): GroundingCounts => ({
  searched: one.searched + other.searched,
  grounded: one.grounded + other.grounded,
  failed: one.failed + other.failed,
});
