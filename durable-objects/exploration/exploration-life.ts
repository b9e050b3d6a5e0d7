import { z } from 'zod';
import { serverConnection } from '#core/catalog/server.ts';
import { costEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { explorationConfig } from '#core/exploration/config.ts';
import { knowledgeConnection } from '#core/similarity/knowledge/record.ts';
import { storedModels } from '#core/models/choices.ts';
import { noPreflight, preflight } from '#core/models/preflight.ts';
import { usage } from '#core/models/usage.ts';
import { failureTally, noFailures } from '#core/traces/failure-counts.ts';
import { mounting, oracleMounting } from '#core/units/mounting/mounting.ts';
import { groundingCounts, noGrounding } from '#core/units/grounding-counts.ts';
import { runStanding, type RunLifecycle } from '#durable-objects/shared/run-lifecycle.ts';

/** How a run was created; never changes. */
export const creation = z.object({
  id: z.string(),
  workspace: z.string(),
  /** Earlier releases showed the base agent the servers of the chain. */
  config: explorationConfig.safeExtend({ mounting: mounting.default(oracleMounting) }),
  models: storedModels,
  servers: z.array(serverConnection).readonly(),
  knowledge: knowledgeConnection.nullable().default(null),
  offline: z.boolean(),
  /** What test questions found; absent in runs of earlier versions. */
  preflight: preflight.default(noPreflight),
  /** Absent in runs of earlier releases. */
  estimate: costEstimate.optional(),
  at: z.string(),
});

/** The state of a run; changes with its status and with each round. */
export const standing = runStanding.extend({
  usage,
  grounding: groundingCounts.default(noGrounding),
  failures: failureTally.default(noFailures),
  /** Counts over the committed rounds. */
  rowsWritten: z.number(),
});

/** The life of an exploration. */
export type ExplorationLife = RunLifecycle<z.infer<typeof creation>, z.infer<typeof standing>>;
