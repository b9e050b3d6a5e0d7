import { isOut } from '#core/exploration/server-health.ts';
import { type ExplorationState, isSetAside, neverUsed } from '#core/exploration/state.ts';
import { lookUp } from '#core/exploration/table.ts';
import { pick, type Random, sample } from '#core/random.ts';

/** Tools that a set is chosen from. A draw costs what this allows, however large the catalog is. */
const POOL = 256;
/** How much of the pool may be of the first tool's server, and of its domain, where there is more than a pool. */
const OF_SERVER = POOL / 4;
const OF_DOMAIN = POOL / 2;

/**
 * The tools that a set may be made of, the first of which it begins with: any that has worked, each equally likely. Set-aside tools
 * may join it, but none that still waits for its first success: among eleven others it would be set aside before it had a
 * fair chance. Where there are too many, the first one's server and domain come before others, since most transitions lie
 * there. Empty where no tool has worked, or none of a server that is not left out.
 */
export const poolOf = (state: ExplorationState, random: Random): number[] => {
  const { catalog, servers, round } = state;
  const tried: number[] = [];
  const working: number[] = [];
  for (const [number, { server }] of catalog.tools.entries()) {
    const count = lookUp(state.tools, number) ?? neverUsed;
    if (isOut(servers, server, round + 1)) continue;
    if (count.successes > 0) working.push(number);
    if (count.successes > 0 || isSetAside(count)) tried.push(number);
  }
  const first = pick(random, working);
  if (first === undefined) return [];
  const pool = new Set([first]);
  const join = (tools: readonly number[], upTo: number): void => {
    for (const tool of upTo < tools.length ? sample(random, tools, upTo) : tools) {
      if (pool.size >= upTo) return;
      pool.add(tool);
    }
  };
  if (tried.length > POOL) {
    const { server, domain } = catalog.tools[first] ?? {};
    join(
      tried.filter((tool) => catalog.tools[tool]?.server === server),
      OF_SERVER,
    );
    join(
      tried.filter((tool) => catalog.tools[tool]?.domain === domain),
      OF_DOMAIN,
    );
  }
  join(tried, POOL);
  return [...pool];
};
