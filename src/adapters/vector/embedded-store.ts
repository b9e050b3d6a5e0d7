import type { FoundPassage, StoredPassage } from '#core/similarity/knowledge/passage-record.ts';
import type { Problem } from '#core/values/errors.ts';
import type { Result } from '#core/values/result.ts';
import { quantizeVectorOrNull } from '#core/similarity/knowledge/quantize-vector.ts';
import type { IndexFault, Reached, VectorStore } from '#core/ports.ts';

/** The object that holds an embedded index, as callers see it. */
export interface EmbeddedIndex {
  digests(namespace: string, ids: readonly string[]): Promise<Result<{ id: string; digest: string }[]>>;
  /** The quantized vectors, concatenated. */
  storeAllOrRefuse(namespace: string, entries: readonly StoredPassage[], vectors: Int8Array): Promise<Result<null>>;
  nearest(namespace: string, query: readonly number[], topK: number): Promise<Result<FoundPassage[]>>;
  remove(namespace: string, ids: readonly string[]): Promise<Result<number>>;
  clearNamespace(namespace: string): Promise<Result<null>>;
}

/** Passages in one of our objects; `id` names the index in faults. */
export function makeObjectVectorStore(id: string, index: EmbeddedIndex): VectorStore {
  const withIndexFault = <T>(result: Result<T>): Reached<T> =>
    result.ok ? result : { ok: false, fault: convertProblemToIndexFault(id, result.problem) };
  return {
    async digests(namespace, ids) {
      const found = withIndexFault(await index.digests(namespace, [...ids]));
      return found.ok ? { ok: true, value: new Map(found.value.map(({ id, digest }) => [id, digest])) } : found;
    },

    async put(namespace, entries) {
      const dimension = entries[0]?.vector.length ?? 0;
      const vectors = new Int8Array(entries.length * dimension);
      for (const [n, { vector }] of entries.entries()) {
        const bytes = vector.length === dimension ? quantizeVectorOrNull(vector) : null;
        if (bytes === null) return noDirectionFault(id);
        vectors.set(bytes, n * dimension);
      }
      const passages = entries.map(({ vector: _vector, ...passage }) => passage);
      return passages.length === 0
        ? { ok: true, value: null }
        : withIndexFault(await index.storeAllOrRefuse(namespace, passages, vectors));
    },

    nearest: async (namespace, vector, topK) => withIndexFault(await index.nearest(namespace, [...vector], topK)),
    remove: async (namespace, ids) => withIndexFault(await index.remove(namespace, [...ids])),
    clear: async (namespace) => withIndexFault(await index.clearNamespace(namespace)),
  };
}

const convertProblemToIndexFault = (name: string, { code, detail }: Problem): IndexFault => ({
  where: 'index',
  name,
  code: code === 'index-full' || code === 'dimension-mismatch' ? code : 'unreachable',
  detail,
});

const noDirectionFault = (name: string) => {
  const detail = 'the vectors do not all have a direction in the same number of dimensions';
  return { ok: false, fault: { where: 'index', name, code: 'dimension-mismatch', detail } } as const;
};
