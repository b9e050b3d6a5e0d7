import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { witnessExtent } from '#core/units/witness.ts';
import { makeRandom } from '#core/values/random.ts';
import { addCallCounts, noCalls, classifyErrorMarkingOfCalls, type CallCounts } from '#core/catalog/call-counts.ts';
import { agentBasisOrEmpty, type AgentBasis, type ResultsBasis } from './results-basis.ts';
import type { BreakdownBy, BreakdownGroup } from './breakdown-record.ts';
import { sumEffortsOfUnitsAtPlaces } from './agent-figures.ts';
import { meanScorePartsOfUnitsAtPlaces, summariseScoresOfUnitsAtPlaces } from './agent-result.ts';
import { meanEffortPerAttempt } from './sum-effort.ts';

type Unit = ResultsBasis['units'][number];
type GroupedCalls = ReadonlyMap<string, CallCounts>;

/** To which groups units belong, and which calls of an agent are counted in which. */
interface Grouping {
  readonly groupsOf: (unit: Unit) => readonly string[];
  readonly groupCalls: (agent: AgentBasis) => GroupedCalls;
}

/** Returns the ids of the units of each group, in order of numbers or names. */
export function unitIdsByGroup(
  by: BreakdownBy,
  basis: Pick<ResultsBasis, 'units' | 'tools'>,
): Map<string, Set<string>> {
  const { groupsOf } = makeGrouping(by, basis);
  const groups = new Map<string, Set<string>>();
  for (const unit of basis.units)
    for (const name of groupsOf(unit)) groups.set(name, (groups.get(name) ?? new Set()).add(unit.id));
  return new Map([...groups].toSorted(([a], [b]) => compareNumbersOrNames(a, b)));
}

/**
 * Returns the agents' results by group, in order of numbers or names. A group without units is among them if an agent called its
 * tools. Groups are computed one by one, because the intervals of a group take long with many units.
 */
export function* generateBreakdownGroups(
  by: BreakdownBy,
  agents: readonly string[],
  basis: ResultsBasis,
): Generator<BreakdownGroup> {
  const { groupCalls } = makeGrouping(by, basis);
  const unitsOf = unitIdsByGroup(by, basis);
  const all = agents.map((agent) => {
    const found = agentBasisOrEmpty(basis, agent);
    return { agent, figures: found.figures, calls: groupCalls(found) };
  });
  const names = new Set([...unitsOf.keys(), ...all.flatMap(({ calls }) => [...calls.keys()])]);
  for (const name of [...names].toSorted(compareNumbersOrNames)) {
    const units = unitsOf.get(name) ?? new Set();
    yield {
      name,
      units: units.size,
      marksErrors: classifyErrorMarkingOfCalls(
        all.map(({ calls }) => calls.get(name) ?? noCalls).reduce(addCallCounts, noCalls),
      ),
      agents: all.map(({ agent, figures, calls }) => {
        const places = figures.units.flatMap((unit, index) => (units.has(unit) ? [index] : []));
        return {
          agent,
          scores: summariseScoresOfUnitsAtPlaces(figures, places, makeRandom(basis.seed, 'bootstrap', agent, by, name)),
          parts: meanScorePartsOfUnitsAtPlaces(figures, places),
          perAttempt: meanEffortPerAttempt(sumEffortsOfUnitsAtPlaces(figures, places)),
          units: places.length,
          calls: calls.get(name)?.calls ?? 0,
          failedCalls: calls.get(name)?.failed ?? 0,
          spoiltCalls: calls.get(name)?.spoilt ?? 0,
          reportedErrors: calls.get(name)?.reported ?? 0,
        };
      }),
    };
  }
}

/** Compares numbers by value, and names by their characters. */
const compareNumbersOrNames = (a: string, b: string): number => Number(a) - Number(b) || (a < b ? -1 : 1);

function makeGrouping(by: BreakdownBy, { units, tools }: Pick<ResultsBasis, 'units' | 'tools'>): Grouping {
  switch (by) {
    case 'server':
    case 'domain':
      return makeToolGrouping(new Map(tools.map((tool) => [tool.name, tool[by]])));
    case 'chain-length':
      return makeUnitGrouping(units, ({ chain }) => String(chain.length));
    case 'server-count':
      return makeUnitGrouping(units, ({ chain, servers = [] }) =>
        String(new Set([...chain.map(serverNameOfToolName), ...servers]).size),
      );
    case 'relation':
      return makeUnitGrouping(units, ({ relation }) => relation ?? 'unknown');
    case 'level':
      return makeUnitGrouping(units, ({ level }) => (level === undefined ? 'unknown' : String(level)));
    case 'witness-extent':
      return makeUnitGrouping(units, ({ chain, witness }) => witnessExtent(chain, witness));
  }
}

/** A unit belongs to the group of each tool of its chain, a call to that of its tool; unknown tools belong to none. */
function makeToolGrouping(groupOf: ReadonlyMap<string, string>): Grouping {
  return {
    groupsOf: ({ chain }) => chain.flatMap((tool) => groupOf.get(tool) ?? []),
    groupCalls: ({ calls }) => sumCallsByGroup(calls, ({ tool }) => groupOf.get(tool)),
  };
}

/** A unit belongs to one group, and so does a call that is made in it. */
function makeUnitGrouping(units: readonly Unit[], nameOf: (unit: Unit) => string): Grouping {
  const names = new Map(units.map((unit) => [unit.id, nameOf(unit)]));
  return {
    groupsOf: (unit) => [nameOf(unit)],
    groupCalls: ({ figures }) =>
      sumCallsByGroup(
        figures.calls.map((counts, place) => ({ ...counts, unit: figures.units[place] ?? '' })),
        ({ unit }) => names.get(unit),
      ),
  };
}

function sumCallsByGroup<Counted extends CallCounts>(
  counted: readonly Counted[],
  groupOf: (each: Counted) => string | undefined,
): GroupedCalls {
  const sums = new Map<string, CallCounts>();
  for (const each of counted) {
    const group = groupOf(each);
    if (group === undefined) continue;
    sums.set(group, addCallCounts(sums.get(group) ?? noCalls, each));
  }
  return sums;
}
