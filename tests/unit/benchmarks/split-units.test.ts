import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  mapUnitsToLineageNames as findAllLineages,
  type Descent,
  type Lineages,
  type UnitOfRun,
} from '#core/benchmarks/lineages.ts';
import { assignSplitsByLineage } from '#core/benchmarks/split-units.ts';

const idOf = (n: number): string => `u_${String(n).padStart(24, '0')}`;
const unit = (n: number, exploration = 'exp_1') => ({ id: idOf(n), exploration, unit: `unit ${n}` });
const descent = (n: number, seed: number, exploration = 'exp_1'): Descent => ({
  exploration,
  unit: `unit ${n}`,
  seed: `unit ${seed}`,
});
const findLineages = (
  units: readonly UnitOfRun[],
  descents: readonly Descent[],
  originals = new Map<string, string>(),
) => findAllLineages(units, descents, originals);
const unitsTo = (count: number) => Array.from({ length: count }, (_, n) => unit(n));

const plain = unitsTo(20);
const alone = findLineages(plain, []);
/** 20 explored units, and 20 variants: of the units, of pairs of them, and of variants. */
const grown = unitsTo(40);
const descents = [
  ...Array.from({ length: 10 }, (_, n) => descent(20 + n, n)),
  ...Array.from({ length: 5 }, (_, n) => [descent(30 + n, n + 10), descent(30 + n, n + 11)]).flat(),
  ...Array.from({ length: 5 }, (_, n) => descent(35 + n, 20 + n)),
];
const lineages = findLineages(grown, descents);
const none = new Set<string>();

interface SplitUnit {
  readonly id: string;
  readonly split: string;
}
const hiddenIn = (units: readonly SplitUnit[]): Set<string> =>
  new Set(units.filter(({ split }) => split === 'private').map(({ id }) => id));
const sidesOf = (units: readonly SplitUnit[], known: Lineages): Set<string>[] => {
  const groups = Map.groupBy(units, ({ id }) => known.get(id));
  return Array.from(groups.values(), (members) => new Set(members.map(({ split }) => split)));
};

describe('the lineages of units', () => {
  const groupsOf = (found: Lineages): string[][] =>
    Array.from(Map.groupBy(found.keys(), (id) => found.get(id)).values(), (ids) => ids.toSorted());

  test('connect a unit with what was evolved from it, over generations, and the two seeds of a recombination', () => {
    expect(groupsOf(findLineages(unitsTo(6), [descent(1, 0), descent(2, 1), descent(5, 3), descent(5, 4)]))).toEqual([
      [0, 1, 2].map(idOf),
      [3, 4, 5].map(idOf),
    ]);
  });

  test('connect two variants of a unit that is not there itself', () => {
    expect(groupsOf(findLineages([unit(1), unit(3), unit(4)], [descent(1, 0), descent(2, 0), descent(3, 2)]))).toEqual([
      [idOf(1), idOf(3)],
      [idOf(4)],
    ]);
  });

  test('connect two runs only by a unit that both have, and not by equal names', () => {
    const copied = { ...unit(0, 'exp_2'), unit: 'unit 9' };
    const units = [unit(0), unit(1), copied, { ...unit(2, 'exp_2'), unit: 'unit 1' }, unit(3, 'exp_2')];
    const found = findLineages(units, [descent(1, 0), descent(3, 9, 'exp_2')]);
    expect(groupsOf(found)).toEqual([[0, 1, 3].map(idOf), [idOf(2)]]);
  });

  test('connect a near-duplicate, and what was evolved from it, with its original', () => {
    const found = findLineages(unitsTo(4), [descent(2, 1)], new Map([[idOf(1), idOf(0)]]));
    expect(groupsOf(found)).toEqual([[0, 1, 2].map(idOf), [idOf(3)]]);
  });

  test('have the same names in any order', () => {
    expect(new Map([...findLineages(grown.toReversed(), descents.toReversed())].toReversed())).toEqual(lineages);
  });

  test('are found in a chain of 50,000 generations', { timeout: 20_000 }, () => {
    const long = Array.from({ length: 50_000 }, (_, n) => descent(n + 1, n));
    expect(new Set(findLineages(unitsTo(50_000), long).values()).size).toBe(1);
  });
});

