import { z } from 'zod';

/** How far an evaluation has come. */
export const evaluationProgress = z.object({
  /** Attempts that there will be: agents x units x trials x 2 requests. */
  attempts: z.int(),
  /** Attempts that were made, and of these the ones that an infrastructure fault broke twice. */
  made: z.int(),
  notEvaluated: z.int(),
  /** Attempts that were made a second time after a fault. */
  relaunched: z.int(),
  units: z.int(),
  unitsDone: z.int(),
});
export type EvaluationProgress = z.infer<typeof evaluationProgress>;
