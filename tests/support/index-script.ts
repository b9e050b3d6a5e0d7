import { z } from 'zod';

/** How vector indexes are created and scripted. Used in Node and inside workerd, so it uses neither. */

export const indexSpec = z.object({
  dimension: z.int().default(4),
  similarity: z.enum(['COSINE', 'EUCLIDEAN', 'DOT_PRODUCT']).default('COSINE'),
  indexType: z.enum(['DENSE', 'SPARSE', 'HYBRID']).default('DENSE'),
  /** With one, the index takes texts. */
  embeddingModel: z.string().nullable().default(null),
  token: z.string().default('token-of-the-index'),
});
export type IndexSpec = z.input<typeof indexSpec>;

const behaviour = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hang') }),
  /** The normal behaviour, later. */
  z.object({ kind: z.literal('slow'), ms: z.int() }),
  z.object({
    kind: z.literal('status'),
    status: z.int(),
    headers: z.record(z.string(), z.string()).default({}),
    error: z.string().default('secret of the index'),
  }),
  z.object({ kind: z.literal('cut'), when: z.enum(['before-headers', 'mid-json']) }),
  z.object({ kind: z.enum(['html', 'broken-json']) }),
  z.object({ kind: z.literal('redirect'), to: z.string() }),
  z.object({ kind: z.literal('huge'), bytes: z.int() }),
  /** Well-formed JSON of another form. */
  z.object({ kind: z.literal('body'), body: z.unknown() }),
]);
export type IndexBehaviour = z.infer<typeof behaviour>;

/** The first unused rule that matches a request decides; without one the index behaves normally. */
const rule = z.object({
  /** `query`, `upsert-data`, `info` and so on. */
  operation: z.string().optional(),
  times: z.int().optional(),
  behaviour,
});
export type IndexRule = z.input<typeof rule>;
export const indexScript = z.array(rule);

/** A request as the index received it. */
export const indexRequest = z.object({
  method: z.string(),
  /** Without the index's own address: `/query/ns`. */
  path: z.string(),
  headers: z.record(z.string(), z.unknown()),
  body: z.unknown(),
});
export type IndexRequest = z.infer<typeof indexRequest>;

export const madeIndex = z.object({ id: z.string(), url: z.string() });
