import { z } from 'zod';
import { runStatus } from '../runs.ts';
import { usage } from '#core/models/usage.ts';
import { embedderCalibration } from '#core/similarity/calibrate-embedder.ts';
import { costEstimate, type CostEstimate } from '../estimates/cost-estimate.ts';
import type { IdempotencyKey } from '#core/access/idempotency.ts';
import { evolutionConfig, type EvolutionConfig } from './config.ts';

/** Finished variants, each counted once. */
export const variantCounts = z.object({
  accepted: z.int(),
  review: z.int(),
  rejected: z.int(),
  lost: z.int(),
  dropped: z.int(),
  /** Near-duplicates of kept units. */
  duplicate: z.int(),
});
export type VariantCounts = z.infer<typeof variantCounts>;

/** An evolution as clients see it. */
export const evolutionRecord = z.object({
  exploration: z.string(),
  /** From 1 within its exploration. */
  number: z.int(),
  status: runStatus,
  /** Why it ended; null while it runs. */
  reason: z.string().nullable(),
  config: evolutionConfig,
  /** What it was expected to take when it was created; null in evolutions of earlier releases. */
  estimate: costEstimate.nullable(),
  /** Target number of accepted units. */
  target: z.int(),
  /** Accepted units that were compared with each other before the first variant. */
  compared: z.int(),
  /** How many of them are near-duplicates of others: they stay in the run but are left out of benchmarks. */
  duplicatesFound: z.int(),
  /**
   * Units that were compared by their words only, because the vector index could not be reached or the embedder cannot
   * tell requests apart.
   */
  comparedByWords: z.int(),
  /** How the embedder was calibrated that compares its units; null before, and in evolutions of earlier releases. */
  embedder: embedderCalibration.nullable(),
  /** Accepted units, including variants, that are not near-duplicates of each other. */
  kept: z.int(),
  batches: z.int(),
  variants: variantCounts,
  usage,
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});
export type EvolutionRecord = z.infer<typeof evolutionRecord>;

/** An evolution that a client orders. */
export interface NewEvolution {
  readonly config: EvolutionConfig;
  readonly key: IdempotencyKey | null;
  readonly at: string;
}

/** What an order results in: the evolution, or only its estimate if nothing was to be started. */
export type OrderedEvolution =
  | { readonly kind: 'evolution'; readonly evolution: EvolutionRecord }
  | { readonly kind: 'estimate'; readonly estimate: CostEstimate };

/** Returns the id of an evolution among all runs. */
export const evolutionId = (exploration: string, number: number): string => `${exploration}/evolutions/${number}`;
