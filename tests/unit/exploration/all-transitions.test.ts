import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allTransitionsText, allTransitionsTexts } from '../../../client/display/wording.ts';
import { strategyName } from '#core/exploration/config.ts';
import { estimateAllTransitions, unsoundStopTextOrNull } from '#core/exploration/all-transitions.ts';
import { makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import { makeCommitOfFinishedRound } from '#core/exploration/commit.ts';
import { computeRoundReading } from '#core/exploration/reading.ts';
import { initialState } from '#core/exploration/state.ts';
import { makeAbundanceFromCounts, noAbundance } from '#core/statistics/richness/abundance.ts';
import { makeRandom } from '#core/values/random.ts';
import { drawRandomWorld } from '../../../bench/discovery/family.ts';
import { simulateRoundsEndlessly } from '../../../bench/discovery/run.ts';
import { makeWorld } from '../../../bench/discovery/world.ts';
import { committed, outcome, ran } from './world.ts';

/** Probes of `size` transitions each, of which `found` are known. */
const probesOf = (probes: number, size: number, found: number) => ({
  probes,
  size: probes * size,
  found: probes * found,
  sizeSize: probes * size * size,
  sizeFound: probes * size * found,
  foundFound: probes * found * found,
});
const counts = (...of: number[]) => makeAbundanceFromCounts(of);

describe('the estimate of all transitions', () => {
  const found = { tools: 147, abundance: counts(...new Array<number>(712).fill(1)), unfound: noAbundance };

  test('is what was found by the share of it that probes meet, in words of two digits', () => {
    const estimated = estimateAllTransitions('frontier', { ...found, probes: probesOf(40, 5, 1) });
    // 200 transitions of 40 probes, 40 of them found: about 3,560 by a share of 20%.
    expect(estimated.estimate).toMatchObject({ from: 'recapture', value: expect.closeTo(3_505, -2) });
    expect(estimated.possible).toBe(147 * 146);
    expect(allTransitionsText({ transitions: 712, allTransitions: estimated })).toBe(
      'about 3,500 transitions in all, 2,700 to 4,800',
    );
  });

  test('is told with its caveat, which nothing is told without', () => {
    const texts = (probes: ReturnType<typeof probesOf>): string[] =>
      allTransitionsTexts(
        { transitions: 712, allTransitions: estimateAllTransitions('frontier', { ...found, probes }) },
        'frontier',
      );
    expect(texts(probesOf(40, 5, 1))).toHaveLength(2);
    expect(texts(probesOf(9, 5, 1))).toEqual(['no estimate yet: 9 probes with transitions']);
  });

  test('is a matter of ten probes with transitions, five of which are known', () => {
    const text = (probes: ReturnType<typeof probesOf>): string =>
      allTransitionsText({
        transitions: 712,
        allTransitions: estimateAllTransitions('frontier', { ...found, probes }),
      });
    expect(text(probesOf(0, 5, 1))).toBe('no estimate yet');
    expect(text(probesOf(9, 5, 1))).toBe('no estimate yet: 9 probes with transitions');
    expect(text({ ...probesOf(10, 5, 1), found: 4 })).toBe('no estimate yet: 10 probes with transitions');
    expect(text(probesOf(10, 5, 1))).toMatch(/^about /);
  });

  test('is never Chao1 where a strategy steers, and Chao1 as published elsewhere, cut at what can exist', () => {
    // 100 of 132 pairs, each in one unit: Chao1 says 5,050.
    const many = {
      tools: 12,
      abundance: counts(...new Array<number>(100).fill(1)),
      unfound: noAbundance,
      probes: probesOf(9, 5, 1),
    };
    for (const strategy of ['frontier', 'chain', 'inverse-frequency', 'hierarchical'] as const)
      expect(estimateAllTransitions(strategy, many).estimate).toBeNull();
    for (const strategy of ['gve', 'sgve', 'sgvef'] as const)
      expect(estimateAllTransitions(strategy, many).estimate).toEqual({
        from: 'chao1',
        value: 132,
        low: 132,
        high: 132,
      });
    expect(allTransitionsText({ transitions: 100, allTransitions: estimateAllTransitions('sgvef', many) })).toBe(
      'about 132 transitions in all, the most that can exist',
    );
    const few = { ...many, abundance: counts(1, 1, 2, 2, 3) };
    expect(estimateAllTransitions('sgve', few).estimate).toMatchObject({ value: 6 });
  });

  test('lies between what was found and what can exist, in numbers and in words, in every round of random worlds', () => {
    let estimates = 0;
    for (let seed = 1; seed <= 6; seed += 1) {
      const random = makeRandom('small worlds', seed);
      const drawn = drawRandomWorld(seed);
      const servers = drawn.servers.slice(0, 3).map((server) => ({ ...server, tools: 1 + random.below(4) + 1 }));
      const tools = servers.reduce((sum, server) => sum + server.tools, 0);
      const possible = tools * (tools - 1);
      const world = makeWorld({ ...drawn, servers, transitions: 1 + random.below(possible) }, seed);
      for (const strategy of ['frontier', 'hierarchical', 'sgvef', 'sgve'] as const) {
        for (const { reading } of simulateRoundsEndlessly(world, strategy, seed)) {
          const { allTransitions, transitions } = reading;
          expect(allTransitions?.possible).toBe(possible);
          for (const each of [allTransitions?.estimate, allTransitions?.byProbesAlone]) {
            if (!each) continue;
            estimates += 1;
            const order = [transitions, each.low, each.value, each.high, possible];
            expect(order).toEqual(order.toSorted((a, b) => a - b));
          }
          const shown = allTransitionsText(reading).replaceAll(',', '').match(/\d+/g)?.map(Number) ?? [];
          if (allTransitions?.estimate) for (const count of shown) expect(count).toBeGreaterThanOrEqual(transitions);
          if (allTransitions?.estimate) for (const count of shown) expect(count).toBeLessThanOrEqual(possible);
          if (reading.round === 16) break;
        }
      }
    }
    expect(estimates).toBeGreaterThan(200);
  });

  test('never leaves what can exist, whatever was counted', () => {
    const probes = fc
      .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 9 })), { maxLength: 40 })
      .map((each) => {
        const sums = { ...probesOf(0, 0, 0) };
        for (const [size, drawn] of each) {
          const known = Math.min(size, drawn);
          sums.probes += 1;
          sums.size += size;
          sums.found += known;
          sums.sizeSize += size * size;
          sums.sizeFound += size * known;
          sums.foundFound += known * known;
        }
        return sums;
      });
    const abundance = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 132 }).map((of) => counts(...of));
    fc.assert(
      fc.property(
        fc.constantFrom(...strategyName.options),
        probes,
        abundance,
        abundance,
        (strategy, sums, own, unfound) => {
          const all = estimateAllTransitions(strategy, { tools: 12, abundance: own, probes: sums, unfound });
          for (const each of [all.estimate, all.byProbesAlone]) {
            if (each === null) continue;
            const order = [own.S, each.low, each.value, each.high, 132];
            expect(order).toEqual(order.toSorted((a, b) => a - b));
          }
        },
      ),
    );
  });
});

