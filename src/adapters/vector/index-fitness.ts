import type { IndexDescription } from './upstash-answers.ts';

/** Why an index at Upstash cannot be used as it is wanted. */
export type Unfit = 'not-dense' | 'not-cosine' | 'no-embedding-model' | 'other-dimension';

/**
 * Whether an index can hold what is wanted: vectors of an embedder of this dimension, or texts that Upstash embeds. Only a
 * dense index under the cosine has scores that mean a cosine. Undefined where it fits.
 */
export function unfit(
  index: IndexDescription,
  wanted: { readonly embedding: 'embedder'; readonly dimension: number } | { readonly embedding: 'store' },
): Unfit | undefined {
  if (index.kind !== 'dense') return 'not-dense';
  if (index.similarity !== 'cosine') return 'not-cosine';
  if (wanted.embedding === 'store') return index.embeddingModel === null ? 'no-embedding-model' : undefined;
  return index.dimension === wanted.dimension ? undefined : 'other-dimension';
}
