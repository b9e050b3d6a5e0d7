import { isExcludedFromDraws } from './server-health.ts';
import type { SamplingParameters } from './sampling.ts';
import { type ExplorationState, isEveryToolCalledOrHopeless, isSetAside, neverUsed, type ToolCount } from './state.ts';
import { lookUp } from './table.ts';
import { type Random, sample, sampleByLogWeight, shuffle } from '#core/values/random.ts';

/**
 * Draws the candidate tools of one unit of the next round, no tool twice. Tools of excluded servers are never drawn; if
 * fewer than two tools are left, there is nothing to make a unit of. `earlier` has the sets drawn for this unit and for
 * those before it in the round.
 */
export type Sampler = (
  state: ExplorationState,
  random: Random,
  earlier?: readonly (readonly string[])[],
) => readonly string[];

const minCandidates = 2;

/** Returns the servers that may be drawn for the next round, in the catalog's order. */
const drawableServers = ({ catalog, servers, round }: ExplorationState): ExplorationState['catalog']['servers'] =>
  servers.size === 0
    ? catalog.servers
    : catalog.servers.filter(({ name }) => !isExcludedFromDraws(servers, name, round + 1));

/** Returns every tool that may be drawn for the next round. */
export const listToolsOfDrawableServers: Sampler = (state) => drawableServers(state).flatMap(({ tools }) => tools);

/**
 * Draws `drawMin` to `drawMax` tools without replacement, `P(t) ~ exp(-lambda * calls[t])`; set-aside tools only if
 * fewer than two others are left. Source: section 4.1 of the paper.
 */
export const makeInverseCallFrequencySampler =
  ({ lambda, drawMin, drawMax }: SamplingParameters): Sampler =>
  (state, random) => {
    const all: { readonly name: string; readonly count: ToolCount }[] = [];
    for (const [number, { name, server }] of state.catalog.tools.entries())
      if (!isExcludedFromDraws(state.servers, server, state.round + 1))
        all.push({ name, count: lookUp(state.tools, number) ?? neverUsed });
    const hopeful = all.filter(({ count }) => !isSetAside(count));
    const drawn = sampleByLogWeight(
      random,
      hopeful.length < minCandidates ? all : hopeful,
      ({ count }) => -lambda * count.calls,
      drawMin + random.below(drawMax - drawMin + 1),
    );
    return drawn.map(({ name }) => name);
  };

/**
 * Draws a number of servers uniform in 1..M_max, these servers uniformly, and at most k tools of each, also uniformly.
 * If that gives a single tool, more servers join until there are two. Source: section 4.1 of the paper.
 */
export const makeHierarchicalSampler =
  ({ serversMax, toolsPerServerMax }: SamplingParameters): Sampler =>
  (state, random) => {
    const servers = drawableServers(state);
    if (servers.length === 0) return [];
    const wanted = 1 + random.below(Math.min(serversMax, servers.length));
    const candidates: string[] = [];
    for (const [index, { tools }] of shuffle(random, servers).entries()) {
      if (index >= wanted && candidates.length >= minCandidates) break;
      candidates.push(...sample(random, tools, toolsPerServerMax));
    }
    return candidates;
  };

/**
 * The paper's sampling: inverse frequency until every tool was called, hierarchical afterwards. A call counts with any
 * outcome, as V(τ) of Definition 3 does: a tool that always fails would otherwise hold up the second phase for as long
 * as it takes to be set aside.
 */
export const makeTwoPhaseSampler = (parameters: SamplingParameters): Sampler => {
  const breadth = makeInverseCallFrequencySampler(parameters);
  const depth = makeHierarchicalSampler(parameters);
  return (state, random) => (isEveryToolCalledOrHopeless(state) ? depth : breadth)(state, random);
};
