import { describe, expect, it } from 'vitest';

import { makeSchemaHint } from '#core/exploration/hint/schema-hint.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { type CatalogIndex, makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import { makeCommitOfFinishedRound } from '#core/exploration/commit.ts';
import { makeFrontierSampler } from '#core/exploration/frontier/frontier.ts';
import type { UnitOutcome } from '#core/exploration/outcome.ts';
import { defaultSampling } from '#core/exploration/sampling.ts';
import { type ExplorationState, initialState } from '#core/exploration/state.ts';
import { type Trial, rememberedTrialsAfterMore } from '#core/exploration/trials.ts';
import { makeRandom } from '#core/values/random.ts';

import { committed, outcome, ran } from '../world.ts';

const draw = makeFrontierSampler(defaultSampling);

const catalogOf = (
  sizes: Readonly<Record<string, number>>,
  hint?: (from: number, to: number) => number,
): CatalogIndex =>
  makeCatalogIndex(
    Object.entries(sizes).flatMap(([server, tools]) =>
      Array.from({ length: tools }, (_, i) => ({ name: `${server}/t${i}`, server, domain: server.slice(0, 1) })),
    ),
    hint,
  );

const toolsOf = (catalog: CatalogIndex, server: string): readonly string[] =>
  catalog.servers.find(({ name }) => name === server)?.tools ?? [];

const after = (state: ExplorationState, rounds: readonly (readonly UnitOutcome[])[]): ExplorationState =>
  rounds.reduce((before, units) => committed(makeCommitOfFinishedRound(before, before.round + 1, units)).state, state);

/** Every tool has worked once, and nothing is known of what follows what. */
const covered = (catalog: CatalogIndex): ExplorationState =>
  after(initialState(catalog), [[outcome({ unit: 'covers all', traces: catalog.tools.map(({ name }) => ran(name)) })]]);

const drawsFrom = (state: ExplorationState, count: number): (readonly string[])[] =>
  Array.from({ length: count }, (_, i) => draw(state, makeRandom('draw', i)));

const shareOf = (draws: readonly (readonly string[])[], server: string): number => {
  const all = draws.flat();
  return all.filter((tool) => tool.startsWith(`${server}/`)).length / all.length;
};

/** Every step of a server executed, in as many units as it takes. */
const allKnown = (tools: readonly string[]): UnitOutcome[] =>
  tools.flatMap((from) =>
    tools
      .filter((to) => to !== from)
      .map((to) => outcome({ unit: `${from} ${to}`, draws: [[from, to]], chain: [from, to], traces: [ran(from, to)] })),
  );

