import { knownTransitionsAmong } from '#core/exploration/known-transitions.ts';
import type { ExplorationConfig } from '#core/exploration/config.ts';
import type { ExplorationState } from '#core/exploration/state.ts';
import { probeStrategy, strategies, type Strategy } from '#core/exploration/strategies.ts';
import { makeRandom } from '#core/random.ts';
import { sumUnitCountsOfAllStates, countUnitsToStart, meanCostPerUnit, type UnitCost } from '#core/reservation.ts';
import { drawRelationKindByWeight } from '#core/units/relation-kinds.ts';
import { newUnit } from '#core/units/progress.ts';
import type { Draw, Unit } from '#core/units/unit.ts';

/** Candidate sets that are tried for a unit: the first, and 3 more if the writer finds no task. */
export const drawsPerUnit = 4;

/** Prefix of the ids of a round's units; they sort by round, and steered units after their probe. */
export const roundIdPrefix = (round: number): string => `r${String(round).padStart(4, '0')}-`;

/**
 * Returns the number of steered units of the next round: a batch, or fewer if the budget for tokens or dollars has no
 * room for it beside the probe. With such a budget the first round has one, which shows what a unit costs.
 */
export function countSteeredUnitsOfNextRound(
  { units }: Pick<ExplorationState, 'units'>,
  { batch, budget }: Pick<ExplorationConfig, 'batch' | 'budget'>,
  spent: UnitCost,
): number {
  const mean = meanCostPerUnit(spent, sumUnitCountsOfAllStates(units));
  return Math.max(1, countUnitsToStart(budget, { spent, mean }, batch + 1) - 1);
}

/**
 * Returns the units of a round: its probe and `steeredUnits` others, with all candidate sets that may be tried.
 * Everything is drawn from the seed and the state after the last round, so the round is the same no matter who opens it
 * and in which order its units finish.
 */
export function makeRoundUnits(
  state: ExplorationState,
  config: ExplorationConfig,
  round: number,
  steeredUnits = config.batch,
): Unit[] {
  const steered = strategies[config.strategy];
  const makeUnit = (id: string, index: number, strategy: Strategy, probe: boolean, earlier: readonly Draw[]): Unit => {
    const draws = drawCandidateSets(state, strategy, config, { key: [config.seed, round, id], earlier });
    const relation = drawRelationKindByWeight(makeRandom(config.seed, round, id, 'relation'), config.relations);
    // Probes are tasks too, so that they take what the run's units take; nobody walks a chain for them.
    const task = steered.makesTasks ? { usesAllServers: !probe } : undefined;
    return newUnit({ id, round, index, probe, lineage: null, draws, relation, task });
  };
  const units = [makeUnit(`${roundIdPrefix(round)}p`, steeredUnits, probeStrategy, true, [])];
  const earlier: Draw[] = [];
  for (let index = 0; index < steeredUnits; index++) {
    const unit = makeUnit(`${roundIdPrefix(round)}u${String(index).padStart(2, '0')}`, index, steered, false, earlier);
    units.push(unit);
    earlier.push(...unit.draws.slice(0, 1));
  }
  return units;
}

/** `earlier` has the first sets of the units before; a unit's other sets are drawn in case its first is rejected. */
function drawCandidateSets(
  state: ExplorationState,
  strategy: Strategy,
  { sampling }: Pick<ExplorationConfig, 'sampling'>,
  { key, earlier }: { readonly key: readonly (string | number)[]; readonly earlier: readonly Draw[] },
): Draw[] {
  const draws: Draw[] = [];
  if (strategy.seesCatalog) return draws;
  const sampler = strategy.makeSampler(sampling);
  for (let attempt = 0; attempt < drawsPerUnit; attempt++) {
    const drawn = [...earlier, ...draws].map(({ tools }) => tools);
    const tools = sampler(state, makeRandom(...key, 'draw', attempt), drawn);
    const known = strategy.listsKnownTransitions ? knownTransitionsAmong(state, tools) : [];
    draws.push({ tools: [...tools], known: known.map(([from, to]): [string, string] => [from, to]) });
  }
  return draws;
}
