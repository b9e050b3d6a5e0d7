import { z } from 'zod';
import { runStatus } from '../runs.ts';
import { usage } from '#core/models/usage.ts';
import { evolutionConfig } from './config.ts';

/** Variants that are done, each in one of these. */
export const variantCounts = z.object({
  accepted: z.int(),
  review: z.int(),
  rejected: z.int(),
  lost: z.int(),
  dropped: z.int(),
  /** Near-duplicates of units that are kept. */
  duplicate: z.int(),
});
export type VariantCounts = z.infer<typeof variantCounts>;

/** An evolution as a client sees it. */
export const evolutionRecord = z.object({
  exploration: z.string(),
  /** From 1 within its exploration. */
  number: z.int(),
  status: runStatus,
  /** Why it ended; null while it goes on. */
  reason: z.string().nullable(),
  config: evolutionConfig,
  /** Accepted units to have in the end. */
  target: z.int(),
  /** Accepted units that were compared with each other before the first variant. */
  surveyed: z.int(),
  /** How many of them are near-duplicates of others: they stay in the run, and are left out of benchmarks. */
  duplicatesFound: z.int(),
  /** Units for which the vector index was out of reach: they were compared by their words alone. */
  comparedByWords: z.int(),
  /** Accepted units that are no near-duplicates of each other, variants among them. */
  kept: z.int(),
  batches: z.int(),
  variants: variantCounts,
  usage,
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});
export type EvolutionRecord = z.infer<typeof evolutionRecord>;

/** The id of an evolution among all runs. */
export const evolutionId = (exploration: string, number: number): string => `${exploration}/evolutions/${number}`;
