import type { Settings } from '#adapters/settings.ts';
import type { KnowledgeConnection } from '#core/knowledge/record.ts';
import type { Embedder, Reached, TextStore, VectorStore } from '#core/ports.ts';
import { embeddedStore, type EmbeddedIndex } from './embedded.ts';
import { indexEmbedder } from './index-embedder.ts';

/** An index that is ready for use: with who makes its vectors, or as one that makes them itself. */
export type OpenedStore =
  | {
      readonly embedding: 'embedder';
      readonly store: VectorStore;
      readonly embedder: Embedder;
      readonly dimension: number;
    }
  | { readonly embedding: 'store'; readonly store: TextStore };

/** Opens an index, wherever it is: the one place that knows all kinds of stores. `embedded` is the object with its id. */
export async function openStore(
  { id, store, model, dimension }: KnowledgeConnection,
  settings: Settings,
  embedded: EmbeddedIndex,
): Promise<Reached<OpenedStore>> {
  switch (store.kind) {
    case 'embedded': {
      if (model === null || dimension === null) return unusable(id, 'an embedded index needs an embedder');
      const embedder = indexEmbedder(settings, model);
      return { ok: true, value: { embedding: 'embedder', store: embeddedStore(id, embedded), embedder, dimension } };
    }
    // Its store comes in here, as a VectorStore with the embedder or as a TextStore, by `embedding`.
    case 'upstash':
      return unusable(id, 'this deployment knows no Upstash');
  }
}

const unusable = (name: string, detail: string) =>
  ({ ok: false, fault: { where: 'index', name, code: 'unreachable', detail } }) as const;
