import { knownAmong } from '#core/exploration/known.ts';
import type { ExplorationConfig } from '#core/exploration/config.ts';
import type { ExplorationState } from '#core/exploration/state.ts';
import { probeStrategy, strategyOf, type Strategy } from '#core/exploration/strategies.ts';
import { randomFor } from '#core/random.ts';
import { newUnit } from '#core/units/progress.ts';
import type { Draw, Unit } from '#core/units/unit.ts';

/** Candidate sets that are tried for a unit: the first, and 3 more where the writer finds no errand. */
export const drawsPerUnit = 4;

/** The ids of a round's units begin with this; they sort by round, steered units behind their probe. */
export const roundPrefix = (round: number): string => `r${String(round).padStart(4, '0')}-`;

/**
 * The units of a round: its probe and the steered ones, with all the candidate sets that may be tried. Everything is drawn from
 * the state as the last round left it and from the seed, so the round is the same whoever opens it, and however its units
 * overtake each other.
 */
export function openingUnits(state: ExplorationState, config: ExplorationConfig, round: number): Unit[] {
  const steered = strategyOf(config.strategy);
  const open = (id: string, index: number, strategy: Strategy, probe: boolean): Unit =>
    newUnit({ id, round, index, probe, lineage: null, draws: drawsFor(state, strategy, [config.seed, round, id]) });
  const probe = open(`${roundPrefix(round)}p`, config.batch, probeStrategy(), true);
  const units = Array.from({ length: config.batch }, (_, index) =>
    open(`${roundPrefix(round)}u${String(index).padStart(2, '0')}`, index, steered, false),
  );
  return [probe, ...units];
}

function drawsFor(state: ExplorationState, strategy: Strategy, key: readonly (string | number)[]): Draw[] {
  if (strategy.seesCatalog) return [];
  return Array.from({ length: drawsPerUnit }, (_, attempt) => {
    const tools = strategy.sampler(state, randomFor(...key, 'draw', attempt));
    const known = strategy.tellsKnown ? knownAmong(state, tools) : [];
    return { tools: [...tools], known: known.map(([from, to]): [string, string] => [from, to]) };
  });
}
