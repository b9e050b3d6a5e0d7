import { z } from 'zod';
import { relationWeights } from '#core/units/relation-kinds.ts';
import { budget } from '../config.ts';

/** When an evolution ends besides reaching its target; each part applies separately. */
export const evolutionBudget = z.strictObject({
  batches: z.int().min(1).max(1_000).default(200),
  ...budget.omit({ rounds: true }).shape,
});

/** What a client chooses for an evolution. */
export const evolutionConfig = z.strictObject({
  /** Target number of accepted units, including the run's own; default half as many again. */
  targetUnits: z.int().min(1).max(100_000).optional(),
  /** Variants written at once. */
  batch: z.int().min(1).max(50).default(10),
  /** Minimum share of accepted variants in the last two batches; 0 never stops. */
  minYield: z.number().min(0).max(1).default(0.2),
  budget: evolutionBudget.prefault({}),
  /** How often each kind of metamorphic relation is asked for. */
  relations: relationWeights.prefault({}),
  seed: z.int().min(0).max(2_147_483_647).default(1),
});
export type EvolutionConfig = z.infer<typeof evolutionConfig>;

/** Returns the target number of units where nobody chooses one: half as many again. */
export const defaultTargetUnits = (keptUnits: number): number => Math.ceil(1.5 * keptUnits);
