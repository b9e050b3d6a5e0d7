import { z } from 'zod';
import { budget } from '#core/exploration/config.ts';

/** When an evolution ends by itself, beside its target; each part holds on its own. */
export const evolutionBudget = z.strictObject({
  batches: z.int().min(1).max(1_000).default(200),
  ...budget.omit({ rounds: true }).shape,
});

/** What a client may decide about an evolution. */
export const evolutionConfig = z.strictObject({
  /** Accepted units, those of the run and their variants together; without it, half as many again as there are. */
  targetUnits: z.int().min(1).max(100_000).optional(),
  /** Variants written at once. */
  batch: z.int().min(1).max(50).default(10),
  /** Share of the variants of the last two batches that was accepted, below which going on is not worth it; 0 never stops. */
  minYield: z.number().min(0).max(1).default(0.2),
  budget: evolutionBudget.prefault({}),
  seed: z.int().min(0).max(2_147_483_647).default(1),
});
export type EvolutionConfig = z.infer<typeof evolutionConfig>;
