/** Ids that one chunk holds at most: what is written where one of them changes. */
export const chunkSize = 64;

/**
 * Which ids are stored together. An id stays in its chunk, and one that goes leaves room for another: so what one comes or goes with is
 * one chunk, however many there are, and chunks are as many as the most ids that there ever were have filled.
 */
export class Chunks {
  readonly #chunks: Set<string>[] = [];
  readonly #chunkOf = new Map<string, number>();

  /** Chunks as they were stored, by their numbers from 0 on. */
  constructor(stored: Iterable<Iterable<string>> = []) {
    for (const ids of stored) {
      const chunk = new Set(ids);
      for (const id of chunk) this.#chunkOf.set(id, this.#chunks.length);
      this.#chunks.push(chunk);
    }
  }

  get count(): number {
    return this.#chunks.length;
  }

  ids(chunk: number): ReadonlySet<string> {
    return this.#chunks[chunk] ?? new Set();
  }

  /** The chunk of an id that is in one. */
  of(id: string): number {
    const chunk = this.#chunkOf.get(id);
    if (chunk === undefined) throw new Error(`${id} is in no chunk`);
    return chunk;
  }

  /** Puts an id into the first chunk that has room, and gives its number. */
  add(id: string): number {
    const room = this.#chunks.findIndex(({ size }) => size < chunkSize);
    const chunk = room < 0 ? this.#chunks.push(new Set()) - 1 : room;
    this.#chunks[chunk]?.add(id);
    this.#chunkOf.set(id, chunk);
    return chunk;
  }

  /** Takes an id out, and gives the number of its chunk. */
  remove(id: string): number {
    const chunk = this.of(id);
    this.#chunks[chunk]?.delete(id);
    this.#chunkOf.delete(id);
    return chunk;
  }
}
