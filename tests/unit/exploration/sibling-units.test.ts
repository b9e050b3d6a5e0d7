import { describe, expect, test } from 'vitest';
import { makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import { explorationConfig } from '#core/exploration/config.ts';
import { makeRoundUnits } from '#core/exploration/round-units.ts';
import { initialState, type ExplorationState } from '#core/exploration/state.ts';
import { smallCatalog } from './world.ts';

const siblings = new Map([
  ['a/t0', ['a/t1']],
  ['a/t1', ['a/t0', 'b/t1']],
  ['b/t1', ['a/t1']],
]);
const catalog = makeCatalogIndex(smallCatalog.tools, undefined, siblings);
const fresh = initialState(catalog);
const config = (more: Readonly<Record<string, unknown>> = {}) =>
  explorationConfig.parse({ catalog: 'cat_1', batch: 5, strategy: 'sgvef', ...more });

const drawsOf = (state: ExplorationState, round: number, more: Readonly<Record<string, unknown>> = {}) =>
  makeRoundUnits(state, config({ siblingUnits: 2, ...more }), round).map(({ draws }) => draws);
const singlesOf = (state: ExplorationState, round: number, more: Readonly<Record<string, unknown>> = {}) =>
  drawsOf(state, round, more).flatMap(([first]) => (first?.siblings === undefined ? [] : [first]));

describe('the units of a round for one tool', () => {
  test('are as many as asked for, are written at once, and name the siblings of their tool', () => {
    const units = makeRoundUnits(fresh, config({ siblingUnits: 2 }), 1);
    expect(units).toHaveLength(6);
    const singles = units.filter(({ draws }) => draws[0]?.siblings !== undefined);
    expect(singles).toHaveLength(2);
    for (const { draws, stage, probe } of singles) {
      expect(stage).toEqual({ kind: 'pair' });
      expect(probe).toBe(false);
      for (const { tools, siblings: named } of draws) expect(named).toEqual(siblings.get(tools[0] ?? ''));
    }
  });

  test('change nothing about the other units of the round', () => {
    const without = makeRoundUnits(fresh, config({ siblingUnits: 0 }), 1);
    expect(makeRoundUnits(fresh, config({ siblingUnits: 2 }), 1).slice(0, 4)).toEqual(without.slice(0, 4));
  });

  test('take turns among the tools that have siblings, whatever happened before', () => {
    const turns = [1, 2, 3].flatMap((round) => singlesOf({ ...fresh, round: round - 1 }, round));
    const counts = Map.groupBy(turns, ({ tools: [tool] }) => tool);
    expect([...counts].map(([tool, of]) => [tool, of.length]).toSorted()).toEqual([
      ['a/t0', 2],
      ['a/t1', 2],
      ['b/t1', 2],
    ]);
    expect(singlesOf(fresh, 1)).toEqual(singlesOf(fresh, 1));
  });

  test('are for the next tools where nothing can be written for the first', () => {
    const [last] = drawsOf(fresh, 1).slice(-1);
    expect(last?.map(({ tools: [tool] }) => tool)).toHaveLength(4);
    expect(new Set(last?.map(({ tools: [tool] }) => tool)).size).toBe(3);
  });

  test('are for no tool of a server that is excluded from draws', () => {
    const servers = new Map([['a', { strikes: 2, outUntilRound: 9 }]]);
    const found = singlesOf({ ...fresh, servers }, 1);
    expect(found.map(({ tools }) => tools)).toEqual([['b/t1'], ['b/t1']]);
  });

  test('are as the others where no tool has siblings', () => {
    const alone = initialState(smallCatalog);
    expect(makeRoundUnits(alone, config({ siblingUnits: 2 }), 1)).toEqual(makeRoundUnits(alone, config(), 1));
  });

  test('are a share of a round that has fewer units than a batch', () => {
    const counted = (steered: number) =>
      makeRoundUnits(fresh, config({ siblingUnits: 2 }), 1, steered).filter(
        ({ draws }) => draws[0]?.siblings !== undefined,
      ).length;
    expect([5, 3, 2, 1].map(counted)).toEqual([2, 1, 0, 0]);
  });
});

test('a run asks for no more units for one tool than a round has, and for none where units become tasks', () => {
  const problems = (more: Readonly<Record<string, unknown>>) =>
    explorationConfig.safeParse({ catalog: 'cat_1', ...more }).error?.issues.map(({ path }) => path);
  expect(problems({ batch: 3, siblingUnits: 4 })).toEqual([['siblingUnits']]);
  expect(problems({ strategy: 'chain', siblingUnits: 1 })).toEqual([['siblingUnits']]);
  expect(problems({ batch: 3, siblingUnits: 3 })).toBeUndefined();
});
