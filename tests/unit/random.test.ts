import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { pick, makeRandom, sample, sampleByLogWeight, shuffle } from '#core/values/random.ts';

import { chiSquareFits } from './chi-square.ts';

const firstOf = (...keys: (string | number)[]): number[] => {
  const random = makeRandom(...keys);
  return [random.next(), random.next(), random.below(1_000)];
};

describe('randomFor', () => {
  it('gives the same stream for the same key on any platform', () => {
    expect(firstOf(7, 'draw', 1)).toEqual(firstOf(7, 'draw', 1));
    expect(firstOf(7, 'draw', 1)).toMatchInlineSnapshot(`
      [
        0.5638205157628217,
        0.7940359002018123,
        209,
      ]
    `);
  });

  it('fills an array with the same values as single draws, and continues from there', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 2 ** 32 })),
        fc.integer({ min: 0, max: 200 }),
        fc.string(),
        (n, length, key) => {
          const [filling, drawing] = [makeRandom(key), makeRandom(key)];
          for (let round = 0; round < 2; round += 1) {
            const filled = new Uint32Array(length);
            filling.fillBelow(n, filled);
            expect([...filled]).toEqual(Array.from(filled, () => drawing.below(n)));
            expect(filling.next()).toBe(drawing.next());
          }
        },
      ),
    );
  });

  it('distinguishes similar keys', () => {
    const streams = [
      firstOf(1),
      firstOf('1'),
      firstOf(1, 1),
      firstOf(11),
      firstOf('a', 'b'),
      firstOf('a,b'),
      firstOf('ab'),
      firstOf('a', 'b', ''),
      firstOf(),
    ];
    expect(new Set(streams.map(String)).size).toBe(streams.length);
  });

  it('is uniform within a stream and across the first numbers of neighbouring streams', () => {
    const within = new Array<number>(20).fill(0);
    const across = new Array<number>(20).fill(0);
    const random = makeRandom('uniform');
    for (let i = 0; i < 20_000; i++) {
      const a = random.below(20);
      const b = Math.floor(makeRandom(3, 'unit', i).next() * 20);
      within[a] = (within[a] ?? 0) + 1;
      across[b] = (across[b] ?? 0) + 1;
    }
    expect(chiSquareFits(within, new Array<number>(20).fill(1))).toBe(true);
    expect(chiSquareFits(across, new Array<number>(20).fill(1))).toBe(true);
  });
});

describe('a random draw', () => {
  it('shuffles and samples without loss or repetition', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer()), fc.nat(20), fc.integer(), (items, count, seed) => {
        const drawn = sample(makeRandom(seed), items, count);
        expect(drawn).toHaveLength(Math.min(count, items.length));
        expect(new Set(drawn).size).toBe(drawn.length);
        expect(new Set(shuffle(makeRandom(seed), items))).toEqual(new Set(items));
      }),
    );
  });

  it('gives every order of three the same probability', () => {
    const random = makeRandom('orders');
    const counts = new Map<string, number>();
    for (let i = 0; i < 12_000; i++) {
      const order = shuffle(random, ['a', 'b', 'c']).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    expect(chiSquareFits([...counts.values()], [1, 1, 1, 1, 1, 1])).toBe(true);
  });

  it('picks nothing from nothing', () => {
    expect(pick(makeRandom(1), [])).toBeUndefined();
    expect(pick(makeRandom(1), ['only'])).toBe('only');
  });

  it('draws pairs by weight like consecutive draws', () => {
    const weights = [1, 2, 3, 6];
    const pairs: string[] = [];
    const expected: number[] = [];
    for (const [i, wi] of weights.entries())
      for (const [j, wj] of weights.entries()) {
        if (i === j) continue;
        pairs.push(`${i}${j}`);
        expected.push((wi / 12) * (wj / (12 - wi)));
      }
    const counts = new Array<number>(pairs.length).fill(0);
    const random = makeRandom('weighted');
    for (let n = 0; n < 30_000; n++) {
      const drawn = sampleByLogWeight(random, [0, 1, 2, 3], (i) => Math.log(weights[i] ?? 0), 2);
      const index = pairs.indexOf(drawn.join(''));
      counts[index] = (counts[index] ?? 0) + 1;
    }
    expect(chiSquareFits(counts, expected)).toBe(true);
  });

  it('draws weights that would underflow by their ratio', () => {
    const random = makeRandom('underflow');
    let lighter = 0;
    for (let i = 0; i < 4_000; i++) {
      const [first] = sampleByLogWeight(random, [0, 1], (item) => (item === 0 ? -100_000 : -100_000 - Math.log(3)), 1);
      lighter += first === 1 ? 1 : 0;
    }
    expect(chiSquareFits([lighter, 4_000 - lighter], [1, 3])).toBe(true);
  });
});
