import {
  writeStepBeliefs,
  type PoolBeliefs,
  makePoolBeliefs,
  makeEmptySteps,
  type Pending,
  type Steps,
} from '#core/exploration/frontier/beliefs.ts';
import { expectedDiscoveries, type StepsAmong } from '#core/exploration/frontier/expected-discoveries.ts';
import { drawPoolOfTriedTools } from '#core/exploration/frontier/pool.ts';
import { makeHierarchicalSampler, makeInverseCallFrequencySampler, type Sampler } from '#core/exploration/samplers.ts';
import type { SamplingParameters } from '#core/exploration/sampling.ts';
import { nodeCoverage } from '#core/exploration/state.ts';
import { shuffle } from '#core/values/random.ts';

/**
 * The share of sets that are drawn like a probe's, so that every pair of tools has a chance regardless of the beliefs.
 */
const exploringShare = 0.05;

/** The minimum share of sets that are drawn for breadth while any tool waits for its first success. */
const broadeningShare = 0.3;

/** Number of tools of the pool that are evaluated exactly for each place of a set. */
const shortlistSize = 8;

/**
 * Draws the set for which the expected number of discoveries is highest (docs/frontier.md). A set grows from a random
 * tool: of the eight most promising tools, the one that raises the expectation most joins, until none raises it or the
 * set has the maximum size of `hierarchical`. Sets of earlier units of the round count as rejected, so that the units
 * differ. Some draws go for breadth instead, and some explore.
 */
export const makeFrontierSampler = (parameters: SamplingParameters): Sampler => {
  const exploring = makeHierarchicalSampler(parameters);
  const broadening = makeInverseCallFrequencySampler(parameters);
  const largest = parameters.serversMax * parameters.toolsPerServerMax;
  return (state, random, earlier = []) => {
    const chance = random.next();
    if (chance < exploringShare) return exploring(state, random);
    const waiting = 1 - nodeCoverage(state).value;
    if (waiting > 0 && chance < exploringShare + Math.max(broadeningShare, waiting)) return broadening(state, random);
    const pool = drawPoolOfTriedTools(state, random);
    if (waiting > 0 && pool.length < largest) return broadening(state, random);
    if (pool.length < 2) return exploring(state, random);
    const pending = earlier.map((names): Pending => ({
      candidates: names.flatMap((name) => state.catalog.numbers.get(name) ?? []),
      chain: [],
    }));
    const set = growSetFromFirstTool(makePoolBeliefs(state, pending, pool), largest);
    return shuffle(random, set).flatMap((place) => state.catalog.tools[pool[place] ?? -1]?.name ?? []);
  };
};

/** Returns the indexes in the pool of the set that grows from its first tool. */
const growSetFromFirstTool = (beliefs: PoolBeliefs, largest: number): number[] => {
  const { pool } = beliefs;
  const out = makeEmptySteps(largest, pool.length);
  const into = makeEmptySteps(largest, pool.length);
  const among: StepsAmong = { stride: largest, ...makeEmptySteps(largest, largest) };
  const gains = new Float64Array(pool.length);
  const set: number[] = [];
  let expected = 0;
  for (let next: number | undefined = 0; next !== undefined;) {
    const member = set.length;
    writeStepsAsIfToolJoined(among, out, into, set, next, pool.length);
    set.push(next);
    if (set.length === largest) return set;
    writeStepBeliefs(beliefs, member, next, out, into);
    addGainsOfMember(gains, out, member);
    addGainsOfMember(gains, into, member);
    let best: { place: number; expected: number } | undefined;
    for (const place of mostPromisingPlaces(gains, set)) {
      writeStepsAsIfToolJoined(among, out, into, set, place, pool.length);
      const finds = expectedDiscoveries(among, set.length + 1);
      if (best === undefined || finds > best.expected) best = { place, expected: finds };
    }
    if (best === undefined || (set.length > 1 && best.expected <= expected)) return set;
    expected = best.expected;
    next = best.place;
  }
  return set;
};

/** Writes the steps between a set and a tool of the pool, as if the tool joined the set. */
const writeStepsAsIfToolJoined = (
  among: StepsAmong,
  out: Steps,
  into: Steps,
  set: readonly number[],
  place: number,
  pool: number,
): void => {
  const { stride } = among;
  for (const member of set.keys()) {
    const at = member * pool + place;
    const [there, back] = [member * stride + set.length, set.length * stride + member];
    for (const part of ['likely', 'weight', 'fresh'] as const) {
      among[part][there] = out[part][at] ?? 0;
      among[part][back] = into[part][at] ?? 0;
    }
  }
};

/** Adds a member's part to the rough gain of each tool of the pool: the fresh weight of their steps minus the known weight. */
const addGainsOfMember = (gains: Float64Array, { weight, fresh }: Steps, member: number): void => {
  for (const place of gains.keys()) {
    const at = member * gains.length + place;
    gains[place] = (gains[place] ?? 0) + 2 * (fresh[at] ?? 0) - (weight[at] ?? 0);
  }
};

/** Returns the indexes with the largest gains, without those of the set. */
const mostPromisingPlaces = (gains: Float64Array, set: readonly number[]): number[] => {
  const best: number[] = [];
  for (const [place, gain] of gains.entries()) {
    const last = best.at(-1);
    if (best.length === shortlistSize && last !== undefined && gain <= (gains[last] ?? 0)) continue;
    if (set.includes(place)) continue;
    let rank = best.length;
    while (rank > 0 && gain > (gains[best[rank - 1] ?? -1] ?? Infinity)) rank--;
    best.splice(rank, 0, place);
    if (best.length > shortlistSize) best.pop();
  }
  return best;
};
