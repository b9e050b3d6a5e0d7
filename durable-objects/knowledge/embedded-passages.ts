import type { FoundPassage, StoredPassage } from '#core/similarity/knowledge/passage-record.ts';
import { z } from 'zod';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import { normalizeVectorOrNull } from '#core/similarity/knowledge/vector-block.ts';
import { embeddedVectorBytes } from '#core/similarity/knowledge/record.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';
import { VectorBlocks } from './vector-blocks.ts';

const placeRow = z.object({ slot: z.number(), digest: z.string() });
const passageRow = z.object({ id: z.string(), text: z.string(), source: z.string(), licence: z.string().nullable() });
const countRow = z.object({ name: z.string(), passages: z.number() });

/**
 * Passages with their vectors in the storage of one object. Every call is one transaction, and repeating it changes
 * nothing.
 */
export class EmbeddedPassages {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #dimension: number;
  readonly #blocks: VectorBlocks;

  constructor(storage: DurableObjectStorage, dimension: number) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#dimension = dimension;
    this.#blocks = new VectorBlocks(storage.sql, dimension);
  }

  /** Counts the passages of each non-empty namespace. */
  countByNamespace(): { name: string; passages: number }[] {
    return parseRows(
      countRow,
      this.#sql.exec('SELECT name, passages FROM namespaces WHERE passages > 0 ORDER BY name'),
    );
  }

  /** Returns the digests of the stored passages among these ids. */
  listStoredDigests(namespace: string, ids: readonly string[]): { id: string; digest: string }[] {
    return ids.flatMap((id) => {
      const place = this.#findSlotAndDigest(namespace, id);
      return place === null ? [] : [{ id, digest: place.digest }];
    });
  }

  /** Stores passages, all or none; their quantized vectors are concatenated. */
  storeAllOrRefuse(namespace: string, passages: readonly StoredPassage[], vectors: Int8Array): Result<null> {
    if (vectors.length !== passages.length * this.#dimension)
      return refuse('dimension-mismatch', `the index takes vectors of ${this.#dimension} numbers`);
    // If an id occurs twice, the last one counts.
    const changed = [...new Map(passages.map((passage, n) => [passage.id, { passage, n }])).values()].flatMap(
      ({ passage, n }) => {
        const place = this.#findSlotAndDigest(namespace, passage.id);
        return place?.digest === passage.digest ? [] : [{ passage, n, slot: place?.slot ?? null }];
      },
    );
    const added = changed.filter(({ slot }) => slot === null).length;
    const all = this.countByNamespace().reduce((sum, each) => sum + each.passages, 0);
    const room = Math.floor(embeddedVectorBytes / this.#dimension);
    if (all + added > room)
      return refuse('index-full', `it has ${all} passages, and room for ${room} of ${this.#dimension} dimensions`);
    const before = this.#countInNamespace(namespace);
    const change = this.#blocks.startChange(namespace, before);
    let count = before;
    this.#storage.transactionSync(() => {
      for (const { passage, n, slot: known } of changed) {
        const slot = known ?? count;
        if (known === null) count += 1;
        this.#writePassage(namespace, slot, passage);
        change.put(slot, vectors.subarray(n * this.#dimension, (n + 1) * this.#dimension));
      }
      change.write();
      if (count !== before) this.#storeCountOfNamespace(namespace, count);
    });
    change.cacheWritten();
    return ok(null);
  }

  /** Returns the nearest passages by cosine, best first. */
  findNearestPassages(namespace: string, query: readonly number[], topK: number): Result<FoundPassage[]> {
    const towards = normalizeVectorOrNull(query);
    if (towards?.length !== this.#dimension)
      return refuse('dimension-mismatch', `a query has a direction in ${this.#dimension} dimensions`);
    const near = this.#blocks.findNearestSlots(namespace, this.#countInNamespace(namespace), towards, topK);
    return ok(
      near.flatMap(({ slot, score }) => {
        const rows = this.#sql.exec(
          'SELECT id, text, source, licence FROM passages WHERE namespace = ? AND slot = ?',
          namespace,
          slot,
        );
        return parseRows(passageRow, rows).map((passage) => ({ ...passage, score }));
      }),
    );
  }

  /** Removes passages; returns how many existed. */
  remove(namespace: string, ids: readonly string[]): number {
    const before = this.#countInNamespace(namespace);
    const change = this.#blocks.startChange(namespace, before);
    let count = before;
    this.#storage.transactionSync(() => {
      for (const id of ids) {
        const place = this.#findSlotAndDigest(namespace, id);
        if (place === null) continue;
        count -= 1;
        this.#sql.exec('DELETE FROM passages WHERE namespace = ? AND slot = ?', namespace, place.slot);
        // The last passage moves into its slot, like its vector.
        this.#sql.exec('UPDATE passages SET slot = ? WHERE namespace = ? AND slot = ?', place.slot, namespace, count);
        change.removeByMovingLast(place.slot);
      }
      if (count === before) return;
      change.write();
      this.#storeCountOfNamespace(namespace, count);
    });
    change.cacheWritten();
    return before - count;
  }

  deleteNamespace(namespace: string): void {
    this.#storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM passages WHERE namespace = ?', namespace);
      this.#sql.exec('DELETE FROM namespaces WHERE name = ?', namespace);
      this.#blocks.deleteNamespaceRows(namespace);
    });
    this.#blocks.dropCachedBlocks(namespace);
  }

  #findSlotAndDigest(namespace: string, id: string): z.infer<typeof placeRow> | null {
    const rows = this.#sql.exec('SELECT slot, digest FROM passages WHERE namespace = ? AND id = ?', namespace, id);
    return parseRows(placeRow, rows)[0] ?? null;
  }

  #writePassage(namespace: string, slot: number, { id, digest, source, licence, text }: StoredPassage): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO passages (namespace, slot, id, digest, source, licence, text) VALUES (?, ?, ?, ?, ?, ?, ?)',
      namespace,
      slot,
      id,
      digest,
      source,
      licence,
      text,
    );
  }

  #countInNamespace(namespace: string): number {
    const rows = this.#sql.exec('SELECT name, passages FROM namespaces WHERE name = ?', namespace);
    return parseRows(countRow, rows)[0]?.passages ?? 0;
  }

  #storeCountOfNamespace(namespace: string, passages: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO namespaces (name, passages) VALUES (?, ?)', namespace, passages);
  }
}
