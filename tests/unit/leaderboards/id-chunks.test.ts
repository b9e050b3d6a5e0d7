import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdChunks, chunkSize } from '#core/leaderboards/id-chunks.ts';

const stored = (chunks: IdChunks): string[][] =>
  Array.from({ length: chunks.chunkCount }, (_, n) => [...chunks.listIdsOfChunk(n)]);

describe('chunks of entries', () => {
  it('fill one after the other, and removals leave room', () => {
    const chunks = new IdChunks();
    const ids = Array.from({ length: 3 * chunkSize }, (_, n) => `e${n}`);
    expect(ids.map((id) => chunks.addIdAndReturnChunk(id))).toEqual(ids.map((_, n) => Math.floor(n / chunkSize)));
    expect(chunks.removeIdAndReturnChunk(`e${chunkSize}`)).toBe(1);
    expect(() => chunks.findChunkOfIdOrThrow(`e${chunkSize}`)).toThrow('in no chunk');
    expect(chunks.addIdAndReturnChunk('other')).toBe(1);
    expect(chunks.addIdAndReturnChunk('one more')).toBe(3);
  });

  it('hold every remaining entry once, and a change touches one chunk', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { maxLength: 600 }), (steps) => {
        let chunks = new IdChunks();
        const present = new Set<string>();
        let most = 0;
        for (const n of steps) {
          const id = `e${n}`;
          const before = stored(chunks);
          const touched = present.has(id) ? chunks.removeIdAndReturnChunk(id) : chunks.addIdAndReturnChunk(id);
          if (!present.delete(id)) present.add(id);
          most = Math.max(most, present.size);
          const after = stored(chunks);
          expect(after.toSpliced(touched, 1)).toEqual(before.toSpliced(touched, 1));
          // Stored and read again, they are the same.
          if (n % 50 === 0) chunks = new IdChunks(after);
        }
        expect(stored(chunks).flat().toSorted()).toEqual([...present].toSorted());
        expect(stored(chunks).every((ids) => ids.length <= chunkSize)).toBe(true);
        expect(stored(chunks).every((ids, n) => ids.every((id) => chunks.findChunkOfIdOrThrow(id) === n))).toBe(true);
        expect(chunks.chunkCount).toBe(Math.ceil(most / chunkSize));
      }),
      { numRuns: 50 },
    );
  });
});
