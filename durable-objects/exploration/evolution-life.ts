import { z } from 'zod';
import { evolutionConfig } from '#core/evolution/config.ts';
import { variantCounts } from '#core/evolution/record.ts';
import { usage } from '#core/models/usage.ts';
import { runStanding } from '#durable-objects/shared/run-lifecycle.ts';

/** How an evolution was created; never changes. */
export const creation = z.object({
  id: z.string(),
  exploration: z.string(),
  number: z.number(),
  config: evolutionConfig,
  at: z.string(),
});

/** The state of an evolution; changes with its status, with each part of the survey, and with each batch. */
export const standing = runStanding.extend({
  /** The last unit of the survey so far; null when the survey is over. */
  surveyedTo: z.string().nullable(),
  surveyed: z.number(),
  duplicatesFound: z.number(),
  comparedByWords: z.number(),
  /** Target number of accepted units; 0 until the survey is over. */
  target: z.number(),
  variants: variantCounts,
  /** The results of the batches, oldest first. */
  batches: z.array(z.object({ written: z.number(), accepted: z.number(), dropped: z.number() })),
  usage,
});
