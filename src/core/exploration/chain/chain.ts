import { isExcludedFromDraws } from '../server-health.ts';
import type { Sampler } from '../samplers.ts';
import type { SamplingParameters } from '../sampling.ts';
import { type ExplorationState, isSetAside, neverUsed } from '../state.ts';
import { lookUp } from '../table.ts';
import { type Random, sampleByLogWeight } from '#core/values/random.ts';

/** MCP-Bench's tasks are for 1, 2 or 3 servers (section 4.2). */
const mostServers = 3;

/** How many walks are tried for a chain that was not drawn before; a small catalog may have no other one. */
const walksPerChain = 32;

/** The weights of a step by its hint's level, from 0 to 3; 0 is no step. */
const weightByLevel = [0, 1, 3, 9] as const;

/** The weight of a step that was executed: as much as the best hint, and known to work. */
const executedWeight = 9;

/** The weight of a step that an earlier set of the round took, as a share of its weight otherwise. */
const takenShare = 0.1;

/**
 * Draws a chain of tools along which values can pass: each tool follows the one before by a step that was executed, or that
 * the schemas make likely, wherever a tool that may come next has such a step. A chain has 1, 2 or 3 servers in turn, and at least one tool of
 * each; from `drawMin` to `drawMax` tools as far as its servers have so many; and no tool twice. Source: MCP-Bench, section 4.2, which leaves
 * to a model what is walked here.
 */
export const makeChainSampler =
  (parameters: SamplingParameters): Sampler =>
  (state, random, earlier = []) => {
    const open = listDrawableTools(state);
    const inTurn = 1 + ((state.round + earlier.length) % Math.min(mostServers, parameters.serversMax));
    const taken = new Set(earlier.flatMap(listStepKeys));
    const drawn = new Set(earlier.map((chain) => chain.join('\n')));
    let chain: readonly string[] = [];
    for (let walk = 0; walk < walksPerChain; walk++) {
      chain = drawToolChainAcrossServers({ state, random, parameters, taken }, open, inTurn);
      if (!drawn.has(chain.join('\n')) && !wasSetTried(state, chain)) break;
    }
    return chain;
  };

/**
 * Returns how well a value can pass from one tool to another, by their numbers: above 0 if the step was executed or the
 * hint's level for it is above the lowest.
 */
export const stepWeight = ({ catalog, transitions }: ExplorationState, from: number, to: number): number => {
  const seen = lookUp(transitions, from * catalog.tools.length + to);
  if (seen !== undefined && seen.executed > 0) return executedWeight;
  return weightByLevel[catalog.hintLevel(from, to)] ?? 0;
};

interface OpenTool {
  readonly number: number;
  readonly name: string;
  readonly server: string;
  /** Lower for tools that were called often. */
  readonly logWeight: number;
}

interface Walk {
  readonly state: ExplorationState;
  readonly random: Random;
  readonly parameters: SamplingParameters;
  /** The steps of the round's earlier sets. */
  readonly taken: ReadonlySet<string>;
}

/** Returns the tools that may be drawn: none of an excluded server, and set-aside ones only if fewer than two others are left. */
function listDrawableTools(state: ExplorationState): OpenTool[] {
  const hopeful: OpenTool[] = [];
  const aside: OpenTool[] = [];
  for (const [number, { name, server }] of state.catalog.tools.entries()) {
    if (isExcludedFromDraws(state.servers, server, state.round + 1)) continue;
    const count = lookUp(state.tools, number) ?? neverUsed;
    (isSetAside(count) ? aside : hopeful).push({ number, name, server, logWeight: -count.calls });
  }
  return hopeful.length < 2 ? [...hopeful, ...aside] : hopeful;
}

/** Walks one chain; fewer servers than wanted if there are not so many, and none of a single tool. */
function drawToolChainAcrossServers(walk: Walk, open: readonly OpenTool[], wantedServers: number): string[] {
  const { random, parameters } = walk;
  const toolsByServer = Map.groupBy(open, ({ server }) => server);
  const isLarge = ({ server }: OpenTool): boolean => (toolsByServer.get(server)?.length ?? 0) > 1;
  const alone = wantedServers === 1 || toolsByServer.size === 1;
  const servers = alone && open.some(isLarge) ? 1 : Math.min(Math.max(2, wantedServers), toolsByServer.size);
  const { drawMin, drawMax, lambda } = parameters;
  const length = Math.max(2, servers, drawMin + random.below(drawMax - drawMin + 1));
  const starts = servers === 1 ? open.filter(isLarge) : open;
  const chain = drawAtMostOneByLogWeight(random, starts, ({ logWeight }) => lambda * logWeight);
  const used = new Set(chain.map(({ server }) => server));
  while (chain.length < length) {
    const missing = servers - used.size;
    const mustMove = missing >= length - chain.length;
    const allowed = open.filter((tool) => !chain.includes(tool) && (used.has(tool.server) ? !mustMove : missing > 0));
    const [next] = drawNextToolOrEmpty(walk, chain, allowed);
    if (next === undefined) break;
    chain.push(next);
    used.add(next.server);
  }
  return chain.length < 2 ? [] : chain.map(({ name }) => name);
}

/** Draws the next tool by the weight of its step from the last one, or any if none has a step. Empty if none is allowed. */
function drawNextToolOrEmpty(
  { state, random, taken }: Walk,
  chain: readonly OpenTool[],
  allowed: readonly OpenTool[],
): OpenTool[] {
  const last = chain.at(-1);
  if (last === undefined) return [];
  const steps = allowed.flatMap((tool) => {
    const weight = stepWeight(state, last.number, tool.number);
    const share = taken.has(stepKey(last.name, tool.name)) ? takenShare : 1;
    return weight > 0 ? [{ tool, logWeight: Math.log(weight * share) }] : [];
  });
  return steps.length > 0
    ? drawAtMostOneByLogWeight(random, steps, ({ logWeight }) => logWeight).map(({ tool }) => tool)
    : drawAtMostOneByLogWeight(random, allowed, () => 0);
}

const drawAtMostOneByLogWeight = <T>(random: Random, items: readonly T[], logWeight: (item: T) => number): T[] =>
  sampleByLogWeight(random, items, logWeight, 1);

const stepKey = (from: string, to: string): string => `${from}\n${to}`;

const listStepKeys = (chain: readonly string[]): string[] =>
  chain.slice(1).map((to, index) => stepKey(chain[index] ?? '', to));

/** Returns whether a set of just these tools was given to the writer in an earlier round that is remembered. */
function wasSetTried({ catalog, trials }: ExplorationState, chain: readonly string[]): boolean {
  const numbers = chain.flatMap((name) => catalog.numbers.get(name) ?? []);
  return (lookUp(trials, numbers[0] ?? -1) ?? []).some(
    ({ candidates }) => candidates.length === numbers.length && numbers.every((tool) => candidates.includes(tool)),
  );
}
