import type { IndexDescription } from './upstash-answers.ts';

/** Why an Upstash index cannot be used as intended. */
export type Unfit = 'not-dense' | 'not-cosine' | 'no-embedding-model' | 'other-dimension';

/**
 * Returns why an index cannot be used as intended: with vectors of an embedder of this dimension, or with texts that
 * Upstash embeds. Only a dense index with cosine similarity has usable scores. Undefined if it fits.
 */
export function findReasonIndexIsUnfit(
  index: IndexDescription,
  wanted: { readonly embedding: 'embedder'; readonly dimension: number } | { readonly embedding: 'store' },
): Unfit | undefined {
  if (index.kind !== 'dense') return 'not-dense';
  if (index.similarity !== 'cosine') return 'not-cosine';
  if (wanted.embedding === 'store') return index.embeddingModel === null ? 'no-embedding-model' : undefined;
  return index.dimension === wanted.dimension ? undefined : 'other-dimension';
}
