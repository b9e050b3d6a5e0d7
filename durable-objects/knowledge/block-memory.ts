import type { VectorBlock } from '#core/knowledge/vector-block.ts';

/** Blocks in memory, at most so many bytes: the one that was not used for longest goes first. A block may be larger than all of it: then it alone stays. */
export class BlockMemory {
  readonly #mostBytes: number;
  /** In the order of their last use. */
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
    this.#bytes += bytesOf(block);
    for (const oldest of this.#blocks.keys()) {
      if (this.#bytes <= this.#mostBytes || oldest === key) return;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    const block = this.#blocks.get(key);
    if (block === undefined) return;
    this.#blocks.delete(key);
    this.#bytes -= bytesOf(block);
  }

  /** Forgets all blocks whose keys begin so. */
  forgetAll(prefix: string): void {
    for (const key of this.#blocks.keys()) if (key.startsWith(prefix)) this.forget(key);
  }
}

const bytesOf = ({ vectors, lengths }: VectorBlock): number => vectors.byteLength + lengths.byteLength;
