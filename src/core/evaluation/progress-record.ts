import { z } from 'zod';

/** The progress of an evaluation. */
export const evaluationProgress = z.object({
  /** Number of planned attempts: agents x units x trials x requests of a unit. */
  attempts: z.int(),
  /** Finished attempts, and how many of these an infrastructure fault broke twice. */
  made: z.int(),
  notEvaluated: z.int(),
  /** Attempts that were repeated after a fault. */
  relaunched: z.int(),
  units: z.int(),
  unitsDone: z.int(),
  /** Finished attempts of each agent that has any; absent in runs of earlier releases. */
  madeByAgent: z.record(z.string(), z.int()).optional(),
});
export type EvaluationProgress = z.infer<typeof evaluationProgress>;
