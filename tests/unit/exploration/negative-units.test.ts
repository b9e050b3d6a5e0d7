import { describe, expect, test } from 'vitest';
import { makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import { explorationConfig } from '#core/exploration/config.ts';
import { makeRoundUnits } from '#core/exploration/round-units.ts';
import { initialState, type ExplorationState } from '#core/exploration/state.ts';
import { smallCatalog } from './world.ts';

const siblings = new Map([['a/t0', ['a/t1']]]);
const fresh = initialState(makeCatalogIndex(smallCatalog.tools, undefined, siblings));
const config = (more: Readonly<Record<string, unknown>> = {}) =>
  explorationConfig.parse({ catalog: 'cat_1', batch: 5, strategy: 'sgvef', ...more });
const negativesOf = (state: ExplorationState, round: number, more: Readonly<Record<string, unknown>> = {}) =>
  makeRoundUnits(state, config({ negativeUnits: 2, ...more }), round).filter(
    ({ draws }) => draws[0]?.negative === true,
  );

describe('the negative units of a round', () => {
  test('are as many as asked for, are written at once, and are no probes', () => {
    const units = negativesOf(fresh, 1);
    expect(units).toHaveLength(2);
    for (const { draws, stage, probe } of units) {
      expect(stage).toEqual({ kind: 'pair' });
      expect(probe).toBe(false);
      for (const { tools, siblings: named } of draws) expect([tools.length, named]).toEqual([1, undefined]);
      expect(new Set(draws.map(({ tools: [tool] }) => tool)).size).toBe(draws.length);
    }
  });

  test('come behind the units for one tool, and change nothing about all others', () => {
    const without = makeRoundUnits(fresh, config(), 1);
    expect(makeRoundUnits(fresh, config({ negativeUnits: 2 }), 1).slice(0, 4)).toEqual(without.slice(0, 4));
    const both = makeRoundUnits(fresh, config({ siblingUnits: 1, negativeUnits: 2 }), 1);
    expect(both.map(({ draws: [first] }) => [first?.siblings !== undefined, first?.negative === true])).toEqual([
      [false, false],
      [false, false],
      [false, false],
      [true, false],
      [false, true],
      [false, true],
    ]);
  });

  test('take turns among all tools, in an order of the seed', () => {
    const { length } = smallCatalog.tools;
    const rounds = Array.from({ length: Math.ceil(length / 2) }, (_, at) => at + 1);
    const turns = rounds.flatMap((round) => negativesOf({ ...fresh, round: round - 1 }, round));
    expect(new Set(turns.map(({ draws: [first] }) => first?.tools[0])).size).toBe(length);
    expect(negativesOf(fresh, 1)).toEqual(negativesOf(fresh, 1));
    expect(negativesOf(fresh, 1, { seed: 2 })).not.toEqual(negativesOf(fresh, 1));
  });

  test('look like no tool of a server that is excluded from draws', () => {
    const servers = new Map([['a', { strikes: 2, outUntilRound: 9 }]]);
    const tools = negativesOf({ ...fresh, servers }, 1).flatMap(({ draws }) => draws.flatMap((draw) => draw.tools));
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.filter((tool) => tool.startsWith('a/'))).toEqual([]);
  });
});

test('a run asks for no more units of its own kinds than a round has, and for none where units become tasks', () => {
  const problems = (more: Readonly<Record<string, unknown>>) =>
    explorationConfig.safeParse({ catalog: 'cat_1', ...more }).error?.issues.map(({ path }) => path);
  expect(problems({ batch: 3, siblingUnits: 2, negativeUnits: 2 })).toEqual([['negativeUnits']]);
  expect(problems({ strategy: 'chain', negativeUnits: 1 })).toEqual([['negativeUnits']]);
  expect(problems({ batch: 3, siblingUnits: 2, negativeUnits: 1 })).toBeUndefined();
});
