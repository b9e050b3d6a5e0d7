import { describe, expect, test } from 'vitest';
import { transitionNumber } from '#core/exploration/catalog-index.ts';
import { makeRandom } from '#core/values/random.ts';
import { drawRandomWorld } from '../../../bench/discovery/family.ts';
import { countToolsOfWorld } from '../../../bench/discovery/text.ts';
import { simulateUnit } from '../../../bench/discovery/unit.ts';
import { worldFile } from '../../../bench/discovery/world-file.ts';
import { makeWorld, type World } from '../../../bench/discovery/world.ts';
import { smallFile, unitOf } from './simulated.ts';

const middling = smallFile({
  servers: Array.from({ length: 12 }, (_, n) => ({ domain: n % 2 === 0 ? 'travel' : 'finance', tools: 5 })),
  transitions: 900,
});
const isTrue = (world: World, from: string, to: string): boolean => {
  const { numbers, tools } = world.catalog;
  return world.affinities.has((numbers.get(from) ?? NaN) * tools.length + (numbers.get(to) ?? NaN));
};
const allTools = (world: World): string[] => world.catalog.tools.map(({ name }) => name);

describe('a simulated world', () => {
  test('has as many true transitions as its file says, and none from a tool to itself', () => {
    for (const transitions of [1, 8, 20]) {
      const { affinities, catalog } = makeWorld(smallFile({ transitions }), 3);
      expect(affinities.size).toBe(transitions);
      for (const pair of affinities.keys())
        expect(pair % catalog.tools.length).not.toBe(Math.floor(pair / catalog.tools.length));
    }
  });

  test('is the same for the same seed and differs for another seed', () => {
    const [one, same, other] = [makeWorld(middling, 5), makeWorld(middling, 5), makeWorld(middling, 6)];
    expect(same.affinities).toEqual(one.affinities);
    expect(other.affinities).not.toEqual(one.affinities);
    const hints = ({ catalog }: World): number[] => Array.from({ length: 60 }, (_, to) => catalog.hintLevel(0, to));
    expect(hints(same)).toEqual(hints(one));
    expect(hints(other)).not.toEqual(hints(one));
  });

  test('has transitions only between pairs with a weight', () => {
    const { affinities, catalog } = makeWorld(
      { ...smallFile(), placement: { sameServer: 1, sameDomain: 0, cross: 0, sigma: 1 }, transitions: 4 },
      1,
    );
    for (const pair of affinities.keys())
      expect(catalog.tools[Math.floor(pair / 5)]?.server).toBe(catalog.tools[pair % 5]?.server);
  });

  test('has a hint with the error rates of its file', () => {
    const world = makeWorld(middling, 2);
    const flagged = { true: 0, false: 0 };
    for (const [from] of world.catalog.tools.entries())
      for (const [to] of world.catalog.tools.entries())
        if (from !== to)
          flagged[world.affinities.has(from * 60 + to) ? 'true' : 'false'] += Math.sign(
            world.catalog.hintLevel(from, to),
          );
    // Three standard errors: of 900 and of 2,640 pairs.
    expect(Math.abs(flagged.true / 900 - 0.8)).toBeLessThan(0.04);
    expect(Math.abs(flagged.false / (60 * 59 - 900) - 0.2)).toBeLessThan(0.024);
  });
});

