import type { FoundPassage, StoredPassage } from '#core/similarity/knowledge/passage-record.ts';
import { DurableObject } from 'cloudflare:workers';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import type { EventBody } from '#core/reports/events.ts';
import {
  newIndex,
  type KnowledgeConnection,
  type KnowledgeRecord,
  type NewIndex,
} from '#core/similarity/knowledge/record.ts';
import { EmbeddedPassages } from './embedded-passages.ts';
import { EventLog } from '#durable-objects/shared/event-log.ts';
import { EventStream } from '#durable-objects/shared/event-stream.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import { ExternalPassages } from './external-passages.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { knowledgeIndexSchema } from './schema.ts';

/**
 * One knowledge index: its record, its events, and its passages if they are embedded here; otherwise the ids of those
 * in the external store. Once it is deleted, everything except `create` finds nothing.
 */
export class KnowledgeIndex extends DurableObject {
  readonly #storage: DurableObjectStorage;
  readonly #stream: EventStream;
  readonly #singletons: SingletonTable;
  readonly #log: EventLog;
  readonly #elsewhere: ExternalPassages;
  #made: NewIndex | null = null;
  #passages: EmbeddedPassages | null = null;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    const { sql } = state.storage;
    migrate(state.storage, knowledgeIndexSchema);
    this.#singletons = new SingletonTable(sql);
    this.#log = new EventLog(sql);
    this.#elsewhere = new ExternalPassages(sql);
    this.#stream = new EventStream({
      events: (after, limit) => this.#log.read(after, limit),
      lastId: () => this.#log.findLastId(),
      // It lasts as long as the index.
      isComplete: () => this.#indexOrNull === null,
    });
  }

  /** Creates the index. Idempotent. */
  create(index: NewIndex): Result<KnowledgeRecord> {
    if (this.#indexOrNull === null) this.#singletons.write('index', index);
    return this.get();
  }

  get(): Result<KnowledgeRecord> {
    const made = this.#indexOrNull;
    if (made === null) return noIndex;
    const namespaces = this.#getEmbeddedStoreOrNull()?.countByNamespace() ?? this.#elsewhere.countWrittenByNamespace();
    const passages = namespaces.reduce((sum, each) => sum + each.passages, 0);
    return ok({ ...made.summary, passages, namespaces });
  }

  connection(): Result<KnowledgeConnection> {
    return this.#indexOrNull === null ? noIndex : ok(this.#indexOrNull.connection);
  }

  digests(namespace: string, ids: readonly string[]): Result<{ id: string; digest: string }[]> {
    const passages = this.#getEmbeddedStoreOrNull();
    return passages === null ? noIndex : ok(passages.listStoredDigests(namespace, ids));
  }

  storeAllOrRefuse(namespace: string, entries: readonly StoredPassage[], vectors: Int8Array): Result<null> {
    return this.#getEmbeddedStoreOrNull()?.storeAllOrRefuse(namespace, entries, vectors) ?? noIndex;
  }

  nearest(namespace: string, query: readonly number[], topK: number): Result<FoundPassage[]> {
    return this.#getEmbeddedStoreOrNull()?.findNearestPassages(namespace, query, topK) ?? noIndex;
  }

  remove(namespace: string, ids: readonly string[]): Result<number> {
    const passages = this.#getEmbeddedStoreOrNull();
    return passages === null ? noIndex : ok(passages.remove(namespace, ids));
  }

  clearNamespace(namespace: string): Result<null> {
    const passages = this.#getEmbeddedStoreOrNull();
    if (passages === null) return noIndex;
    passages.deleteNamespace(namespace);
    return ok(null);
  }

  /** Records passages that are about to be written to an external store, were written, or were removed. */
  recordExternalPassages(
    what: 'expect' | 'confirm' | 'forget',
    namespace: string,
    ids: readonly string[],
  ): Result<null> {
    if (this.#indexOrNull === null) return noIndex;
    this.#storage.transactionSync(() => this.#elsewhere[what](namespace, ids));
    return ok(null);
  }

  /** Records that a namespace of an external store has no passages of ours any more. */
  recordNamespaceCleared(namespace: string): void {
    this.#elsewhere.recordNamespaceCleared(namespace);
  }

  /** Returns some passages that may be in the external store; null if there are none. */
  listSomeExternalIds(limit: number): { namespace: string; ids: string[] } | null {
    return this.#elsewhere.listSomeIdsOfFirstNamespace(limit);
  }

  /** Adds events; ignored after the index was deleted. */
  emit(events: readonly EventBody[]): void {
    if (this.#indexOrNull === null) return;
    this.#log.append(events, new Date().toISOString());
    this.#stream.notifyListeners();
  }

  /** Returns the event stream; reads `after` from the query. */
  override async fetch(request: Request): Promise<Response> {
    if (this.#indexOrNull === null) return new Response(null, { status: 404 });
    return this.#stream.makeResponse(request);
  }

  /** Deletes everything, also events that listeners have yet to get. */
  async discard(): Promise<void> {
    await this.#storage.deleteAll();
    migrate(this.#storage, knowledgeIndexSchema);
    this.#made = null;
    this.#passages = null;
    this.#stream.notifyListeners();
  }

  get #indexOrNull(): NewIndex | null {
    this.#made ??= this.#singletons.read('index', newIndex);
    return this.#made;
  }

  /** Null if there is no index, or if its passages are external. */
  #getEmbeddedStoreOrNull(): EmbeddedPassages | null {
    const { store, dimension } = this.#indexOrNull?.connection ?? { store: null, dimension: null };
    if (store?.kind !== 'embedded' || dimension === null) return null;
    this.#passages ??= new EmbeddedPassages(this.#storage, dimension);
    return this.#passages;
  }
}

const noIndex = refuse('not-found', 'there is no such index; it may have been deleted');
