import type { ExplorationState } from './state.ts';
import { lookUp } from './table.ts';
import type { Transition } from '#core/traces/transitions.ts';

/**
 * Returns the feedback to the generator: the executed transitions among candidate tools, in the candidates' order. Its
 * size and cost depend only on the candidates.
 */
export const knownTransitionsAmong = (
  { catalog, transitions }: ExplorationState,
  candidates: readonly string[],
): Transition[] => {
  const tools = candidates.flatMap((name) => {
    const number = catalog.numbers.get(name);
    return number === undefined ? [] : { name, number };
  });
  const known: Transition[] = [];
  for (const from of tools)
    for (const to of tools) {
      if (from.number === to.number) continue;
      const count = lookUp(transitions, from.number * catalog.tools.length + to.number);
      if (count && count.executed > 0) known.push([from.name, to.name]);
    }
  return known;
};