describe('a simulated unit', () => {
  test('shows only true transitions, even if calls are left out', () => {
    const world = makeWorld({ ...middling, execution: { dropRate: 0.4 } }, 1);
    const set = { tools: allTools(world), known: [] };
    let shown = 0;
    for (let n = 0; n < 200; n++)
      for (const { calls } of simulateUnit(world, unitOf(set), makeRandom('unit', n)).traces)
        for (const [index, { tool }] of calls.entries()) {
          const before = calls[index - 1];
          if (before === undefined) continue;
          shown += 1;
          expect(isTrue(world, before.tool, tool)).toBe(true);
        }
    expect(shown).toBeGreaterThan(100);
  });

  test('is written from its candidates, or from the whole catalog if it has none', () => {
    const world = makeWorld(smallFile({ transitions: 20 }), 1);
    const tools = allTools(world).slice(0, 3);
    for (let n = 0; n < 50; n++) {
      const { chain, draws, status } = simulateUnit(world, unitOf({ tools, known: [] }), makeRandom('unit', n));
      expect(status).toBe('accepted');
      expect(draws).toEqual([tools]);
      expect(tools).toEqual(expect.arrayContaining([...chain]));
      expect(new Set(chain).size).toBe(chain.length);
    }
    const chains = Array.from({ length: 50 }, (_, n) => simulateUnit(world, unitOf(), makeRandom('unit', n)).chain);
    expect(new Set(chains.flat()).size).toBe(5);
  });

  test('follows affinities raised to the power for a generator that sees the whole catalog', () => {
    const shares = (collapse: number): number => {
      const world = makeWorld(
        smallFile({ transitions: 20, generator: { ...smallFile().generator, chainLength: [2, 2], collapse } }),
        1,
      );
      const at = (pair: readonly string[]): number =>
        world.affinities.get(transitionNumber(world.catalog, [pair[0] ?? '', pair[1] ?? '']) ?? -1) ?? 0;
      const chains = Array.from(
        { length: 20_000 },
        (_, n) => simulateUnit(world, unitOf(), makeRandom('unit', n)).chain,
      );
      const sum = [...world.affinities.values()].reduce((total, each) => total + each ** collapse, 0);
      const [first = [], ...others] = chains.toSorted((a, b) => at(b) - at(a));
      const times = 1 + others.filter((chain) => chain.join() === first.join()).length;
      return times / chains.length - at(first) ** collapse / sum;
    };
    // Three standard errors of a share of one half.
    for (const collapse of [1, 2.5]) expect(Math.abs(shares(collapse))).toBeLessThan(0.011);
  });

  test('takes a known transition less often, by the factor in the world file', () => {
    const world = makeWorld(
      smallFile({ transitions: 20, generator: { ...smallFile().generator, chainLength: [2, 2], knownWeight: 0.2 } }),
      1,
    );
    const tools = allTools(world);
    const share = (known: [string, string][]): number => {
      const chains = Array.from(
        { length: 20_000 },
        (_, n) => simulateUnit(world, unitOf({ tools, known }), makeRandom('unit', n)).chain,
      );
      return chains.filter(([from, to]) => from === tools[0] && to === tools[1]).length / chains.length;
    };
    const plain = share([]);
    const expected = (0.2 * plain) / (1 - 0.8 * plain);
    expect(share([[tools[0] ?? '', tools[1] ?? '']])).toBeCloseTo(expected, 2);
  });

  test('is lost after as many sets as the world allows', () => {
    const world = makeWorld(smallFile({ transitions: 20 }), 1);
    const [first, second] = allTools(world);
    const barren = { tools: [first ?? ''], known: [] };
    const fruitful = { tools: [first ?? '', second ?? ''], known: [] };
    const lost = simulateUnit(world, unitOf(barren, barren, fruitful), makeRandom('unit', 1));
    expect(lost).toMatchObject({ status: 'lost', chain: [], traces: [] });
    expect(lost.draws).toHaveLength(2);
    expect(simulateUnit(world, unitOf(barren, fruitful), makeRandom('unit', 1)).status).toBe('accepted');
  });
});

test('worlds of the family are valid, within their bounds, and determined by the seed', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const file = drawRandomWorld(seed);
    expect(worldFile.parse(file)).toEqual(drawRandomWorld(seed));
    expect(file.servers.length).toBeGreaterThanOrEqual(3);
    expect(file.servers.length).toBeLessThanOrEqual(60);
    expect(countToolsOfWorld(file)).toBeGreaterThanOrEqual(25);
    expect(countToolsOfWorld(file)).toBeLessThanOrEqual(650);
    const share = file.transitions / (countToolsOfWorld(file) * (countToolsOfWorld(file) - 1));
    expect(share).toBeGreaterThan(0.025);
    expect(share).toBeLessThan(0.36);
  }
  expect(drawRandomWorld(1)).not.toEqual({ ...drawRandomWorld(2), name: 'family-1' });
});
