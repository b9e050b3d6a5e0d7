import type { ExplorationConfig } from './config.ts';
import type { ExplorationState } from './state.ts';
import { type Strategy, probeStrategy, strategies } from './strategies.ts';
import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { isExcludedFromDraws } from './server-health.ts';
import { makeRandom, shuffle } from '#core/values/random.ts';
import { type UnitCost, countUnitsToStart, meanCostPerUnit, sumUnitCountsOfAllStates } from './reservation.ts';
import { drawRelationKindByWeight } from '#core/units/relation-kinds.ts';
import { newUnit } from '#core/units/progress.ts';
import type { Draw, Unit } from '#core/units/unit.ts';
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
 * and in which order its units finish. Units for one tool come last, and negative ones behind them, so that they change nothing about the
 * others.
 */
export function makeRoundUnits(
  state: ExplorationState,
  config: ExplorationConfig,
  round: number,
  steeredUnits = config.batch,
): Unit[] {
  const steered = strategies[config.strategy];
  const drawSets = (id: string, strategy: Strategy, earlier: readonly Draw[]): Draw[] =>
    drawCandidateSets(state, strategy, config, { key: [config.seed, round, id], earlier });
  const makeUnit = (id: string, index: number, probe: boolean, draws: readonly Draw[]): Unit => {
    const relation = drawRelationKindByWeight(makeRandom(config.seed, round, id, 'relation'), config.relations);
    // Probes are tasks too, so that they take what the run's units take; nobody walks a chain for them.
    const task = steered.makesTasks ? { usesAllServers: !probe } : undefined;
    return newUnit({ id, round, index, probe, lineage: null, draws, relation, task });
  };
  const ofProbe = `${roundIdPrefix(round)}p`;
  const units = [makeUnit(ofProbe, steeredUnits, true, drawSets(ofProbe, probeStrategy, []))];
  const confusable = listConfusableToolsInTurn(state, config.seed);
  const callable = listToolsInTurn(state, config.seed);
  const shareOfRound = (units: number): number => Math.floor((steeredUnits * units) / config.batch);
  const negative = callable.length === 0 ? 0 : shareOfRound(config.negativeUnits);
  const forOneTool = confusable.length === 0 ? 0 : shareOfRound(config.siblingUnits);
  const earlier: Draw[] = [];
  for (let index = 0; index < steeredUnits; index++) {
    const id = `${roundIdPrefix(round)}u${String(index).padStart(2, '0')}`;
    const place = index - (steeredUnits - negative - forOneTool);
    const draws =
      place < 0
        ? drawSets(id, steered, earlier)
        : place < forOneTool
          ? makeDrawsOfConfusableTools(confusable, (round - 1) * config.siblingUnits + place)
          : makeNegativeDraws(callable, (round - 1) * config.negativeUnits + place - forOneTool);
    units.push(makeUnit(id, index, false, draws));
    earlier.push(...draws.slice(0, 1));
  }
  return units;
}

/** A tool that may be drawn, with its near siblings. */
type ConfusableTool = readonly [tool: string, siblings: readonly string[]];

/**
 * Returns the tools with near siblings that may be drawn, in the order in which they take turns: one of the seed. What happened before
 * does not change it, so that a tool that is often taken for another one is not drawn more often for that.
 */
const listConfusableToolsInTurn = ({ catalog, servers, round }: ExplorationState, seed: number): ConfusableTool[] =>
  shuffle(makeRandom(seed, 'siblings'), [...catalog.nearSiblings]).filter(
    ([tool]) => !isExcludedFromDraws(servers, serverNameOfToolName(tool), round + 1),
  );

/** Returns the tools that negative units may look like, in the order in which they take turns: one of the seed. */
const listToolsInTurn = ({ catalog, servers, round }: ExplorationState, seed: number): string[] =>
  shuffle(
    makeRandom(seed, 'negative'),
    catalog.tools.map(({ name }) => name),
  ).filter((tool) => !isExcludedFromDraws(servers, serverNameOfToolName(tool), round + 1));

/** Returns the sets of a negative unit: the tool whose turn it is, and the next ones in case nothing can be written that looks like it. */
const makeNegativeDraws = (tools: readonly string[], turn: number): Draw[] =>
  Array.from({ length: drawsPerUnit }, (_, attempt) => tools[(turn + attempt) % tools.length]).flatMap((tool) =>
    tool === undefined ? [] : [{ tools: [tool], known: [], negative: true as const }],
  );

/** Returns the sets for one tool each: the one whose turn it is, and the next ones in case nothing can be written for it. */
const makeDrawsOfConfusableTools = (tools: readonly ConfusableTool[], turn: number): Draw[] =>
  Array.from({ length: drawsPerUnit }, (_, attempt) => tools[(turn + attempt) % tools.length]).flatMap((drawn) =>
    drawn === undefined ? [] : [{ tools: [drawn[0]], known: [], siblings: [...drawn[1]] }],
  );

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
