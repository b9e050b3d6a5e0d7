import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { makeChainSampler, stepWeight } from '#core/exploration/chain/chain.ts';
import { makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import { makeCommitOfFinishedRound } from '#core/exploration/commit.ts';
import type { SchemaHint } from '#core/exploration/hint/schema-hint.ts';
import { defaultSampling } from '#core/exploration/sampling.ts';
import { type ExplorationState, initialState } from '#core/exploration/state.ts';
import { makeRandom } from '#core/values/random.ts';

import { outcome, ran } from './world.ts';

const serverOf = (tool: string): string => tool.slice(0, tool.indexOf('/'));
const listServers = (chain: readonly string[]): string[] => [...new Set(chain.map(serverOf))];

/** A catalog of servers with these numbers of tools, and a hint for the pairs that `likes` names. */
const makeState = (sizes: readonly number[], likes: SchemaHint): ExplorationState =>
  initialState(
    makeCatalogIndex(
      sizes.flatMap((size, server) =>
        Array.from({ length: size }, (_, tool) => ({ name: `s${server}/t${tool}`, server: `s${server}`, domain: 'x' })),
      ),
      likes,
    ),
  );

const anyState = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 }),
    salt: fc.nat(),
    executed: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 6 }),
  })
  .map(({ sizes, salt, executed }) => {
    const state = makeState(sizes, (from, to) => (from === to ? 0 : makeRandom(salt, from, to).next() ** 3));
    const names = state.catalog.tools.map(({ name }) => name);
    const name = (number: number): string => names[number % names.length] ?? '';
    const traces = executed.flatMap(([from, to]) => (name(from) === name(to) ? [] : [ran(name(from), name(to))]));
    return makeCommitOfFinishedRound(state, 1, [outcome({ unit: 'u', traces })]).state;
  });

const draw = (state: ExplorationState, seed: number, earlier: readonly (readonly string[])[] = []): readonly string[] =>
  makeChainSampler(defaultSampling)(state, makeRandom('chain', seed), earlier);

describe('the chain sampler', () => {
  it('walks 1, 2 and 3 servers in turn, with a tool of each and no tool twice', () => {
    fc.assert(
      fc.property(anyState, fc.nat(), (state, seed) => {
        const servers = state.catalog.servers.length;
        const large = state.catalog.servers.some(({ tools }) => tools.length > 1);
        const earlier: (readonly string[])[] = [];
        for (let unit = 0; unit < 6; unit++) {
          const chain = draw(state, seed + unit, earlier);
          earlier.push(chain);
          if (state.catalog.tools.length < 2) {
            expect(chain).toEqual([]);
            continue;
          }
          const wanted = 1 + ((state.round + unit) % 3);
          const least = wanted === 1 && !large ? 2 : wanted;
          expect(listServers(chain).length).toBe(Math.min(least, servers));
          expect(new Set(chain).size).toBe(chain.length);
          expect(chain.length).toBeGreaterThanOrEqual(2);
          expect(chain.length).toBeLessThanOrEqual(defaultSampling.drawMax);
        }
      }),
    );
  });

  it('takes a step that was executed or hinted wherever a tool that may follow has one', () => {
    fc.assert(
      fc.property(anyState, fc.nat(), fc.nat({ max: 2 }), (state, seed, units) => {
        const chain = draw(
          state,
          seed,
          Array.from({ length: units }, (_, at) => [`none/${at}`]),
        );
        const number = (tool: string | undefined): number => state.catalog.numbers.get(tool ?? '') ?? -1;
        const wanted = listServers(chain).length;
        for (const [index, tool] of chain.entries()) {
          if (index === 0 || stepWeight(state, number(chain[index - 1]), number(tool)) > 0) continue;
          const before = chain.slice(0, index);
          const used = listServers(before);
          // A tool of a server that the chain has, or of a new one as long as it lacks some; a chain that needs all places left for
          // new servers takes one of these.
          const moved = !used.includes(serverOf(tool));
          const better = state.catalog.tools.filter(
            ({ name, server }) =>
              !before.includes(name) &&
              (used.includes(server) ? !moved : used.length < wanted) &&
              stepWeight(state, number(chain[index - 1]), number(name)) > 0,
          );
          expect(better).toEqual([]);
        }
      }),
    );
  });

  it('draws the same chain for the same seed and state', () => {
    fc.assert(
      fc.property(anyState, fc.nat(), (state, seed) => {
        expect(draw(state, seed)).toEqual(draw(state, seed));
      }),
    );
  });

  it('repeats no chain of the round while the catalog has others', () => {
    const state = makeState([5, 5, 5, 5], (from, to) => (from === to ? 0 : makeRandom(from, to).next()));
    const earlier: (readonly string[])[] = [];
    for (let unit = 0; unit < 30; unit++) earlier.push(draw(state, unit, earlier));
    expect(new Set(earlier.map((chain) => chain.join())).size).toBe(30);
  });

  it('gives the writer no set again that an earlier round tried, while the catalog has others', () => {
    const state = makeState([2, 2, 2], () => 0.5);
    const tried = ['s0', 's1'].map((server) => {
      const chain = [`${server}/t0`, `${server}/t1`];
      return outcome({ unit: server, draws: [chain], chain });
    });
    const { state: later } = makeCommitOfFinishedRound(state, 1, tried);
    // The unit after two others is for one server.
    const drawn = Array.from({ length: 50 }, (_, seed) => draw(later, seed, [['a/a'], ['b/b']]));
    expect(new Set(drawn.map((chain) => listServers(chain).join()))).toEqual(new Set(['s2']));
  });
});
