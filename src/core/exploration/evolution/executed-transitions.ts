import { transitionsByNumbers } from '../catalog-index.ts';
import type { ExplorationState } from '../state.ts';
import { iterateTableKeysUnordered, lookUp } from '../table.ts';
import type { Transition } from '#core/traces/transitions.ts';

/**
 * Returns the transitions that an exploration executed, in the order of its catalog, so that draws from them are
 * reproducible.
 */
export const listExploredTransitions = ({
  catalog,
  transitions,
}: Pick<ExplorationState, 'catalog' | 'transitions'>): Transition[] =>
  transitionsByNumbers(
    catalog,
    [...iterateTableKeysUnordered(transitions)]
      .filter((number) => (lookUp(transitions, number)?.executed ?? 0) > 0)
      .toSorted((a, b) => a - b),
  );
