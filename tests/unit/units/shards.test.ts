import { describe, expect, test } from 'vitest';
import { newUnit } from '#core/units/progress.ts';
import { unitShardInstanceId, makeUnitShards } from '#core/units/shards.ts';
import type { Unit } from '#core/units/unit.ts';

const draw = { tools: ['a/a', 'a/b'], known: [] };
const unitAt = (index: number, draws: Unit['draws'] = [draw]): Unit =>
  newUnit({ id: `u${index}`, round: 3, index, probe: false, lineage: null, draws, relation: 'paraphrase' });
const units = (count: number, draws?: Unit['draws']): Unit[] =>
  Array.from({ length: count }, (_, index) => unitAt(index, draws));

describe('shards of units', () => {
  test('hold at most six units, by their position in the round', () => {
    const shards = makeUnitShards('r3', units(11));
    expect(shards.map((shard) => [shard.name, shard.units.length])).toEqual([
      ['r3-1', 6],
      ['r3-2', 5],
    ]);
  });

  test('are the same for the remaining units, so that a restarted instance has the same id', () => {
    const left = units(11).filter(({ index }) => index !== 0 && index !== 5);
    expect(makeUnitShards('r3', left).map(({ name, units: ids }) => [name, ids[0]])).toEqual([
      ['r3-1', 'u1'],
      ['r3-2', 'u6'],
    ]);
  });

  test('keep units together that share one answer of the writer', () => {
    const shards = makeUnitShards('r3', [...units(7, []), unitAt(7)], 5);
    expect(shards).toEqual([
      { name: 'r3-1', units: ['u0', 'u1', 'u2', 'u3', 'u4'], together: ['u0', 'u1', 'u2', 'u3', 'u4'] },
      { name: 'r3-2', units: ['u5', 'u6', 'u7'], together: ['u5', 'u6'] },
    ]);
  });

  test('have one unit if a person decided on it', () => {
    const verdict = { decision: 'approve' as const };
    const decided = {
      ...unitAt(1),
      decisions: [{ verdict, reviewer: 'key', at: '2026-01-01T00:00:00.000Z', score: 85 }],
    };
    expect(makeUnitShards('r3', [unitAt(0), decided]).map(({ name, units: ids }) => [name, ids])).toEqual([
      ['u1-decided-1', ['u1']],
      ['r3-1', ['u0']],
    ]);
  });
});

test("ids of instances differ by run, evolution, driver, shard and leg, within the platform's limits", () => {
  const run = `exp_${'0'.repeat(26)}`;
  const shard = { name: 'b1000-execute-100', units: [], together: [] };
  const evolution = { number: 100, phase: 'execute' } as const;
  const id = unitShardInstanceId({ run, driver: 10_000, round: 1_000, evolution, shard, leg: 100 });
  expect(id).toBe(`${run}-e100-10000-b1000-execute-100-100`);
  expect(id).toMatch(/^[a-zA-Z0-9_][a-zA-Z0-9_-]{0,99}$/);
});
