import { z } from 'zod';

/** A passage as it was loaded. */
export const knowledgePassage = z.object({
  /** Unique in its namespace. */
  id: z.string(),
  text: z.string(),
  /** Where it comes from, for a person. */
  source: z.string(),
  /** The terms that it stands under; null where the loader named none. */
  licence: z.string().nullable(),
});
export type KnowledgePassage = Readonly<z.infer<typeof knowledgePassage>>;

/** A passage that a search found. */
export const foundPassage = z.object({
  ...knowledgePassage.shape,
  /** The plain cosine to the query, -1..1. Nearness is no proof: a false statement lies near the passage that refutes it. */
  score: z.number(),
});
export type FoundPassage = Readonly<z.infer<typeof foundPassage>>;

/** A passage with what its store needs to know: `digest` shows whether the same passage is already stored. */
export interface StoredPassage extends KnowledgePassage {
  readonly digest: string;
}