describe('a split', () => {
  test('has as many private units as the share says, and the seed says which', async () => {
    const first = await assignSplitsByLineage(plain, alone, 1, 0.3, none);
    expect(hiddenIn(first).size).toBe(6);
    expect(first.map(({ id }) => id)).toEqual(plain.map(({ id }) => id));
    expect(await assignSplitsByLineage(plain, alone, 1, 0.3, none)).toEqual(first);
    expect(hiddenIn(await assignSplitsByLineage(plain, alone, 2, 0.3, none))).not.toEqual(hiddenIn(first));
  });

  test('never publishes a held-out unit, for any seed and share', async () => {
    const withheld = hiddenIn(await assignSplitsByLineage(plain, alone, 1, 0.3, none));
    for (const [seed, share] of [
      [1, 0],
      [2, 0],
      [2, 0.1],
      [3, 0.3],
    ] as const)
      expect(hiddenIn(await assignSplitsByLineage(plain, alone, seed, share, withheld))).toEqual(withheld);
    const more = hiddenIn(await assignSplitsByLineage(plain, alone, 2, 0.5, withheld));
    expect(more.size).toBe(10);
    expect(more.isSupersetOf(withheld)).toBe(true);
  });

  test('has each lineage on one side, and keeps the share', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const units = await assignSplitsByLineage(grown, lineages, seed, 0.3, none);
      expect(hiddenIn(units).size).toBe(12);
      for (const sides of sidesOf(units, lineages)) expect(sides.size).toBe(1);
      expect(await assignSplitsByLineage(grown, lineages, seed, 0.3, hiddenIn(units))).toEqual(units);
    }
  });

  test('does not leave the seed of a private variant public', async () => {
    const known = findLineages(unitsTo(10), [descent(9, 0)]);
    for (let seed = 1; seed <= 20; seed += 1) {
      const hidden = hiddenIn(await assignSplitsByLineage(unitsTo(10), known, seed, 0.4, none));
      expect([seed, hidden.size, hidden.has(idOf(0))]).toEqual([seed, 4, hidden.has(idOf(9))]);
    }
  });

  test('holds out the lineage of a held-out unit, even of one that is not among the units', async () => {
    expect(hiddenIn(await assignSplitsByLineage(grown, lineages, 1, 0, new Set([idOf(35)])))).toEqual(
      new Set([0, 20, 35].map(idOf)),
    );
    const without = grown.filter(({ id }) => id !== idOf(35));
    expect(hiddenIn(await assignSplitsByLineage(without, lineages, 1, 0, new Set([idOf(35)])))).toEqual(
      new Set([0, 20].map(idOf)),
    );
  });

  test.each([
    ['two of three would be two, and each lineage has three', [3, 3, 3], 1 / 3, 3],
    ['the nearest total is above the share', [4, 5], 0.4, 4],
    ['one lineage has all units, most of which shall be public', [10], 0.2, 0],
    ['five is wanted, and the first draw that fits would be three', [3, 3, 2, 2], 0.5, 5],
    ['two totals are equally near', [2, 2, 2], 0.5, 4],
  ])('comes as near to its share as whole lineages allow: %s', async (_what, sizes, share, expected) => {
    const units = unitsTo(sizes.reduce((sum, size) => sum + size, 0));
    const known = findLineages(units, descentsOfSizes(sizes));
    for (let seed = 1; seed <= 10; seed += 1)
      expect(hiddenIn(await assignSplitsByLineage(units, known, seed, share, none)).size).toBe(expected);
  });

  test('is as near to its share as any choice of lineages, and the same when it is made again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 9 }),
        fc.double({ min: 0, max: 0.95, noNaN: true }),
        fc.integer({ min: 0, max: 1000 }),
        async (sizes, share, seed) => {
          const units = unitsTo(sizes.reduce((sum, size) => sum + size, 0));
          const known = findLineages(units, descentsOfSizes(sizes));
          const wanted = Math.round(units.length * share);
          const totals = sizes.reduce(
            (sums, size) => new Set([...sums, ...[...sums].map((s) => s + size)]),
            new Set([0]),
          );
          const nearest = Math.min(...[...totals].map((total) => Math.abs(total - wanted)));
          const split = await assignSplitsByLineage(units, known, seed, share, none);
          expect(Math.abs(hiddenIn(split).size - wanted)).toBe(nearest);
          for (const sides of sidesOf(split, known)) expect(sides.size).toBe(1);
          expect(await assignSplitsByLineage(units, known, seed, share, hiddenIn(split))).toEqual(split);
        },
      ),
    );
  });

  test('draws every lineage with some seed, whatever its size', async () => {
    const sizes = [4, 3, 2, 1, 1, 1];
    const units = unitsTo(12);
    const known = findLineages(units, descentsOfSizes(sizes));
    const drawn = new Set<string>();
    for (let seed = 1; seed <= 60; seed += 1)
      for (const id of hiddenIn(await assignSplitsByLineage(units, known, seed, 0.4, none))) drawn.add(id);
    expect(drawn.size).toBe(12);
  });

  test('is drawn from 50,000 units in lineages of 315 sizes', { timeout: 20_000 }, async () => {
    const sizes = Array.from({ length: 315 }, (_, n) => n + 1);
    const units = unitsTo(49_770);
    const split = await assignSplitsByLineage(units, findLineages(units, descentsOfSizes(sizes)), 1, 0.2, none);
    expect(hiddenIn(split).size).toBe(9_954);
  });
});

/** Chains of descents, so that the lineages of units by number have these sizes. */
function descentsOfSizes(sizes: readonly number[]): Descent[] {
  let first = 0;
  return sizes.flatMap((size) => {
    const start = first;
    first += size;
    return Array.from({ length: size - 1 }, (_, n) => descent(start + n + 1, start + n));
  });
}
