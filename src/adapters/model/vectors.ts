import { z } from 'zod';

/** What is read of an answer with embeddings; zod lets only finite numbers pass. */
const embeddings = z.looseObject({
  data: z.array(z.looseObject({ embedding: z.array(z.number()).min(1), index: z.int().min(0).nullish() })).min(1),
  usage: z.looseObject({ prompt_tokens: z.int().min(0) }).nullish(),
});

export interface Vectors {
  /** In the order of the texts, all of one length. */
  readonly vectors: readonly (readonly number[])[];
  readonly promptTokens: number | undefined;
}

/** Reads an endpoint's answer to so many texts; undefined where it has not one vector for each, or not all of one length. */
export function readVectors(body: unknown, texts: number): Vectors | undefined {
  const { data: answer } = embeddings.safeParse(body);
  if (answer === undefined || answer.data.length !== texts) return undefined;
  // Where endpoints do not number the vectors, they are in order.
  const byIndex = new Map(answer.data.map(({ embedding, index }, i) => [index ?? i, embedding]));
  const vectors = answer.data.flatMap((_, i) => {
    const vector = byIndex.get(i);
    return vector === undefined ? [] : [vector];
  });
  const sameLength = vectors.every(({ length }) => length === vectors[0]?.length);
  if (vectors.length !== texts || !sameLength) return undefined;
  return { vectors, promptTokens: answer.usage?.prompt_tokens };
}
