import { z } from 'zod';
import { costEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { evolutionConfig } from '#core/exploration/evolution/config.ts';
import { variantCounts } from '#core/exploration/evolution/record.ts';
import { upgradeStoredStanding } from '#core/exploration/evolution/stored-standing.ts';
import { embedderCalibration } from '#core/similarity/calibrate-embedder.ts';
import { usage } from '#core/models/usage.ts';
import { runStanding } from '#durable-objects/shared/run-lifecycle.ts';

/** How an evolution was created; never changes. */
export const creation = z.object({
  id: z.string(),
  exploration: z.string(),
  number: z.number(),
  config: evolutionConfig,
  /** Absent in evolutions of earlier releases. */
  estimate: costEstimate.optional(),
  at: z.string(),
});

const currentStanding = runStanding.extend({
  /** The last explored unit that was compared with the others; null when all were. */
  comparedUpTo: z.string().nullable(),
  compared: z.number(),
  duplicatesFound: z.number(),
  comparedByWords: z.number(),
  embedder: embedderCalibration.nullable().default(null),
  /** Target number of accepted units; 0 until all explored units were compared. */
  target: z.number(),
  variants: variantCounts,
  /** The results of the batches, oldest first. */
  batches: z.array(z.object({ written: z.number(), accepted: z.number(), dropped: z.number() })),
  usage,
});

/** The state of an evolution; changes with its status, with each part of the explored units, and with each batch. */
export const standing = z.preprocess(upgradeStoredStanding, currentStanding);
