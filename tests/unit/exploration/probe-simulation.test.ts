import { beforeAll, describe, expect, it } from 'vitest';

import { makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import { makeCommitOfFinishedRound } from '#core/exploration/commit.ts';
import { knownTransitionsAmong } from '#core/exploration/round-units.ts';
import { initialState } from '#core/exploration/state.ts';
import { computeRoundReading } from '#core/exploration/reading.ts';
import { defaultSampling } from '#core/exploration/sampling.ts';
import { probeStrategy, strategies } from '#core/exploration/strategies.ts';
import { type Random, makeRandom } from '#core/values/random.ts';
import { neighbouringToolPairs, type Transition } from '#core/traces/transitions.ts';

import { committed, outcome, ran } from './world.ts';

const catalog = makeCatalogIndex(
  Array.from({ length: 40 }, (_, i) => ({ name: `s${i % 8}/t${i}`, server: `s${i % 8}`, domain: `d${i % 3}` })),
);
const RUNS = 60;
const ROUNDS = 40;
const BATCH = 5;
const FRESH = 1_000;

const edge = ([from, to]: Transition): string => `${from} ${to}`;

const weighted = (random: Random, weights: readonly number[]): number => {
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  return weights.findIndex((weight) => (left -= weight) < 0);
};

/** A world with a latent graph: how gladly one tool follows another, 0 for most pairs. */
const worldOf = (seed: number) => {
  const random = makeRandom('world', seed);
  const affinity = new Map<string, number>();
  for (const { name: from } of catalog.tools)
    for (const { name: to } of catalog.tools)
      if (from !== to && random.next() < 0.3) affinity.set(edge([from, to]), Math.exp(3 * random.next()));
  const walk = (candidates: readonly string[], known: ReadonlySet<string>, stream: Random): string[] => {
    const chain: string[] = [];
    const length = 3 + stream.below(4);
    while (chain.length < length) {
      const last = chain.at(-1);
      const weights = candidates.map((tool) => {
        if (chain.includes(tool)) return 0;
        if (last === undefined) return 1;
        const step = edge([last, tool]);
        return (affinity.get(step) ?? 0) * (known.has(step) ? 0.25 : 1);
      });
      const tool = candidates[weighted(stream, weights)];
      if (tool === undefined) break;
      chain.push(tool);
    }
    return chain;
  };
  return { walk };
};

/** A run's readings beside the truth: the share of a fresh probe's transitions that the steered units know by then. */
const readingsOf = (seed: number) => {
  const { walk } = worldOf(seed);
  const sampler = strategies.sgvef.makeSampler(defaultSampling);
  const probing = probeStrategy.makeSampler(defaultSampling);
  const start = initialState(catalog);
  const unsteered = (...key: (string | number)[]): string[] => {
    const random = makeRandom(seed, ...key);
    return walk(probing(start, random), new Set(), random);
  };
  // Probes are drawn alike in all rounds, so one large sample of fresh ones gives the truth of every round.
  const fresh = new Map<string, number>();
  let size = 0;
  for (let i = 0; i < FRESH; i++)
    for (const pair of neighbouringToolPairs(unsteered('fresh', i))) {
      fresh.set(edge(pair), (fresh.get(edge(pair)) ?? 0) + 1);
      size += 1;
    }
  let state = start;
  let known = 0;
  return Array.from({ length: ROUNDS }, (_, index) => {
    const round = index + 1;
    const units = Array.from({ length: BATCH }, (_, i) => {
      const random = makeRandom(seed, round, i);
      const candidates = sampler(state, random);
      const chain = walk(candidates, new Set(knownTransitionsAmong(state, candidates).map(edge)), random);
      return outcome({ unit: `${round}-${i}`, draws: [candidates], traces: [ran(...chain)] });
    });
    const probe = outcome({ unit: `${round}-p`, probe: true, traces: [ran(...unsteered('probe', round))] });
    const commit = committed(makeCommitOfFinishedRound(state, round, [...units, probe]));
    state = commit.state;
    for (const pair of commit.discovered) known += fresh.get(edge(pair)) ?? 0;
    return { round, truth: known / size, share: computeRoundReading(state, { strategy: 'sgvef' }).probeCoverage };
  });
};

describe('probeCoverage', () => {
  let runs: ReturnType<typeof readingsOf>[] = [];
  let read: { readonly value: number; readonly low: number; readonly high: number; readonly truth: number }[] = [];

  beforeAll(() => {
    runs = Array.from({ length: RUNS }, (_, seed) => readingsOf(seed));
    read = runs.flat().flatMap(({ round, truth, share }) => (share && round >= 10 ? [{ truth, ...share }] : []));
  }, 60_000);

  it('has a negligible bias', () => {
    const bias = read.reduce((sum, { value, truth }) => sum + value - truth, 0) / read.length;
    expect(Math.abs(bias)).toBeLessThanOrEqual(0.02);
  });

  it('contains the truth between low and high in at least 93% of readings', () => {
    const held = read.filter(({ low, high, truth }) => low <= truth && truth <= high).length / read.length;
    expect(held).toBeGreaterThanOrEqual(0.93);
  });

  it('has an anytimeLow that stays below the truth in at least 95% of runs', () => {
    const held = runs.filter((run) => run.every(({ share, truth }) => (share?.anytimeLow ?? 0) <= truth)).length;
    expect(held / RUNS).toBeGreaterThanOrEqual(0.95);
  });
});