test('what only probes made is counted until the steered units find it', () => {
  const tools = ['a', 'b', 'c', 'd'].map((name) => ({ name: `s/${name}`, server: 's', domain: 'x' }));
  const probe = (unit: string, ...chain: string[]) => outcome({ unit, probe: true, traces: [ran(...chain)] });
  const start = initialState(makeCatalogIndex(tools));
  const first = committed(
    makeCommitOfFinishedRound(start, 1, [probe('p1', 's/a', 's/b', 's/c'), probe('p2', 's/a', 's/b')]),
  ).state;
  expect(first.probes.unfound).toEqual(counts(2, 1));
  const second = committed(
    makeCommitOfFinishedRound(first, 2, [
      outcome({ unit: 'u', traces: [ran('s/a', 's/b')] }),
      probe('p3', 's/b', 's/c'),
    ]),
  ).state;
  expect(second.probes.unfound).toEqual(counts(2));
  expect(computeRoundReading(second, { strategy: 'frontier' }).allTransitions).toEqual({
    possible: 12,
    probes: 3,
    estimate: null,
    byProbesAlone: null,
  });
});

test('the plateau of Chao1, from which a later run takes its bound, exists only where Chao1 holds', () => {
  const state = { ...initialState(makeCatalogIndex([])), recentChao1: new Array<number>(7).fill(100) };
  expect(computeRoundReading(state, { strategy: 'sgvef' }).plateau).toBe(100);
  expect(computeRoundReading(state, { strategy: 'frontier' }).plateau).toBeNull();
});

test('a run is refused that would stop by Chao1 under a strategy that steers, or by a bound above what its tools can make', () => {
  const stopping = (rule: 'none' | 'probe' | 'chao1' | 'bound', strategy: 'frontier' | 'sgvef', bound?: number) =>
    unsoundStopTextOrNull({ strategy, stop: { rule, target: 0.8 }, bound }, 12);
  expect(stopping('chao1', 'frontier')).toBe(
    'stop.rule: chao1 does not hold under frontier, whose units avoid what is known; take the rule probe, or one of the strategies sgvef, sgve, gve',
  );
  expect(stopping('chao1', 'sgvef')).toBeNull();
  expect(stopping('probe', 'frontier')).toBeNull();
  expect(stopping('bound', 'frontier', 132)).toBeNull();
  expect(stopping('bound', 'frontier', 133)).toBe('bound: 133 is more than the 132 transitions that 12 tools can make');
});
