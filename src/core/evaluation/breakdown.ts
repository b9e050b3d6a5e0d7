import { randomFor } from '#core/random.ts';
import { summarise } from '#core/statistics/summary.ts';
import { attemptsOf, doneCasesOf, type ResultsBasis } from './basis.ts';
import type { BreakdownBy, BreakdownGroup } from './breakdown-record.ts';
import { answeredCalls } from './failures.ts';
import { valuesByUnit, type UnitMetric } from './unit-values.ts';

/**
 * The agents' results by server or domain, by name: of those that some unit's chain has a tool of and those that some agent
 * called. A unit that belongs to several counts in each, so the groups do not add up to the whole.
 */
export function breakdownBy(by: BreakdownBy, agents: readonly string[], basis: ResultsBasis): BreakdownGroup[] {
  const groupOf = new Map(basis.tools.map((tool) => [tool.name, tool[by]]));
  const groupsOf = (tools: readonly string[]): string[] => [
    ...new Set(tools.flatMap((tool) => groupOf.get(tool) ?? [])),
  ];
  const membership = new Map(basis.units.map(({ id, chain }) => [id, new Set(groupsOf(chain))]));
  const all = agents.map((agent) => {
    const own = doneCasesOf(agent, basis);
    const { calls, failed } = answeredCalls(own.flatMap(attemptsOf));
    return {
      agent,
      values: valuesByUnit(own, basis),
      calls: countIn(calls, groupOf),
      failed: countIn(failed, groupOf),
    };
  });
  const names = new Set([
    ...basis.units.flatMap(({ chain }) => groupsOf(chain)),
    ...all.flatMap(({ calls }) => [...calls.keys()]),
  ]);
  return [...names].toSorted().map((name) => ({
    name,
    units: [...membership.values()].filter((groups) => groups.has(name)).length,
    agents: all.map(({ agent, values, calls, failed }) => {
      const within = (metric: UnitMetric) =>
        Array.from(values[metric]).flatMap(([unit, value]) =>
          membership.get(unit)?.has(name) === true ? [value] : [],
        );
      const sum = (metric: UnitMetric) =>
        summarise(within(metric), randomFor(basis.seed, 'bootstrap', agent, by, name, metric));
      return {
        agent,
        execution: sum('execution'),
        tcs: sum('tcs'),
        mtc: sum('mtc'),
        tfd: sum('tfd'),
        ar: sum('ar'),
        uic: sum('uic'),
        pass: sum('pass'),
        units: within('tcs').length,
        calls: calls.get(name) ?? 0,
        failedCalls: failed.get(name) ?? 0,
      };
    }),
  }));
}

/** Calls by group; tools that do not exist belong to none. */
function countIn(
  calls: readonly { readonly tool: string }[],
  groupOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { tool } of calls) {
    const group = groupOf.get(tool);
    if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}
