import type { FactIndex } from '#core/ports.ts';
import type { OpenedStore } from './stores.ts';
import { computeVectorsOfDimension } from './compute-vectors.ts';

/** Finds passages for questions in one namespace of an index. */
export function makeFactIndex(opened: OpenedStore, namespace: string): FactIndex {
  return {
    async search(query, topK) {
      if (opened.embedding === 'store')
        return { ...(await opened.store.nearestTexts(namespace, query, topK)), calls: [] };
      const embedded = await computeVectorsOfDimension(opened.embedder, opened.dimension, [query]);
      if (!embedded.ok) return embedded;
      const { vectors, calls } = embedded;
      return { ...(await opened.store.nearest(namespace, vectors[0] ?? [], topK)), calls };
    },
  };
}
