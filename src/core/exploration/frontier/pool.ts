import { isExcludedFromDraws } from '#core/exploration/server-health.ts';
import { type ExplorationState, isSetAside, neverUsed } from '#core/exploration/state.ts';
import { lookUp } from '#core/exploration/table.ts';
import { pick, type Random, sample } from '#core/values/random.ts';

/** Size of the pool from which a set is chosen; it bounds the cost of a draw for any catalog. */
const poolSize = 256;
/**
 * How much of the pool may come from the first tool's server and from its domain, if there are more tools than a pool
 * holds.
 */
const poolOfServer = poolSize / 4;
const poolOfDomain = poolSize / 2;

/**
 * Draws the pool for a set. It begins with the set's first tool: any that has worked, each equally likely. Set-aside
 * tools may be in it, but no tool that waits for its first success: among eleven others it would be set aside before it
 * had a fair chance. If there are too many tools, the first one's server and domain come first, because most
 * transitions are there. Empty if no tool has worked, or none of an available server.
 */
export const drawPoolOfTriedTools = (state: ExplorationState, random: Random): number[] => {
  const { catalog, servers, round } = state;
  const tried: number[] = [];
  const working: number[] = [];
  for (const [number, { server }] of catalog.tools.entries()) {
    const count = lookUp(state.tools, number) ?? neverUsed;
    if (isExcludedFromDraws(servers, server, round + 1)) continue;
    if (count.successes > 0) working.push(number);
    if (count.successes > 0 || isSetAside(count)) tried.push(number);
  }
  const first = pick(random, working);
  if (first === undefined) return [];
  const pool = new Set([first]);
  const addToPool = (tools: readonly number[], upTo: number): void => {
    for (const tool of upTo < tools.length ? sample(random, tools, upTo) : tools) {
      if (pool.size >= upTo) return;
      pool.add(tool);
    }
  };
  if (tried.length > poolSize) {
    const { server, domain } = catalog.tools[first] ?? {};
    addToPool(
      tried.filter((tool) => catalog.tools[tool]?.server === server),
      poolOfServer,
    );
    addToPool(
      tried.filter((tool) => catalog.tools[tool]?.domain === domain),
      poolOfDomain,
    );
  }
  addToPool(tried, poolSize);
  return [...pool];
};
