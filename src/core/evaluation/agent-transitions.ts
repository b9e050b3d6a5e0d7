import { neighbouringToolPairs, distinctTransitions } from '#core/traces/transitions.ts';
import type { ResultsBasis } from './results-basis.ts';
import type { AgentTransition } from './breakdown-record.ts';

/** How many units show each transition, by `transitionKey`. */
export type UnitsByTransition = ReadonlyMap<string, number>;

/** Names of agents and tools contain no line break, which sorts before all other characters. */
const between = '\n';

export const transitionKey = (from: string, to: string): string => [from, to].join(between);

/** Counts the units that expect each transition. */
export function countUnitsByExpectedTransition(
  units: Iterable<Pick<ResultsBasis['units'][number], 'chain'>>,
): UnitsByTransition {
  const counts = new Map<string, number>();
  for (const { chain } of units)
    for (const [from, to] of distinctTransitions(neighbouringToolPairs(chain))) {
      const key = transitionKey(from, to);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
}

/**
 * Returns the data of an agent's heat map: each transition that it executed or that a unit expects, ordered by tools.
 */
export function makeAgentTransitions(
  agent: string,
  executed: UnitsByTransition,
  expected: UnitsByTransition,
  domains: ReadonlyMap<string, string>,
): AgentTransition[] {
  const keys = [...new Set([...expected.keys(), ...executed.keys()])].toSorted();
  return keys.map((key) => {
    const [from = '', to = ''] = key.split(between);
    return {
      agent,
      from,
      to,
      fromDomain: domains.get(from) ?? null,
      toDomain: domains.get(to) ?? null,
      executedIn: executed.get(key) ?? 0,
      expectedIn: expected.get(key) ?? 0,
    };
  });
}

/** Returns the sort key of a transition: by agent, then by its tools. */
export const transitionSortKey = ({ agent, from, to }: Pick<AgentTransition, 'agent' | 'from' | 'to'>): string =>
  [agent, from, to].join(between);
