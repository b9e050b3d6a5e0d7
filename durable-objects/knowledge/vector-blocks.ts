import { z } from 'zod';
import { TopK, type Near } from '#core/similarity/knowledge/top-k.ts';
import {
  addCosinesOfBlockToTopK,
  makeBlockWithLengths,
  type VectorBlock,
} from '#core/similarity/knowledge/vector-block.ts';
import { BlockMemory } from './block-memory.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';

const blockRow = z.object({ vectors: z.instanceof(ArrayBuffer) });
/** A row may have 2 MB, but a batch rewrites its last block, so a much smaller size is better. */
const bytesPerBlock = 512 * 1024;
const vectorsPerBlock = 1_024;
/** For all indexes together, because objects of a class may share a process, which has 128 MB. */
const memory = new BlockMemory(64 * 1024 * 1024);
let made = 0;

/**
 * The quantized vectors of an index by namespace and slot (from 0, without gaps), a few hundred per row, so that a
 * search after a restart reads a few dozen rows. Recently used blocks are cached.
 */
export class VectorBlocks {
  readonly #sql: SqlStorage;
  readonly #dimension: number;
  readonly #perBlock: number;
  /** Distinguishes its cached blocks from those of other indexes. */
  readonly #own: string;

  constructor(sql: SqlStorage, dimension: number) {
    this.#sql = sql;
    this.#dimension = dimension;
    made += 1;
    this.#own = String(made);
    this.#perBlock = Math.max(1, Math.min(vectorsPerBlock, Math.floor(bytesPerBlock / dimension)));
  }

  /** Returns the nearest to a direction among the first `count` vectors of a namespace, best first. */
  findNearestSlots(namespace: string, count: number, query: Float64Array, topK: number): readonly Near[] {
    const top = new TopK(topK);
    for (let n = 0; n * this.#perBlock < count; n += 1)
      addCosinesOfBlockToTopK(query, this.#readBlock(namespace, n), n * this.#perBlock, top);
    return top.best;
  }

  /**
   * Starts a change of a namespace with `count` vectors. It takes effect only when it is written, inside a transaction;
   * `cacheWritten` then caches it.
   */
  startChange(namespace: string, count: number): BlockChange {
    return new BlockChange({
      count,
      dimension: this.#dimension,
      perBlock: this.#perBlock,
      read: (n) => this.#readBlock(namespace, n).vectors,
      write: (n, vectors) => {
        if (vectors === null) this.#sql.exec('DELETE FROM blocks WHERE namespace = ? AND n = ?', namespace, n);
        else
          this.#sql.exec(
            'INSERT OR REPLACE INTO blocks (namespace, n, vectors) VALUES (?, ?, ?)',
            namespace,
            n,
            vectors,
          );
      },
      keep: (n, vectors) => {
        if (vectors === null) memory.forget(this.#cacheKey(namespace, n));
        else this.#cacheBlock(namespace, n, makeBlockWithLengths(vectors, this.#dimension));
      },
    });
  }

  /** Deletes the rows of a namespace; call `dropCachedBlocks` once that is committed. */
  deleteNamespaceRows(namespace: string): void {
    this.#sql.exec('DELETE FROM blocks WHERE namespace = ?', namespace);
  }

  dropCachedBlocks(namespace: string): void {
    memory.dropBlocksByPrefix(this.#cacheKey(namespace, ''));
  }

  #readBlock(namespace: string, n: number): VectorBlock {
    const kept = memory.get(this.#cacheKey(namespace, n));
    if (kept !== undefined) return kept;
    const [row] = parseRows(
      blockRow,
      this.#sql.exec('SELECT vectors FROM blocks WHERE namespace = ? AND n = ?', namespace, n),
    );
    const block = makeBlockWithLengths(new Int8Array(row?.vectors ?? new ArrayBuffer(0)), this.#dimension);
    if (row !== undefined) this.#cacheBlock(namespace, n, block);
    return block;
  }

  #cacheBlock(namespace: string, n: number, block: VectorBlock): void {
    memory.keep(this.#cacheKey(namespace, n), block);
  }

  /** No namespace has a slash in its name. */
  #cacheKey(namespace: string, n: number | ''): string {
    return `${this.#own}/${namespace}/${n}`;
  }
}

interface Blocks {
  readonly count: number;
  readonly dimension: number;
  readonly perBlock: number;
  readonly read: (n: number) => Int8Array;
  /** Null if the block is now empty. */
  readonly write: (n: number, vectors: Int8Array<ArrayBuffer> | null) => void;
  readonly keep: (n: number, vectors: Int8Array<ArrayBuffer> | null) => void;
}

/** A change of some vectors of a namespace, made on copies of the affected blocks. */
class BlockChange {
  readonly #blocks: Blocks;
  readonly #touched = new Map<number, Int8Array<ArrayBuffer>>();
  #written: readonly (readonly [number, Int8Array<ArrayBuffer> | null])[] = [];
  /** The number of vectors after the change. */
  #count: number;

  constructor(blocks: Blocks) {
    this.#blocks = blocks;
    this.#count = blocks.count;
  }

  /** Writes a vector into an existing slot or the next one. */
  put(slot: number, vector: Int8Array): void {
    const { block, at } = this.#copyBlockForChange(slot);
    block.set(vector, at);
    this.#count = Math.max(this.#count, slot + 1);
  }

  /** Removes a vector: the last one moves into its slot. */
  removeByMovingLast(slot: number): void {
    const last = this.#count - 1;
    const { block, at } = this.#copyBlockForChange(last);
    if (slot !== last) this.put(slot, block.slice(at, at + this.#blocks.dimension));
    this.#count = last;
  }

  /** Writes the changed rows. */
  write(): void {
    this.#written = this.#changedBlocks();
    for (const [n, vectors] of this.#written) this.#blocks.write(n, vectors);
  }

  /** Caches what was written. */
  cacheWritten(): void {
    for (const [n, vectors] of this.#written) this.#blocks.keep(n, vectors);
  }

  #changedBlocks(): [number, Int8Array<ArrayBuffer> | null][] {
    const { perBlock, dimension } = this.#blocks;
    return Array.from(this.#touched, ([n, block]) => {
      const vectors = Math.min(perBlock, this.#count - n * perBlock);
      return [n, vectors > 0 ? block.slice(0, vectors * dimension) : null];
    });
  }

  #copyBlockForChange(slot: number): { readonly block: Int8Array<ArrayBuffer>; readonly at: number } {
    const { perBlock, dimension, read } = this.#blocks;
    const n = Math.floor(slot / perBlock);
    let block = this.#touched.get(n);
    if (block === undefined) {
      block = new Int8Array(perBlock * dimension);
      block.set(read(n));
      this.#touched.set(n, block);
    }
    return { block, at: (slot % perBlock) * dimension };
  }
}
