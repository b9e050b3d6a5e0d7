import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { decryptStoredSecretOrThrow } from '#adapters/secrets/stored-secret.ts';
import { getDeploymentVectorIndex, type Settings } from '#adapters/settings.ts';
import { vectorTokenEncryptionContext, type KnowledgeConnection } from '#core/similarity/knowledge/record.ts';
import type { Embedder, PassageStore, Reached, TextStore, VectorStore } from '#core/ports.ts';
import { makeObjectVectorStore, type EmbeddedIndex } from './embedded-store.ts';
import { makeIndexEmbedder } from './index-embedder.ts';
import { makeUpstashStore, type UpstashStore } from './upstash.ts';

/** An index that is ready for use: with its embedder, or embedding by itself. */
export type OpenedStore =
  | {
      readonly embedding: 'embedder';
      readonly store: VectorStore;
      readonly embedder: Embedder;
      readonly dimension: number;
    }
  | { readonly embedding: 'store'; readonly store: TextStore };

/** Opens an index of any kind; only this file knows all kinds of stores. `embedded` is the object with its id. */
export async function openKnowledgeStore(
  connection: KnowledgeConnection,
  settings: Settings,
  embedded: EmbeddedIndex,
  admission: Admission,
): Promise<Reached<OpenedStore>> {
  const { id, store, embedding, model, dimension } = connection;
  if (store.kind === 'embedded')
    return storeWithEmbedderOrFault(connection, settings, admission, makeObjectVectorStore(id, embedded));
  const at = await openUpstashStore(connection, settings, admission);
  if (!at.ok) return at;
  // All our indexes share the deployment's own, each with its own namespaces.
  const reached = store.url === null ? storeWithNamespacePrefix(at.value, id) : at.value;
  if (embedding === 'store') return { ok: true, value: { embedding, store: reached } };
  return storeWithEmbedderOrFault({ id, model, dimension }, settings, admission, reached);
}

/** Opens an index at Upstash by its address and token, or the deployment's own. */
export async function openUpstashStore(
  { id, store }: Pick<KnowledgeConnection, 'id' | 'store'>,
  settings: Settings,
  admission: Admission,
): Promise<Reached<UpstashStore>> {
  const own = getDeploymentVectorIndex(settings);
  const url = store.kind === 'upstash' && store.url !== null ? store.url : own?.url;
  const sealed = store.kind === 'upstash' ? store.encryptedToken : null;
  const token =
    sealed === null || url === undefined
      ? own?.token
      : await decryptStoredSecretOrThrow(settings, sealed, vectorTokenEncryptionContext(url));
  if (url === undefined || token === undefined) return unusableFault(id, 'this deployment knows no Upstash');
  const fetch = makeGuardedFetch({ admission, allowLocal: settings.ALLOW_LOCAL_SERVERS, maxBytes: answerBytes });
  return { ok: true, value: makeUpstashStore({ id, url, token, fetch, admission }) };
}

/** Enough for a hundred passages of 8 KiB with metadata, and for what others have stored. */
const answerBytes = 16 * 1024 * 1024;

function storeWithEmbedderOrFault(
  { id, model, dimension }: Pick<KnowledgeConnection, 'id' | 'model' | 'dimension'>,
  settings: Settings,
  admission: Admission,
  store: VectorStore,
): Reached<OpenedStore> {
  if (model === null || dimension === null) return unusableFault(id, 'the index needs an embedder');
  const embedder = makeIndexEmbedder(settings, model, admission);
  return { ok: true, value: { embedding: 'embedder', store, embedder, dimension } };
}

/** Prefixes all namespaces of a store, so that several indexes can share it. */
function storeWithNamespacePrefix(store: UpstashStore, prefix: string): VectorStore & TextStore & PassageStore {
  const at = (namespace: string): string => `${prefix}.${namespace}`;
  return {
    digests: (namespace, ids) => store.digests(at(namespace), ids),
    remove: (namespace, ids) => store.remove(at(namespace), ids),
    clear: (namespace) => store.clear(at(namespace)),
    put: (namespace, entries) => store.put(at(namespace), entries),
    nearest: (namespace, vector, topK) => store.nearest(at(namespace), vector, topK),
    putTexts: (namespace, passages) => store.putTexts(at(namespace), passages),
    nearestTexts: (namespace, query, topK) => store.nearestTexts(at(namespace), query, topK),
  };
}

const unusableFault = (name: string, detail: string) =>
  ({ ok: false, fault: { where: 'index', name, code: 'unreachable', detail } }) as const;
