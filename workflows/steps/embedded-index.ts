import type { EmbeddedIndex } from '#adapters/vector/embedded-store.ts';
import type { Caller } from '../caller.ts';

/** Returns an embedded index as the adapters see it. */
export const makeRemoteEmbeddedIndex = (calls: Caller<EmbeddedIndex>): EmbeddedIndex => ({
  digests: (namespace, ids) => calls((index) => index.digests(namespace, ids)),
  storeAllOrRefuse: (namespace, entries, vectors) =>
    calls((index) => index.storeAllOrRefuse(namespace, entries, vectors)),
  nearest: (namespace, query, topK) => calls((index) => index.nearest(namespace, query, topK)),
  remove: (namespace, ids) => calls((index) => index.remove(namespace, ids)),
  clearNamespace: (namespace) => calls((index) => index.clearNamespace(namespace)),
});
