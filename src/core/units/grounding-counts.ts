import { z } from 'zod';
import { factsUsed } from './grounding.ts';
import type { Unit } from './unit.ts';

/** What grounding came to in committed units: `grounded` need a fact of the index, in `failed` the index was out of reach. */
export const groundingCounts = z.object({ searched: z.int(), grounded: z.int(), failed: z.int() });
export type GroundingCounts = z.infer<typeof groundingCounts>;

/** What grounding came to in some units. */
export const groundingOf = (units: readonly Unit[]): GroundingCounts => ({
  searched: units.filter(({ grounding }) => grounding.state !== 'none').length,
  grounded: units.filter((unit) => factsUsed(unit).length > 0).length,
  failed: units.filter(({ grounding }) => grounding.state === 'failed').length,
});

export const noGrounding: GroundingCounts = { searched: 0, grounded: 0, failed: 0 };

export const addGrounding = (one: GroundingCounts, other: GroundingCounts): GroundingCounts => ({
  searched: one.searched + other.searched,
  grounded: one.grounded + other.grounded,
  failed: one.failed + other.failed,
});
