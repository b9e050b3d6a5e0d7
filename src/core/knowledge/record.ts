import { z } from 'zod';

/** Longest text of a passage, in bytes of UTF-8. */
export const passageBytes = 8 * 1024;

/** How many numbers a vector may have. */
export const vectorDimensions = { least: 2, most: 4_096 } as const;

/** The part of an index that a passage lies in; the default one has the name `main`. */
export const namespaceName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, dots, - and _');

/**
 * A line of an upload. Without an id a passage gets one from its content. A `vector` spares the embedder; integers do as well
 * as fractions, since only its direction counts.
 */
export const passageLine = z.strictObject({
  id: z.string().min(1).max(200).optional(),
  text: z.string().min(1),
  source: z.string().max(500).default(''),
  licence: z.string().max(500).nullable().default(null),
  vector: z.array(z.number()).min(vectorDimensions.least).max(vectorDimensions.most).optional(),
});
export type PassageLine = z.infer<typeof passageLine>;

/** Where an index keeps its vectors: in an object of ours, or at Upstash. Without a url it is the deployment's Upstash. */
export const vectorStoreChoice = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('embedded') }),
  z.strictObject({
    kind: z.literal('upstash'),
    url: z.string().min(1).max(2_000).optional(),
    token: z.string().min(1).max(2_000).optional(),
  }),
]);

/** What a client decides about an index. */
export const newKnowledge = z.strictObject({
  name: z.string().max(200).default(''),
  /** Without it: Upstash where the deployment has one, else embedded. */
  store: vectorStoreChoice.optional(),
  /** Who makes the vectors: the deployment's embedder, or the store's own model, which only Upstash has. */
  embedding: z.enum(['embedder', 'store']).default('embedder'),
});
export type NewKnowledge = z.input<typeof newKnowledge>;

/** An index as a client sees it. */
export const knowledgeRecord = z.object({
  id: z.string(),
  name: z.string(),
  store: z.enum(['embedded', 'upstash']),
  embedding: z.enum(['embedder', 'store']),
  /** The embedder's model; null where the store embeds. */
  model: z.string().nullable(),
  dimension: z.int().nullable(),
  /** What was loaded through Sextant; an index that was there before may hold more. */
  passages: z.int(),
  namespaces: z.array(z.object({ name: z.string(), passages: z.int() })),
  createdAt: z.string(),
});
export type KnowledgeRecord = z.infer<typeof knowledgeRecord>;

/** An index as it is listed: without what is counted. */
export const knowledgeSummary = knowledgeRecord.omit({ passages: true, namespaces: true });
export type KnowledgeSummary = z.infer<typeof knowledgeSummary>;

/** How to reach an index: what a run needs to search it. The token is encrypted. */
export const knowledgeConnection = z.object({
  id: z.string(),
  store: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('embedded') }),
    /** `url` is null for the deployment's own Upstash. */
    z.object({ kind: z.literal('upstash'), url: z.string().nullable(), encryptedToken: z.string().nullable() }),
  ]),
  embedding: z.enum(['embedder', 'store']),
  /** Whose vectors the index has: queries need the same model. Null where the store embeds. */
  model: z.string().nullable(),
  dimension: z.int().nullable(),
});
export type KnowledgeConnection = z.infer<typeof knowledgeConnection>;

/** What loading came to: lines read, passages put in, and those that were in already. */
export const loadRecord = z.object({
  lines: z.int(),
  loaded: z.int(),
  unchanged: z.int(),
});
export type LoadRecord = z.infer<typeof loadRecord>;

/** Bytes of vectors that an embedded index holds; a dimension of a vector takes one. */
export const embeddedVectorBytes = 48_000_000;

/** An index as it is made: what a client sees of it, and how to reach it. */
export const newIndex = z.object({ summary: knowledgeSummary, connection: knowledgeConnection });
export type NewIndex = z.infer<typeof newIndex>;

/** Binds the encrypted token of a vector index to its address. */
export const vectorTokenContext = (url: string): string => `vector-token:${url}`;
