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
});
export type EvaluationProgress = z.infer<typeof evaluationProgress>;
