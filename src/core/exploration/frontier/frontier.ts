import {
  type PendingSet,
  type PoolBeliefs,
  type Steps,
  makeEmptySteps,
  makePoolBeliefs,
  writeStepBeliefs,
} from '#core/exploration/frontier/beliefs.ts';
import { type StepsAmong, makeDiscoveryEstimator } from '#core/exploration/frontier/expected-discoveries.ts';
import { type Sampler, makeHierarchicalSampler } from '#core/exploration/samplers.ts';
import type { SamplingParameters } from '#core/exploration/sampling.ts';
import { type Random, pick, sample, shuffle } from '#core/values/random.ts';
import { isExcludedFromDraws } from '../server-health.ts';
import { type ExplorationState, isSetAside, neverUsed } from '../state.ts';
import { lookUp } from '../table.ts';

/** Size of the pool from which a set is chosen; it bounds the cost of a draw for any catalog. */
const poolSize = 256;
/**
 * How much of the pool may come from the first tool's server and from its domain, if there are more tools than a pool
 * holds.
 */
const poolOfServer = poolSize / 4;
const poolOfDomain = poolSize / 2;

/**
 * Draws the pool for a set, of the tools of available servers. It begins with the set's first tool: any that is not set
 * aside, each equally likely, and any at all if there is no other. If there are too many tools, the first one's server
 * and domain come first, because most transitions are there. The rest is in random
 * order, which decides between tools that promise the same. Empty if no server is available.
 */
const drawPool = (state: ExplorationState, random: Random): number[] => {
  const { catalog, servers, round } = state;
  const drawable: number[] = [];
  const hopeful: number[] = [];
  for (const [number, { server }] of catalog.tools.entries()) {
    if (isExcludedFromDraws(servers, server, round + 1)) continue;
    drawable.push(number);
    if (!isSetAside(lookUp(state.tools, number) ?? neverUsed)) hopeful.push(number);
  }
  const first = pick(random, hopeful.length > 0 ? hopeful : drawable);
  if (first === undefined) return [];
  const pool = new Set([first]);
  const addToPool = (tools: readonly number[], upTo: number): void => {
    for (const tool of upTo < tools.length ? sample(random, tools, upTo) : tools) {
      if (pool.size >= upTo) return;
      pool.add(tool);
    }
  };
  if (drawable.length > poolSize) {
    const { server, domain } = catalog.tools[first] ?? {};
    addToPool(
      drawable.filter((tool) => catalog.tools[tool]?.server === server),
      poolOfServer,
    );
    addToPool(
      drawable.filter((tool) => catalog.tools[tool]?.domain === domain),
      poolOfDomain,
    );
  }
  addToPool(drawable, poolSize);
  return [first, ...shuffle(random, [...pool].slice(1))];
};

/**
 * The share of sets that are drawn like a probe's, so that every pair of tools has a chance regardless of the beliefs.
 */
const exploringShare = 0.05;

/** Number of tools of the pool that are evaluated exactly for each place of a set. */
const shortlistSize = 8;

/**
 * Draws the set for which the expected number of discoveries is highest (docs/frontier.md). A set grows from a random
 * tool: of the eight most promising tools, the one that raises the expectation most joins, until none raises it or the
 * set has the maximum size of `hierarchical`. The steps of the sets of earlier units of the round count as passed over,
 * so that the units differ. Some draws explore instead.
 */
export const makeFrontierSampler = (parameters: SamplingParameters): Sampler => {
  const exploring = makeHierarchicalSampler(parameters);
  const largest = parameters.serversMax * parameters.toolsPerServerMax;
  return (state, random, earlier = []) => {
    if (random.next() < exploringShare) return exploring(state, random);
    const pool = drawPool(state, random);
    if (pool.length < 2) return exploring(state, random);
    const pending = earlier.map((names): PendingSet => names.flatMap((name) => state.catalog.numbers.get(name) ?? []));
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
  const expectedDiscoveries = makeDiscoveryEstimator(largest);
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
