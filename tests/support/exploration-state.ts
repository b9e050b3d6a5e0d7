import type { UnitCounts } from '#core/exploration/counts.ts';
import { type Rows, makeStateRowsOfSelection } from '#core/exploration/rows.ts';
import { type ExplorationState, neverUsed, type ToolCount } from '#core/exploration/state.ts';
import { iterateTableKeysUnordered, lookUp, iterateTableValuesUnordered } from '#core/exploration/table.ts';
import { listTrialsOldestFirst } from '#core/exploration/trials.ts';

/** All records of a state. */
export const allRows = (state: ExplorationState): Rows =>
  makeStateRowsOfSelection(state, {
    tools: [...iterateTableKeysUnordered(state.tools)].toSorted((a, b) => a - b),
    transitions: [...iterateTableKeysUnordered(state.transitions)].toSorted((a, b) => a - b),
    probes: [...iterateTableValuesUnordered(state.probes.probes)],
    reviews: [...iterateTableValuesUnordered(state.reviews)],
    servers: [...state.servers.keys()].toSorted(),
    trials: listTrialsOldestFirst(state.trials),
  });

/** What the steered units did with a tool; zeros for one that they never met. */
export const toolCount = (state: ExplorationState, tool: string): ToolCount => {
  const number = state.catalog.numbers.get(tool);
  return number === undefined ? neverUsed : (lookUp(state.tools, number) ?? neverUsed);
};

/** Units committed, all kinds together. */
export const unitsCommitted = (units: UnitCounts): number =>
  units.accepted + units.review + units.rejected + units.lost + units.dropped + units.probes;
