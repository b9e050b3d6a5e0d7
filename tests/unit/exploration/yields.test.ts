import { describe, expect, it } from 'vitest';

import { makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import { makeCommitOfFinishedRound } from '#core/exploration/commit.ts';
import { initialState } from '#core/exploration/state.ts';
import {
  yieldIndexOfToolPair,
  probabilityThatPairIsTransition,
  noYields,
  shareShownBeforePassOvers,
} from '#core/exploration/yields.ts';

import { pick, makeRandom, sample } from '#core/values/random.ts';

import { outcome, ran } from './world.ts';

const catalog = makeCatalogIndex(
  ['a/1', 'a/2', 'b/1', 'c/1'].map((name) => ({
    name,
    server: name.slice(0, 1),
    domain: name.startsWith('c') ? 'far' : 'near',
  })),
);
const kind = (from: number, to: number): number => yieldIndexOfToolPair(catalog, from, to);

describe('kinds of pairs', () => {
  it('distinguish same server, same domain and neither', () => {
    expect(new Set([kind(0, 1), kind(0, 2), kind(0, 3)]).size).toBe(3);
    expect(kind(0, 2)).toBe(kind(2, 1));
    expect(kind(3, 0)).toBe(kind(0, 3));
  });
});

describe('the yields of the kinds', () => {
  const start = initialState(catalog);
  const tools = ['a/1', 'a/2', 'b/1', 'c/1'];
  const walked = outcome({
    unit: 'u',
    draws: [tools],
    chain: ['a/1', 'a/2', 'b/1'],
    traces: [ran('a/1', 'a/2', 'b/1')],
  });

  it('count found pairs, and passed-over pairs by how much of them would have shown', () => {
    const { yields } = makeCommitOfFinishedRound(start, 1, [walked]).state;
    // a/1 was left for a/2 and could have gone to b/1 and c/1; a/2 for b/1, and could have gone to c/1.
    expect(yields[kind(0, 1)]).toEqual({ found: 1, missed: 0 });
    expect(yields[kind(0, 2)]).toEqual({ found: 1, missed: shareShownBeforePassOvers(1) });
    expect(yields[kind(0, 3)]).toEqual({ found: 0, missed: 2 * shareShownBeforePassOvers(1) });
  });

  it('count a pair less each time, and reverse that when it is found', () => {
    const once = makeCommitOfFinishedRound(start, 1, [walked]).state;
    const twice = makeCommitOfFinishedRound(once, 2, [{ ...walked, unit: 'v' }]).state;
    expect(twice.yields[kind(0, 3)]?.missed).toBeCloseTo(2 * shareShownBeforePassOvers(2));
    const toC = outcome({ unit: 'w', draws: [['a/1', 'c/1']], chain: ['a/1', 'c/1'], traces: [ran('a/1', 'c/1')] });
    expect(makeCommitOfFinishedRound(twice, 3, [toC]).state.yields[kind(0, 3)]).toEqual({
      found: 1,
      missed: expect.closeTo(shareShownBeforePassOvers(2)),
    });
  });

  it('ignore the steps of a chain that did not run, and sets without a usable answer', () => {
    const parked = outcome({ unit: 'p', status: 'review', draws: [tools.slice(0, 2)], chain: ['a/1', 'a/2'] });
    const broken = outcome({ unit: 'b', status: 'rejected', draws: [tools] });
    expect(makeCommitOfFinishedRound(start, 1, [parked, broken]).state.yields).toEqual(noYields);
  });

  it('approximate the true share of transitions', () => {
    const many = makeCatalogIndex(Array.from({ length: 20 }, (_, i) => ({ name: `s/${i}`, server: 's', domain: 'd' })));
    const names = many.tools.map(({ name }) => name);
    for (const density of [0.1, 0.3, 0.6]) {
      const random = makeRandom('density', density);
      const isTrue = new Set(
        names.flatMap((from) => names.map((to) => `${from} ${to}`)).filter(() => random.next() < density),
      );
      let state = initialState(many);
      for (let round = 1; round <= 60; round++) {
        const units = Array.from({ length: 5 }, (_, unit) => {
          const draw = sample(random, names, 8);
          const chain: string[] = [];
          for (let next = pick(random, draw); next !== undefined && chain.length < 4;) {
            const last: string = next;
            chain.push(last);
            next = pick(
              random,
              draw.filter((tool) => !chain.includes(tool) && isTrue.has(`${last} ${tool}`)),
            );
          }
          return chain.length > 1
            ? outcome({ unit: `u${unit}`, draws: [draw], chain, traces: [ran(...chain)] })
            : outcome({ unit: `u${unit}`, draws: [draw], status: 'lost' });
        });
        state = makeCommitOfFinishedRound(state, round, units).state;
      }
      const share = isTrue.size / (names.length * (names.length - 1));
      const known = probabilityThatPairIsTransition(state.yields[0] ?? { found: 0, missed: 0 });
      expect(known).toBeGreaterThan(0.6 * share);
      expect(known).toBeLessThan(1.6 * share);
    }
  });

  it('treat every pair of a rejected set as tried', () => {
    const { yields } = makeCommitOfFinishedRound(start, 1, [
      outcome({ unit: 'u', status: 'lost', draws: [['a/1', 'b/1']] }),
    ]).state;
    expect(yields[kind(0, 2)]).toEqual({ found: 0, missed: 2 * shareShownBeforePassOvers(1) });
  });

  it('learn nothing from probes and from dropped units', () => {
    const probe = { ...walked, probe: true };
    const dropped = outcome({ unit: 'd', status: 'dropped', draws: [tools] });
    const after = makeCommitOfFinishedRound(start, 1, [probe, dropped]).state;
    expect(after.yields).toEqual(noYields);
    expect(after.trials).toEqual(start.trials);
  });

  it('raise the belief in an untried pair of a productive kind, within 0 and 1', () => {
    expect(probabilityThatPairIsTransition({ found: 0, missed: 0 })).toBe(0.25);
    expect(probabilityThatPairIsTransition({ found: 50, missed: 10 })).toBeGreaterThan(0.75);
    expect(probabilityThatPairIsTransition({ found: 0, missed: 500 })).toBeLessThan(0.01);
    expect(probabilityThatPairIsTransition({ found: 1e9, missed: 0 })).toBeLessThan(1);
  });
});
