import type { FoundPassage } from '#core/similarity/knowledge/passage-record.ts';
import { z } from 'zod';

/** The fields that we read from answers of Upstash Vector, and how we read passages that others stored. */

const metadata = z.record(z.string(), z.unknown());
const entry = z.looseObject({
  id: z.union([z.string(), z.number()]),
  metadata: metadata.nullish(),
  data: z.string().nullish(),
});
type Entry = z.infer<typeof entry>;

/** The answer to `query` and `query-data`. */
export const queryAnswer = z.array(entry.extend({ score: z.number() }));
/** The answer to `fetch`: one item for each id, null where the id is unknown. */
export const fetchAnswer = z.array(entry.nullable());
export const upsertAnswer = z.string();
export const deleteAnswer = z.looseObject({ deleted: z.int().min(0) });
export const resetAnswer = z.string();

const parts = z.looseObject({ embeddingModel: z.string().nullish() }).nullish();
export const infoAnswer = z
  .looseObject({
    vectorCount: z.int().min(0),
    dimension: z.int().min(0),
    similarityFunction: z.string(),
    indexType: z.string().nullish(),
    denseIndex: parts,
    sparseIndex: parts,
  })
  .transform(({ vectorCount, dimension, similarityFunction, indexType, denseIndex, sparseIndex }): IndexDescription => {
    const known = kinds.find((kind) => kind === indexType?.toLowerCase());
    const apparent = sparseIndex ? (dimension > 0 ? 'hybrid' : 'sparse') : 'dense';
    return {
      kind: known ?? apparent,
      dimension,
      similarity: similarityFunction.toLowerCase(),
      embeddingModel: denseIndex?.embeddingModel || null,
      vectors: vectorCount,
    };
  });
const kinds = ['dense', 'sparse', 'hybrid'] as const;

/** An index as Upstash describes it. */
export interface IndexDescription {
  readonly kind: 'dense' | 'sparse' | 'hybrid';
  readonly dimension: number;
  /** `cosine`, `euclidean` or `dot_product`. */
  readonly similarity: string;
  /** Upstash's embedding model; null if clients send vectors. */
  readonly embeddingModel: string | null;
  /** In all namespaces. */
  readonly vectors: number;
}

/** The digest of passages that we stored. */
export const storedDigestOfItemOrUndefined = ({ metadata }: Entry): string | undefined =>
  textOfMetadata(metadata, 'digest');

/** Returns the passages of an answer, best first. Items without a text in `data` or metadata are skipped. */
export function parseFoundPassages(found: z.infer<typeof queryAnswer>): FoundPassage[] {
  return found
    .flatMap((each): FoundPassage[] => {
      const { metadata, data } = each;
      const id = String(each.id);
      const text = data || textOfMetadata(metadata, 'text');
      if (!text) return [];
      const source =
        textOfMetadata(metadata, 'source') ??
        textOfMetadata(metadata, 'url') ??
        textOfMetadata(metadata, 'title') ??
        id;
      const licence = textOfMetadata(metadata, 'licence') ?? textOfMetadata(metadata, 'license') ?? null;
      return [{ id, text, source, licence, score: cosineOfUpstashScore(each.score) }];
    })
    .toSorted((a, b) => b.score - a.score);
}

/** Upstash returns (1 + cosine) / 2. */
const cosineOfUpstashScore = (score: number): number => Math.max(-1, Math.min(1, 2 * score - 1));

const textOfMetadata = (metadata: Entry['metadata'], key: string): string | undefined => {
  const value = metadata?.[key];
  return typeof value === 'string' ? value : undefined;
};
