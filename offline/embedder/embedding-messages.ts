import { z } from 'zod';

/** What the model's thread is asked. */
export const embeddingTask = z.object({ id: z.int(), texts: z.array(z.string()) });

/** What the model's thread answers: a unit vector for each text, or why there is none. */
export const embeddingAnswer = z.union([
  z.object({ id: z.int(), vectors: z.array(z.instanceof(Float32Array)) }),
  z.object({ id: z.int(), error: z.string() }),
]);

export type EmbeddingTask = z.infer<typeof embeddingTask>;
export type EmbeddingAnswer = z.infer<typeof embeddingAnswer>;
