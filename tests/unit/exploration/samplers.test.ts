import { describe, expect, it } from 'vitest';

import { makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import { makeCommitOfFinishedRound } from '#core/exploration/commit.ts';
import {
  makeHierarchicalSampler,
  makeInverseCallFrequencySampler,
  type Sampler,
  makeTwoPhaseSampler,
} from '#core/exploration/samplers.ts';
import { defaultSampling } from '#core/exploration/sampling.ts';
import { calledCoverage, type ExplorationState, initialState, nodeCoverage } from '#core/exploration/state.ts';
import { strategyName } from '#core/exploration/config.ts';
import { probeStrategy, strategies } from '#core/exploration/strategies.ts';
import { makeRandom } from '#core/values/random.ts';

import { chiSquareFits } from '../chi-square.ts';
import { outcome, ran, smallCatalog } from './world.ts';

const start = initialState(smallCatalog);
const names = smallCatalog.tools.map(({ name }) => name);
const DRAWS = 20_000;

const draws = (sampler: Sampler, state: ExplorationState, count = DRAWS): (readonly string[])[] =>
  Array.from({ length: count }, (_, i) => sampler(state, makeRandom('test', i)));

const tally = <T>(items: readonly T[], keys: readonly T[]): number[] =>
  keys.map((key) => items.filter((item) => item === key).length);

describe('the inverse-frequency sampler', () => {
  const { state } = makeCommitOfFinishedRound(start, 1, [
    outcome({ unit: 'u', traces: [ran('a/t0', 'a/t1', 'a/t0', 'a/t1', 'b/t0')] }),
  ]);
  const drawn = draws(makeInverseCallFrequencySampler(defaultSampling), state);

  it('draws 3 to 6 different tools, each number equally often', () => {
    expect(drawn.every((tools) => new Set(tools).size === tools.length)).toBe(true);
    const sizes = tally(
      drawn.map((tools) => tools.length),
      [3, 4, 5, 6],
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(DRAWS);
    expect(chiSquareFits(sizes, [1, 1, 1, 1])).toBe(true);
  });

  it('draws first by exp(-lambda calls), and then likewise among the rest', () => {
    const calls = new Map([
      ['a/t0', 2],
      ['a/t1', 2],
      ['b/t0', 1],
    ]);
    const weight = (tool: string): number => Math.exp(-0.5 * (calls.get(tool) ?? 0));
    const first = drawn.map(([tool]) => tool ?? '');
    expect(chiSquareFits(tally(first, names), names.map(weight))).toBe(true);
    const rest = names.filter((tool) => tool !== 'd/t0');
    const second = drawn.filter(([tool]) => tool === 'd/t0').map(([, tool]) => tool ?? '');
    expect(chiSquareFits(tally(second, rest), rest.map(weight))).toBe(true);
  });

  it('works at counts at which every weight underflows to zero', () => {
    const busy = { calls: Array.from({ length: 4_000 }, (_, i) => ({ tool: names[i % 8] ?? '', ok: true })) };
    const { state: worn } = makeCommitOfFinishedRound(start, 1, [outcome({ unit: 'u', traces: [busy] })]);
    const first = draws(makeInverseCallFrequencySampler({ ...defaultSampling, lambda: 50 }), worn, 4_000).map(
      ([tool]) => tool ?? '',
    );
    expect(
      chiSquareFits(
        tally(first, names),
        names.map(() => 1),
      ),
    ).toBe(true);
  });

  it('leaves out set-aside tools while at least two others are left', () => {
    const hopeless = Array.from({ length: 10 }, () => ['a/t0']);
    const { state: aside } = makeCommitOfFinishedRound(start, 1, [outcome({ unit: 'u', draws: hopeless })]);
    expect(draws(makeInverseCallFrequencySampler(defaultSampling), aside, 500).flat()).not.toContain('a/t0');
    const all = Array.from({ length: 10 }, () => names);
    const { state: none } = makeCommitOfFinishedRound(start, 1, [outcome({ unit: 'u', draws: all })]);
    expect(draws(makeInverseCallFrequencySampler(defaultSampling), none, 50).every((tools) => tools.length >= 3)).toBe(
      true,
    );
  });
});

describe('the hierarchical sampler', () => {
  const tools = (server: string, count: number): { name: string; server: string; domain: string }[] =>
    Array.from({ length: count }, (_, i) => ({ name: `${server}/t${i}`, server, domain: 'x' }));
  const roomy = initialState(
    makeCatalogIndex([...tools('a', 9), ...tools('b', 5), ...tools('c', 4), ...tools('d', 3)]),
  );
  const drawn = draws(makeHierarchicalSampler(defaultSampling), roomy);
  const serversOf = (candidates: readonly string[]): string[] => [
    ...new Set(candidates.map((tool) => tool.slice(0, 1))),
  ];

  it('draws 1 to 3 servers, each number and each server equally often', () => {
    const counts = tally(
      drawn.map((candidates) => serversOf(candidates).length),
      [1, 2, 3],
    );
    expect(chiSquareFits(counts, [1, 1, 1])).toBe(true);
    const single = drawn.map(serversOf).filter((servers) => servers.length === 1);
    expect(
      chiSquareFits(
        tally(
          single.map(([server]) => server),
          ['a', 'b', 'c', 'd'],
        ),
        [1, 1, 1, 1],
      ),
    ).toBe(true);
  });

  it('takes at most 4 tools of each server, each equally often', () => {
    const wrong = drawn.filter(
      (candidates) =>
        new Set(candidates).size !== candidates.length ||
        serversOf(candidates).some(
          (server) => candidates.filter((tool) => tool.startsWith(server)).length !== (server === 'd' ? 3 : 4),
        ),
    );
    expect(wrong).toEqual([]);
    const ofA = drawn.flat().filter((tool) => tool.startsWith('a/'));
    // Without replacement the counts vary less than independent draws would, so the test is on the safe side.
    expect(
      chiSquareFits(
        tally(
          ofA,
          tools('a', 9).map(({ name }) => name),
        ),
        new Array<number>(9).fill(1),
      ),
    ).toBe(true);
  });

  it('never gives a unit a single tool if the catalog has two', () => {
    const tiny = initialState(makeCatalogIndex([...tools('a', 1), ...tools('b', 1), ...tools('c', 1)]));
    expect(
      draws(makeHierarchicalSampler(defaultSampling), tiny, 300).every((candidates) => candidates.length >= 2),
    ).toBe(true);
    const lone = initialState(makeCatalogIndex(tools('a', 1)));
    expect(makeHierarchicalSampler(defaultSampling)(lone, makeRandom(1))).toEqual(['a/t0']);
    expect(makeHierarchicalSampler(defaultSampling)(initialState(makeCatalogIndex([])), makeRandom(1))).toEqual([]);
  });
});

describe('the sampling strategies', () => {
  it('go for breadth under sgvef until every available tool is covered, and then for depth', () => {
    const covered = makeCommitOfFinishedRound(start, 1, [outcome({ unit: 'u', traces: [ran(...names)] })]).state;
    for (let i = 0; i < 50; i++) {
      const draw = makeTwoPhaseSampler(defaultSampling);
      expect(draw(start, makeRandom(i))).toEqual(
        makeInverseCallFrequencySampler(defaultSampling)(start, makeRandom(i)),
      );
      expect(draw(covered, makeRandom(i))).toEqual(makeHierarchicalSampler(defaultSampling)(covered, makeRandom(i)));
    }
  });

  it('leave breadth under sgvef as soon as every tool was called, although one of them never succeeds', () => {
    const [broken = '', ...working] = names;
    const failing = { calls: [...ran(...working).calls, { tool: broken, ok: false }] };
    const called = makeCommitOfFinishedRound(start, 1, [outcome({ unit: 'u', traces: [failing] })]).state;
    expect(nodeCoverage(called).value).toBeLessThan(1);
    expect(calledCoverage(called)).toEqual({ covered: names.length, of: names.length, value: 1 });
    for (let i = 0; i < 50; i++)
      expect(makeTwoPhaseSampler(defaultSampling)(called, makeRandom(i))).toEqual(
        makeHierarchicalSampler(defaultSampling)(called, makeRandom(i)),
      );
  });

  it('do not wait under sgvef for a tool that was set aside without a call', () => {
    const [shunned = '', ...working] = names;
    const state = makeCommitOfFinishedRound(start, 1, [
      outcome({ unit: 'u', traces: [ran(...working)] }),
      outcome({ unit: 'v', status: 'lost', draws: Array.from({ length: 10 }, () => [shunned]) }),
    ]).state;
    expect(calledCoverage(state).value).toBeLessThan(1);
    expect(makeTwoPhaseSampler(defaultSampling)(state, makeRandom(1))).toEqual(
      makeHierarchicalSampler(defaultSampling)(state, makeRandom(1)),
    );
  });

  it('reach the second phase of sgvef in a hundred tools of which one never succeeds, within twenty rounds', () => {
    const catalog = makeCatalogIndex(
      Array.from({ length: 100 }, (_, i) => ({ name: `s${i % 10}/t${i}`, server: `s${i % 10}`, domain: 'd' })),
    );
    const draw = makeTwoPhaseSampler(defaultSampling);
    let state = initialState(catalog);
    for (let round = 1; round <= 20; round++) {
      const units = Array.from({ length: 10 }, (_, i) => {
        const drawn = draw(state, makeRandom(round, i));
        const calls = drawn.map((tool) => ({ tool, ok: tool !== 's0/t0' }));
        return outcome({ unit: `${round}-${i}`, draws: [drawn], traces: [{ calls }, { calls }] });
      });
      state = makeCommitOfFinishedRound(state, round, units).state;
    }
    expect(nodeCoverage(state)).toMatchObject({ covered: 99 });
    expect(calledCoverage(state).value).toBe(1);
  });

  it('draw as the parameters of a run say', () => {
    const pairs = makeInverseCallFrequencySampler({ ...defaultSampling, drawMin: 2, drawMax: 2 });
    expect(new Set(draws(pairs, start, 100).map(({ length }) => length))).toEqual(new Set([2]));
    const wide = strategies.sgve.makeSampler({ ...defaultSampling, serversMax: 1, toolsPerServerMax: 2 });
    for (const drawn of draws(wide, start, 100)) expect(drawn.length).toBeLessThanOrEqual(3);
    expect(draws(wide, start, 100).some((drawn) => drawn.length === 2)).toBe(true);
  });

  it('withhold from the ablations and from probes what they must not know', () => {
    expect(strategies.sgvef).toMatchObject({ listsKnownTransitions: true, seesCatalog: false, unitsPerAnswer: 1 });
    expect(strategies.sgve).toMatchObject({ listsKnownTransitions: false, seesCatalog: false, unitsPerAnswer: 1 });
    expect(strategies.gve).toMatchObject({ listsKnownTransitions: false, seesCatalog: true, unitsPerAnswer: 5 });
    expect(strategies.gve.makeSampler(defaultSampling)(start, makeRandom(1))).toEqual(names);
    expect(probeStrategy).toMatchObject({ listsKnownTransitions: false, seesCatalog: false });
    const [probing, sgve] = [probeStrategy, strategies.sgve].map(({ makeSampler }) => makeSampler(defaultSampling));
    expect(probing?.(start, makeRandom(1))).toEqual(sgve?.(start, makeRandom(1)));
  });

  it('read the schemas of a catalog only under frontier and chain', () => {
    expect(strategyName.options.filter((name) => strategies[name].readsSchemas)).toEqual(['frontier', 'chain']);
  });

  it('never draw tools of an excluded server', () => {
    const { state } = makeCommitOfFinishedRound(start, 1, [
      outcome({ unit: 'u', status: 'dropped', faults: [{ server: 'a' }] }),
    ]);
    for (const name of ['sgvef', 'sgve', 'gve', 'hierarchical', 'inverse-frequency', 'chain'] as const) {
      const candidates = draws(strategies[name].makeSampler(defaultSampling), state, 200);
      expect(candidates.flat().some((tool) => tool.startsWith('a/'))).toBe(false);
      expect(candidates.every((tools) => tools.length >= 2)).toBe(true);
    }
  });
});
