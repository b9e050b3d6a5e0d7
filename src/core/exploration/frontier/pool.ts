import { isExcludedFromDraws } from '#core/exploration/server-health.ts';
import { type ExplorationState, isSetAside, neverUsed } from '#core/exploration/state.ts';
import { lookUp } from '#core/exploration/table.ts';
import { pick, type Random, sample, shuffle } from '#core/values/random.ts';

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
export const drawPool = (state: ExplorationState, random: Random): number[] => {
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
