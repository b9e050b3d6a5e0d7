/** Maximum ids in one chunk, which is what a change of one of them writes. */
export const chunkSize = 64;

/**
 * Which ids are stored together. An id stays in its chunk, and a removed one leaves room for another. So adding or
 * removing an id changes one chunk, and there are only as many chunks as the largest number of ids so far has filled.
 */
export class IdChunks {
  readonly #chunks: Set<string>[] = [];
  readonly #chunkOf = new Map<string, number>();

  /** Stored chunks by number, from 0. */
  constructor(stored: Iterable<Iterable<string>> = []) {
    for (const ids of stored) {
      const chunk = new Set(ids);
      for (const id of chunk) this.#chunkOf.set(id, this.#chunks.length);
      this.#chunks.push(chunk);
    }
  }

  get chunkCount(): number {
    return this.#chunks.length;
  }

  listIdsOfChunk(chunk: number): ReadonlySet<string> {
    return this.#chunks[chunk] ?? new Set();
  }

  /** Returns the chunk of an existing id. */
  findChunkOfIdOrThrow(id: string): number {
    const chunk = this.#chunkOf.get(id);
    if (chunk === undefined) throw new Error(`${id} is in no chunk`);
    return chunk;
  }

  /** Adds an id to the first chunk with room, and returns its number. */
  addIdAndReturnChunk(id: string): number {
    const room = this.#chunks.findIndex(({ size }) => size < chunkSize);
    const chunk = room < 0 ? this.#chunks.push(new Set()) - 1 : room;
    this.#chunks[chunk]?.add(id);
    this.#chunkOf.set(id, chunk);
    return chunk;
  }

  /** Removes an id, and returns the number of its chunk. */
  removeIdAndReturnChunk(id: string): number {
    const chunk = this.findChunkOfIdOrThrow(id);
    this.#chunks[chunk]?.delete(id);
    this.#chunkOf.delete(id);
    return chunk;
  }
}
