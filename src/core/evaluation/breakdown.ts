import { makeRandom } from '#core/random.ts';
import { buildByScorer } from '#core/scoring/scorers.ts';
import { agentBasisOrEmpty, type ResultsBasis, type ToolCalls } from './results-basis.ts';
import type { BreakdownBy, BreakdownGroup } from './breakdown-record.ts';
import { summariseScore } from './agent-result.ts';

/**
 * Returns the agents' results by server or domain, in order of names: for those with a tool in a chain and those that
 * an agent called. A unit may belong to several groups, so they do not add up. Groups are computed one by one, because
 * the intervals of a group take long with many units.
 */
export function* breakdownGroups(
  by: BreakdownBy,
  agents: readonly string[],
  basis: ResultsBasis,
): Generator<BreakdownGroup> {
  const groupOf = new Map(basis.tools.map((tool) => [tool.name, tool[by]]));
  const groupsOf = (tools: readonly string[]): string[] => [
    ...new Set(tools.flatMap((tool) => groupOf.get(tool) ?? [])),
  ];
  const membership = new Map(basis.units.map(({ id, chain }) => [id, new Set(groupsOf(chain))]));
  const all = agents.map((agent) => {
    const { figures, calls } = agentBasisOrEmpty(basis, agent);
    return { agent, figures, calls: callsByGroup(calls, groupOf) };
  });
  const names = new Set([
    ...basis.units.flatMap(({ chain }) => groupsOf(chain)),
    ...all.flatMap(({ calls }) => [...calls.keys()]),
  ]);
  for (const name of [...names].toSorted()) {
    const isInGroup = (unit: string): boolean => membership.get(unit)?.has(name) === true;
    yield {
      name,
      units: [...membership.keys()].filter(isInGroup).length,
      agents: all.map(({ agent, figures: { units, values }, calls }) => {
        const places = units.flatMap((unit, place) => (isInGroup(unit) ? [place] : []));
        return {
          agent,
          scores: buildByScorer((key) =>
            summariseScore(
              key,
              places.map((place) => values[key][place] ?? null),
              makeRandom(basis.seed, 'bootstrap', agent, by, name, key),
            ),
          ),
          units: places.length,
          calls: calls.get(name)?.calls ?? 0,
          failedCalls: calls.get(name)?.failed ?? 0,
        };
      }),
    };
  }
}

/** Counts calls by group; tools that do not exist belong to none. */
function callsByGroup(
  calls: readonly ToolCalls[],
  groupOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, Omit<ToolCalls, 'tool'>> {
  const sums = new Map<string, Omit<ToolCalls, 'tool'>>();
  for (const { tool, calls: made, failed } of calls) {
    const group = groupOf.get(tool);
    if (group === undefined) continue;
    const known = sums.get(group) ?? { calls: 0, failed: 0 };
    sums.set(group, { calls: known.calls + made, failed: known.failed + failed });
  }
  return sums;
}
