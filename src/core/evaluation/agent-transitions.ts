import { consecutivePairs, successful, type Transition } from '#core/traces/transitions.ts';
import { attemptsOf, doneCasesOf, type ResultsBasis } from './basis.ts';
import type { AgentTransition } from './breakdown-record.ts';
import type { AttemptRecord } from './case.ts';

/** What a heat map of an agent is drawn from: each transition that it executed or that some unit expects, by its tools. */
export function transitionsOf(agent: string, basis: ResultsBasis): AgentTransition[] {
  const domains = new Map(basis.tools.map(({ name, domain }) => [name, domain]));
  const expected = unitsByTransition(basis.units.map(({ id, chain }) => [id, consecutivePairs(chain)]));
  const executed = unitsByTransition(
    doneCasesOf(agent, basis).map((each) => [each.unit, attemptsOf(each).flatMap(executedIn)]),
  );
  const keys = [...new Set([...expected.keys(), ...executed.keys()])].toSorted();
  return keys.map((key) => {
    const [from = '', to = ''] = key.split(between);
    return {
      agent,
      from,
      to,
      fromDomain: domains.get(from) ?? null,
      toDomain: domains.get(to) ?? null,
      executedIn: executed.get(key)?.size ?? 0,
      expectedIn: expected.get(key)?.size ?? 0,
    };
  });
}

/** A transition's place in the order of all: by agent, then by its tools. */
export const placeOfTransition = ({ agent, from, to }: Pick<AgentTransition, 'agent' | 'from' | 'to'>): string =>
  [agent, from, to].join(between);

/** Names of agents and tools hold no line break, which sorts before all else. */
const between = '\n';

const executedIn = ({ evaluated, calls }: AttemptRecord): Transition[] =>
  evaluated
    ? consecutivePairs(successful(calls.map(({ tool, outcome }) => ({ tool, ok: outcome === 'success' }))))
    : [];

/** The units that each transition occurs in. */
function unitsByTransition(
  occurrences: readonly (readonly [unit: string, transitions: readonly Transition[]])[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const units = new Map<string, Set<string>>();
  for (const [unit, transitions] of occurrences) {
    for (const transition of transitions) {
      const key = transition.join(between);
      const known = units.get(key) ?? new Set<string>();
      units.set(key, known.add(unit));
    }
  }
  return units;
}
