import type { VectorBlock } from '#core/similarity/knowledge/vector-block.ts';

/**
 * A cache of blocks up to a number of bytes that evicts the least recently used one. A block larger than the whole
 * cache is kept alone.
 */
export class BlockMemory {
  readonly #mostBytes: number;
  /** In order of last use. */
  readonly #blocks = new Map<string, VectorBlock>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): VectorBlock | undefined {
    const block = this.#blocks.get(key);
    if (block === undefined) return undefined;
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    return block;
  }

  keep(key: string, block: VectorBlock): void {
    this.forget(key);
    this.#blocks.set(key, block);
    this.#bytes += countBytesOfBlock(block);
    for (const oldest of this.#blocks.keys()) {
      if (this.#bytes <= this.#mostBytes || oldest === key) return;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    const block = this.#blocks.get(key);
    if (block === undefined) return;
    this.#blocks.delete(key);
    this.#bytes -= countBytesOfBlock(block);
  }

  /** Drops all blocks whose keys have this prefix. */
  dropBlocksByPrefix(prefix: string): void {
    for (const key of this.#blocks.keys()) if (key.startsWith(prefix)) this.forget(key);
  }
}

const countBytesOfBlock = ({ vectors, lengths }: VectorBlock): number => vectors.byteLength + lengths.byteLength;
