import { z } from 'zod';

/** The fields that we read from an answer with embeddings; zod accepts only finite numbers. */
const embeddings = z.looseObject({
  data: z.array(z.looseObject({ embedding: z.array(z.number()).min(1), index: z.int().min(0).nullish() })).min(1),
  usage: z.looseObject({ prompt_tokens: z.int().min(0) }).nullish(),
});

export interface Vectors {
  /** In the order of the texts, all of one length. */
  readonly vectors: readonly (readonly number[])[];
  readonly promptTokens: number | undefined;
}

/** Reads an endpoint's answer to a number of texts; undefined unless it has one vector for each, all of one length. */
export function parseVectors(body: unknown, texts: number): Vectors | undefined {
  const { data: answer } = embeddings.safeParse(body);
  if (answer === undefined || answer.data.length !== texts) return undefined;
  // Endpoints that do not number the vectors return them in order.
  const byIndex = new Map(answer.data.map(({ embedding, index }, i) => [index ?? i, embedding]));
  const vectors = answer.data.flatMap((_, i) => {
    const vector = byIndex.get(i);
    return vector === undefined ? [] : [vector];
  });
  const sameLength = vectors.every(({ length }) => length === vectors[0]?.length);
  if (vectors.length !== texts || !sameLength) return undefined;
  return { vectors, promptTokens: answer.usage?.prompt_tokens };
}
