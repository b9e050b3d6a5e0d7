import { describe, expect, test } from 'vitest';
import {
  drawSeenUnits,
  listUnitsRelatedToSeen,
  originOfUnit,
  unitProvenance,
  type UnitOrigin,
} from '#core/benchmarks/seen-units.ts';

const origin = (n: number, seeds: readonly string[] = []): UnitOrigin => ({
  id: `u_${String(n).padStart(24, '0')}`,
  exploration: 'exp_1',
  unit: `r${n}`,
  seeds,
});
const idOf = (n: number): string => origin(n).id;
const alone = Array.from({ length: 40 }, (_, n) => origin(n));
/** Units 0, 1 and 2 are a lineage through a unit that no benchmark has; so are 3 and 4. */
const related = [
  origin(0),
  origin(1, ['r0']),
  origin(2, ['lost', 'r1']),
  origin(3, ['gone']),
  origin(4, ['gone']),
  origin(5),
];

describe('the units that a wording is written from', () => {
  test('are about a share of all units, the same for the same seed', async () => {
    const drawn = await drawSeenUnits(alone, { share: 0.25, seed: 1, most: 100 });
    expect(drawn).toHaveLength(10);
    expect(await drawSeenUnits(alone.toReversed(), { share: 0.25, seed: 1, most: 100 })).toEqual(drawn);
    expect(await drawSeenUnits(alone, { share: 0.25, seed: 2, most: 100 })).not.toEqual(drawn);
  });

  test('are never more than allowed', async () => {
    expect(await drawSeenUnits(alone, { share: 0.9, seed: 1, most: 7 })).toHaveLength(7);
    expect(await drawSeenUnits([], { share: 0.5, seed: 1, most: 7 })).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5])('leave no unit to judge on that is of their lineages (seed %i)', async (seed) => {
    const seen = await drawSeenUnits(related, { share: 0.5, seed, most: 100 });
    expect(listUnitsRelatedToSeen(related, seen)).toEqual(new Set(seen));
  });
});

describe('the units that are left out', () => {
  test('are the seen ones and all of their lineages, also through units that nobody has', () => {
    expect(listUnitsRelatedToSeen(related, [idOf(2)])).toEqual(new Set([idOf(0), idOf(1), idOf(2)]));
    expect(listUnitsRelatedToSeen(related, [idOf(4), idOf(5)])).toEqual(new Set([idOf(3), idOf(4), idOf(5)]));
  });

  test('are none where the seen units are of another benchmark', () => {
    expect(listUnitsRelatedToSeen(related, [idOf(99)])).toEqual(new Set());
  });
});

test('the origin of a unit is where it says that it comes from, of pairs and of tasks', () => {
  const lineage = { evolution: 1, kind: 'entities' as const, seeds: [{ unit: 'r1', chain: ['a/b'] }] };
  const made = { round: 1, models: {}, prompts: [], harness: 'h', lineage };
  const pair = unitProvenance.parse({ exploration: 'exp_1', unit: 'v1', ...made });
  expect(originOfUnit({ id: 'u_1', provenance: pair })).toEqual({
    id: 'u_1',
    exploration: 'exp_1',
    unit: 'v1',
    seeds: ['r1'],
  });
  const task = unitProvenance.parse({
    collection: 'exp_1',
    task: 'v2',
    category: '',
    made: { ...made, solvability: 9, utility: 9 },
  });
  expect(originOfUnit({ id: 'u_2', provenance: task })).toEqual({
    id: 'u_2',
    exploration: 'exp_1',
    unit: 'v2',
    seeds: ['r1'],
  });
  const published = unitProvenance.parse({ collection: 'MCP-Bench', task: '17', category: '' });
  expect(originOfUnit({ id: 'u_3', provenance: published })).toMatchObject({ unit: '17', seeds: [] });
});
