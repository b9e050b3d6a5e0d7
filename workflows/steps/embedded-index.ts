import type { EmbeddedIndex } from '#adapters/vector/embedded-store.ts';
import type { Caller } from '../caller.ts';

/** Returns an embedded index as the adapters see it. */
export const makeEmbeddedIndex = (calls: Caller<EmbeddedIndex>): EmbeddedIndex => ({
  digests: (namespace, ids) => calls((index) => index.digests(namespace, ids)),
  put: (namespace, entries, vectors) => calls((index) => index.put(namespace, entries, vectors)),
  nearest: (namespace, query, topK) => calls((index) => index.nearest(namespace, query, topK)),
  remove: (namespace, ids) => calls((index) => index.remove(namespace, ids)),
  clear: (namespace) => calls((index) => index.clear(namespace)),
});
