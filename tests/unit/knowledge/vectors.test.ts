import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quantizeVectorOrNull } from '#core/similarity/knowledge/quantize-vector.ts';
import { TopK } from '#core/similarity/knowledge/top-k.ts';
import {
  normalizeVectorOrNull,
  addCosinesOfBlockToTopK,
  makeBlockWithLengths,
} from '#core/similarity/knowledge/vector-block.ts';
import { cosineOrNull } from '#core/similarity/cosine.ts';
import { makeRandom } from '#core/values/random.ts';

const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 });
const vectorOf = (dimension: number) => fc.array(number, { minLength: dimension, maxLength: dimension });

describe('a quantized vector', () => {
  test('keeps bytes unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -127, max: 127 }), { minLength: 1, maxLength: 50 }), (vector) => {
        fc.pre(vector.some((each) => each !== 0));
        expect([...(quantizeVectorOrNull(vector) ?? [])]).toEqual(vector.map((each) => each + 0));
      }),
    );
  });

  test('is off by at most half a step, and its largest number is 127', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }).chain(vectorOf), (vector) => {
        const largest = Math.max(...vector.map(Math.abs));
        fc.pre(largest > 0 && !vector.every(Number.isInteger));
        const bytes = quantizeVectorOrNull(vector) ?? new Int8Array();
        expect(Math.max(...bytes.map(Math.abs))).toBe(127);
        for (const [at, each] of vector.entries())
          expect(Math.abs((each / largest) * 127 - (bytes[at] ?? 0))).toBeLessThanOrEqual(0.5);
      }),
    );
  });

  test('keeps only the direction, and must have one', () => {
    expect(quantizeVectorOrNull([0.1, -0.2, 0.05])).toEqual(quantizeVectorOrNull([1e-310, -2e-310, 5e-311]));
    expect(quantizeVectorOrNull([0.1, -0.2, 0.05])).toEqual(quantizeVectorOrNull([1e300, -2e300, 5e299]));
    expect(quantizeVectorOrNull([300, -600, 150])).toEqual(quantizeVectorOrNull([0.1, -0.2, 0.05]));
    for (const none of [[], [0, 0], [-0], [Number.POSITIVE_INFINITY, 1]]) expect(quantizeVectorOrNull(none)).toBeNull();
  });
});

describe('the top-k list', () => {
  test('keeps the same items as a full sort', () => {
    const scores = fc.array(fc.integer({ min: -5, max: 5 }).map((each) => each / 5));
    fc.assert(
      fc.property(scores, fc.integer({ min: 0, max: 8 }), (each, size) => {
        const top = new TopK(size);
        for (const [slot, score] of each.entries()) top.addIfBetter(slot, score);
        const sorted = each.map((score, slot) => ({ slot, score })).toSorted((a, b) => b.score - a.score);
        expect(top.best).toEqual(sorted.slice(0, size));
      }),
    );
  });

  test('ignores NaN', () => {
    const top = new TopK(2);
    top.addIfBetter(0, Number.NaN);
    expect(top.best).toEqual([]);
  });
});

describe('a scan of blocks', () => {
  test('gives each vector its cosine, for any dimension and any division into blocks', () => {
    const byte = fc.integer({ min: -127, max: 127 });
    const world = fc.integer({ min: 1, max: 11 }).chain((dimension) => {
      const bytes = fc.array(byte, { minLength: dimension, maxLength: dimension });
      const some = bytes.filter((vector) => vector.some((each) => each !== 0));
      return fc.tuple(fc.array(some, { maxLength: 20 }), vectorOf(dimension), fc.integer({ min: 1, max: 7 }));
    });
    fc.assert(
      fc.property(world, ([vectors, query, perBlock]) => {
        const towards = normalizeVectorOrNull(query);
        fc.pre(towards !== null);
        if (towards === null) return;
        const top = new TopK(100);
        for (let from = 0; from < vectors.length; from += perBlock) {
          const bytes = Int8Array.from(vectors.slice(from, from + perBlock).flat());
          addCosinesOfBlockToTopK(towards, makeBlockWithLengths(bytes, query.length), from, top);
        }
        expect(top.best).toHaveLength(vectors.length);
        for (const { slot, score } of top.best)
          expect(score).toBeCloseTo(cosineOrNull([...towards], vectors[slot] ?? []) ?? Number.NaN, 9);
      }),
    );
  });

  test('finds nearly everything that an exact search finds', () => {
    const dimension = 256;
    const random = makeRandom('recall');
    const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    const centres = Array.from({ length: 40 }, () => Array.from({ length: dimension }, gauss));
    const near = (): number[] => {
      const centre = centres[Math.floor(random.next() * centres.length)] ?? [];
      return centre.map((each) => each + 0.6 * gauss());
    };
    const vectors = Array.from({ length: 2_000 }, near);
    const block = makeBlockWithLengths(
      Int8Array.from(vectors.flatMap((vector) => [...(quantizeVectorOrNull(vector) ?? [])])),
      dimension,
    );
    let hits = 0;
    const queries = Array.from({ length: 50 }, near);
    for (const query of queries) {
      const exact = vectors.map((vector, slot) => ({ slot, score: cosineOrNull(query, vector) ?? 0 }));
      const wanted = new Set(
        exact
          .toSorted((a, b) => b.score - a.score)
          .slice(0, 10)
          .map(({ slot }) => slot),
      );
      const top = new TopK(10);
      addCosinesOfBlockToTopK(normalizeVectorOrNull(query) ?? new Float64Array(dimension), block, 0, top);
      hits += top.best.filter(({ slot }) => wanted.has(slot)).length;
    }
    expect(hits / (10 * queries.length)).toBeGreaterThan(0.97);
  });
});
