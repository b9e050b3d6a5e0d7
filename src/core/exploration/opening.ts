import { knownAmong } from '#core/exploration/known.ts';
import type { ExplorationConfig } from '#core/exploration/config.ts';
import type { ExplorationState } from '#core/exploration/state.ts';
import { probeStrategy, strategies, type Strategy } from '#core/exploration/strategies.ts';
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
  const steered = strategies[config.strategy];
  const open = (id: string, index: number, strategy: Strategy, probe: boolean, earlier: readonly Draw[]): Unit => {
    const draws = drawsFor(state, strategy, [config.seed, round, id], earlier);
    return newUnit({ id, round, index, probe, lineage: null, draws });
  };
  const units = [open(`${roundPrefix(round)}p`, config.batch, probeStrategy, true, [])];
  const earlier: Draw[] = [];
  for (let index = 0; index < config.batch; index++) {
    const unit = open(`${roundPrefix(round)}u${String(index).padStart(2, '0')}`, index, steered, false, earlier);
    units.push(unit);
    earlier.push(...unit.draws.slice(0, 1));
  }
  return units;
}

/** `earlier` are the first sets of the units before; the others of a unit are drawn in case the first is turned down. */
function drawsFor(
  state: ExplorationState,
  strategy: Strategy,
  key: readonly (string | number)[],
  earlier: readonly Draw[],
): Draw[] {
  const draws: Draw[] = [];
  if (strategy.seesCatalog) return draws;
  for (let attempt = 0; attempt < drawsPerUnit; attempt++) {
    const drawn = [...earlier, ...draws].map(({ tools }) => tools);
    const tools = strategy.sampler(state, randomFor(...key, 'draw', attempt), drawn);
    const known = strategy.tellsKnown ? knownAmong(state, tools) : [];
    draws.push({ tools: [...tools], known: known.map(([from, to]): [string, string] => [from, to]) });
  }
  return draws;
}
