import { transitionsOf } from '#core/exploration/catalog-index.ts';
import type { ExplorationState } from '#core/exploration/state.ts';
import { keysOf, lookUp } from '#core/exploration/table.ts';
import type { Transition } from '#core/traces/transitions.ts';

/** The transitions that executed in an exploration, in the order of its catalog, so that what is drawn from them is the same again. */
export const executedIn = ({ catalog, transitions }: Pick<ExplorationState, 'catalog' | 'transitions'>): Transition[] =>
  transitionsOf(
    catalog,
    [...keysOf(transitions)]
      .filter((number) => (lookUp(transitions, number)?.executed ?? 0) > 0)
      .toSorted((a, b) => a - b),
  );