describe('the frontier sampler', () => {
  it('draws 2 to 12 different tools, determined by state and randomness', () => {
    const state = covered(catalogOf({ a: 9, b: 7, c: 5, d: 1 }));
    for (const [i, tools] of drawsFrom(state, 100).entries()) {
      expect(new Set(tools).size).toBe(tools.length);
      expect(tools.length).toBeGreaterThanOrEqual(2);
      expect(tools.length).toBeLessThanOrEqual(12);
      expect(draw(state, makeRandom('draw', i))).toEqual(tools);
    }
  });

  it('prefers unknown transitions to known ones', () => {
    const catalog = catalogOf({ a: 8, b: 8 });
    const known = after(covered(catalog), [allKnown(toolsOf(catalog, 'a'))]);
    const draws = drawsFrom(known, 200);
    const knownPairs = (tools: readonly string[]): number => {
      const ofA = tools.filter((tool) => tool.startsWith('a/')).length;
      return (ofA * (ofA - 1)) / Math.max(1, tools.length * (tools.length - 1));
    };
    const meanOf = (sets: readonly (readonly string[])[]): number =>
      sets.reduce((sum, tools) => sum + knownPairs(tools), 0) / sets.length;
    expect(meanOf(draws)).toBeLessThan(0.5 * meanOf(drawsFrom(covered(catalog), 200)));
  });

  it('prefers untried pairs to pairs that were tried in vain', () => {
    const catalog = catalogOf({ a: 8, b: 8 });
    const vain = Array.from({ length: 10 }, (_, i) => [
      outcome({ unit: `u${i}`, status: 'lost', draws: [toolsOf(catalog, 'a').slice(i % 2, 8)] }),
    ]);
    const state = after(covered(catalog), vain);
    expect(shareOf(drawsFrom(state, 200), 'a')).toBeLessThan(0.8 * shareOf(drawsFrom(covered(catalog), 200), 'a'));
  });

  it('learns on one server whether a high hint is reliable on another', () => {
    const hint = (from: number, to: number): number => Number((from + to) % 3 === 0);
    const catalog = catalogOf({ a: 15, b: 15 }, hint);
    const number = (tool: string): number => catalog.numbers.get(tool) ?? -1;
    const stepsOf = (tools: readonly string[]): (readonly [string, string])[] =>
      tools.flatMap((from) => tools.filter((to) => to !== from).map((to) => [from, to] as const));
    const hinted = (steps: readonly (readonly [string, string])[]): number =>
      steps.filter(([from, to]) => hint(number(from), number(to)) === 1).length / steps.length;
    const drawnAfter = (pays: 0 | 1): number => {
      const units = stepsOf(toolsOf(catalog, 'a')).map(([from, to]) => {
        const works = hint(number(from), number(to)) === pays;
        const draws = [[from, to]];
        return works
          ? outcome({ unit: `${from} ${to}`, draws, chain: [from, to], traces: [ran(from, to)] })
          : outcome({ unit: `${from} ${to}`, draws, status: 'lost' });
      });
      const draws = drawsFrom(after(covered(catalog), [units]), 150);
      return hinted(draws.flatMap((tools) => stepsOf(tools.filter((tool) => tool.startsWith('b/')))));
    };
    expect(hinted(stepsOf(toolsOf(catalog, 'b')))).toBeCloseTo(1 / 3, 1);
    expect(drawnAfter(1)).toBeGreaterThan(0.4);
    expect(drawnAfter(0)).toBeLessThan(0.3);
  });

  it('gives every pair of tools a chance, even after many failed trials', () => {
    const catalog = catalogOf({ a: 4, b: 3, c: 1 });
    const names = catalog.tools.map(({ name }) => name);
    const vain = Array.from({ length: 40 }, (_, i) => [outcome({ unit: `u${i}`, status: 'lost', draws: [names] })]);
    const hopeless = after(covered(catalog), vain);
    const met = new Set<string>();
    for (const tools of drawsFrom(hopeless, 3_000))
      for (const from of tools) for (const to of tools) if (from !== to) met.add(`${from} ${to}`);
    expect(met.size).toBe(names.length * (names.length - 1));
  });

  it('does not draw servers that are excluded', () => {
    const catalog = catalogOf({ a: 6, b: 6, c: 6 });
    const down = after(covered(catalog), [[outcome({ unit: 'u', status: 'dropped', faults: [{ server: 'b' }] })]]);
    expect(shareOf(drawsFrom(down, 100), 'b')).toBe(0);
    const all = after(covered(catalogOf({ a: 6 })), [
      [outcome({ unit: 'u', status: 'dropped', faults: [{ server: 'a' }] })],
    ]);
    expect(draw(all, makeRandom(1))).toEqual([]);
  });

  it('goes for breadth until as many tools have worked as a set holds, and often while any tool waits', () => {
    const catalog = catalogOf({ a: 20, b: 20 });
    const breadth = (state: ExplorationState): number => {
      const sizes = drawsFrom(state, 500).map(({ length }) => length);
      return sizes.filter((size) => size <= 6).length / sizes.length;
    };
    const working = (count: number): ExplorationState =>
      after(initialState(catalog), [
        [outcome({ unit: 'u', traces: catalog.tools.slice(0, count).map(({ name }) => ran(name)) })],
      ]);
    expect(breadth(working(11))).toBeGreaterThan(0.9);
    expect(breadth(working(30))).toBeGreaterThan(0.2);
    expect(breadth(working(30))).toBeLessThan(0.5);
    expect(breadth(working(40))).toBeLessThan(0.1);
    const waiting = new Set(catalog.tools.slice(30).map(({ name }) => name));
    const chosen = drawsFrom(working(30), 300).filter((tools) => tools.length > 8);
    expect(chosen.length).toBeGreaterThan(150);
    for (const tools of chosen) expect(tools.filter((tool) => waiting.has(tool))).toEqual([]);
  });

  it('draws tools that always fail less and less often', () => {
    const catalog = catalogOf({ a: 15, b: 15 });
    const tools = toolsOf(catalog, 'b');
    const start = after(initialState(catalog), [
      [outcome({ unit: 'covers a', traces: toolsOf(catalog, 'a').map((tool) => ran(tool)) })],
    ]);
    const failing = (rounds: number): UnitOutcome[][] =>
      Array.from({ length: rounds }, (_, i) => [outcome({ unit: `u${i}`, draws: [tools], chain: tools.slice(0, 3) })]);
    const share = (rounds: number): number => shareOf(drawsFrom(after(start, failing(rounds)), 200), 'b');
    expect(share(10)).toBeGreaterThan(share(30));
    expect(share(30)).toBeGreaterThan(share(300));
    expect(share(300)).toBeLessThan(0.1);
  });

  it('is not attracted by new steps to tools that always fail', () => {
    // A writer that likes the broken tools in each new company, and an agent whose calls of them fail.
    const catalog = catalogOf({ a: 60, z: 4 });
    let state = initialState(catalog);
    const drawn: string[] = [];
    for (let round = 1; round <= 80; round++) {
      const units = Array.from({ length: 5 }, (_, unit) => {
        const tools = draw(state, makeRandom('broken', round, unit));
        const chain = [
          ...tools.filter((tool) => !tool.startsWith('z/')).slice(0, 2),
          ...tools.filter((tool) => tool.startsWith('z/')).slice(0, 1),
        ];
        const works = chain.filter((tool) => !tool.startsWith('z/'));
        if (round > 60) drawn.push(...tools);
        return outcome({ unit: `r${round}u${unit}`, draws: [tools], chain, traces: [ran(...works)] });
      });
      state = after(state, [units]);
    }
    expect(shareOf([drawn], 'z')).toBeLessThan(0.1);
  });

  it('draws a different set if the first was already drawn in this round', () => {
    const state = covered(catalogOf({ a: 30, b: 30 }));
    const overlap = (one: readonly string[], other: readonly string[]): number =>
      one.filter((tool) => other.includes(tool)).length;
    let [again, anew] = [0, 0];
    for (let i = 0; i < 40; i++) {
      const first = draw(state, makeRandom('first', i));
      again += overlap(first, draw(state, makeRandom('second', i)));
      anew += overlap(first, draw(state, makeRandom('second', i), [first, first, first]));
    }
    expect(anew).toBeLessThan(again);
  });

  it('takes at most 20 ms of CPU time to draw from 10,000 tools with schemas and full memories', () => {
    const fields = ['city', 'userId', 'path', 'amount', 'date', 'url', 'orderId', 'text', 'query', 'email'];
    const tools = Array.from({ length: 10_000 }, (_, i): Tool => {
      const properties = (shift: number) =>
        Object.fromEntries(
          fields.slice(0, 5).map((_each, k) => [fields[(i * shift + k) % 10] ?? '', { type: 'string' }]),
        );
      return {
        name: `s${i % 700}/t${i}`,
        server: `s${i % 700}`,
        domain: `d${i % 30}`,
        category: 'read',
        inputSchema: { type: 'object', properties: properties(3) },
        outputSchema: { type: 'object', properties: properties(7) },
      };
    });
    const start = covered(makeCatalogIndex(tools, makeSchemaHint(tools)));
    const random = makeRandom('trials');
    const trials = Array.from({ length: 110_000 }, (_, round): Trial => {
      const candidates = Array.from({ length: 12 }, () => random.below(tools.length));
      return { round, candidates: [...new Set(candidates)], chain: candidates.slice(0, 4) };
    });
    const state = { ...start, trials: rememberedTrialsAfterMore(start.trials, trials) };
    const pending = Array.from({ length: 50 }, (_, i) => draw(start, makeRandom('pending', i)));
    const times = Array.from({ length: 100 }, (_, i) => {
      // Not the wall clock: other tests run beside this one.
      const begin = process.threadCpuUsage();
      draw(state, makeRandom('timed', i), pending);
      const { user, system } = process.threadCpuUsage(begin);
      return (user + system) / 1_000;
    }).toSorted((a, b) => a - b);
    expect(times[94]).toBeLessThan(20);
  });
});
