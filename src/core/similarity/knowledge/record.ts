import { z } from 'zod';

/** Longest text of a passage, in bytes of UTF-8. */
export const passageBytes = 8 * 1024;

/** How many numbers a vector may have. */
export const vectorDimensions = { least: 2, most: 4_096 } as const;

/** A part of an index; the default one is called `main`. */
export const namespaceName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, dots, - and _');

/**
 * A line of an upload. Without an id, a passage gets one from its content. With a `vector` the embedder is not called;
 * integers work as well as fractions, because only its direction counts.
 */
export const passageLine = z.strictObject({
  id: z.string().min(1).max(200).optional(),
  text: z.string().min(1),
  source: z.string().max(500).default(''),
  licence: z.string().max(500).nullable().default(null),
  vector: z.array(z.number()).min(vectorDimensions.least).max(vectorDimensions.most).optional(),
});
export type PassageLine = z.infer<typeof passageLine>;

/** The store of an index's vectors: one of our objects, or Upstash. Without a url it is the deployment's Upstash. */
export const vectorStoreChoice = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('embedded') }),
  z.strictObject({
    kind: z.literal('upstash'),
    url: z.string().min(1).max(2_000).optional(),
    token: z.string().min(1).max(2_000).optional(),
  }),
]);

/** What a client chooses for an index. */
export const newKnowledge = z.strictObject({
  name: z.string().max(200).default(''),
  /** Default: Upstash if the deployment has one, else embedded. */
  store: vectorStoreChoice.optional(),
  /** Who computes the vectors: the deployment's embedder, or the store's own model, which only Upstash has. */
  embedding: z.enum(['embedder', 'store']).default('embedder'),
});
export type NewKnowledge = z.input<typeof newKnowledge>;

/** An index as a client sees it. */
export const knowledgeRecord = z.object({
  id: z.string(),
  name: z.string(),
  store: z.enum(['embedded', 'upstash']),
  embedding: z.enum(['embedder', 'store']),
  /** The embedder's model; null if the store embeds. */
  model: z.string().nullable(),
  dimension: z.int().nullable(),
  /** Counts passages loaded through Sextant; an external index may hold more. */
  passages: z.int(),
  namespaces: z.array(z.object({ name: z.string(), passages: z.int() })),
  createdAt: z.string(),
});
export type KnowledgeRecord = z.infer<typeof knowledgeRecord>;

/** An index in a list: without its counts. */
export const knowledgeSummary = knowledgeRecord.omit({ passages: true, namespaces: true });
export type KnowledgeSummary = z.infer<typeof knowledgeSummary>;

/** How a run reaches an index to search it. The token is encrypted. */
export const knowledgeConnection = z.object({
  id: z.string(),
  store: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('embedded') }),
    /** `url` is null for the deployment's own Upstash. */
    z.object({ kind: z.literal('upstash'), url: z.string().nullable(), encryptedToken: z.string().nullable() }),
  ]),
  embedding: z.enum(['embedder', 'store']),
  /** The model of the index's vectors, which queries must use too. Null if the store embeds. */
  model: z.string().nullable(),
  dimension: z.int().nullable(),
});
export type KnowledgeConnection = z.infer<typeof knowledgeConnection>;

/** The result of a load: lines read, passages stored, and passages that were already stored. */
export const loadRecord = z.object({
  lines: z.int(),
  loaded: z.int(),
  unchanged: z.int(),
});
export type LoadRecord = z.infer<typeof loadRecord>;

/** Bytes of vectors that an embedded index may hold, at one byte per dimension. */
export const embeddedVectorBytes = 48_000_000;

/** A new index: what a client sees of it, and how to reach it. */
export const newIndex = z.object({ summary: knowledgeSummary, connection: knowledgeConnection });
export type NewIndex = z.infer<typeof newIndex>;

/** Binds the encrypted token of a vector index to its address. */
export const vectorTokenEncryptionContext = (url: string): string => `vector-token:${url}`;
