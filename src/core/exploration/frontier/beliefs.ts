import { type ExplorationState, neverUsed, setAsideDraws } from '#core/exploration/state.ts';
import { lookUp } from '#core/exploration/table.ts';
import { forEachToolPassedOver, type Trial } from '#core/exploration/trials.ts';
import {
  yieldIndexOfToolPair,
  probabilityThatPairIsTransition,
  shareShownBeforePassOvers,
} from '#core/exploration/yields.ts';

/** A set that was drawn for an earlier unit of the current round. */
export type Pending = Pick<Trial, 'candidates' | 'chain'>;

/** The tools from which a set is chosen, by index, with the current beliefs about them. */
export interface PoolBeliefs {
  readonly state: ExplorationState;
  readonly pending: readonly Pending[];
  readonly pool: readonly number[];
  readonly places: ReadonlyMap<number, number>;
  /** The probability that a new pair of each kind is a transition. */
  readonly likelihoods: readonly number[];
  /** The probability that each tool of the pool works at all. */
  readonly hopes: readonly number[];
}

/** Computes the current beliefs for choosing from a pool. */
export const makePoolBeliefs = (
  state: ExplorationState,
  pending: readonly Pending[],
  pool: readonly number[],
): PoolBeliefs => ({
  state,
  pending,
  pool,
  places: new Map(pool.map((tool, place) => [tool, place])),
  likelihoods: state.yields.map(probabilityThatPairIsTransition),
  hopes: pool.map((tool) => probabilityThatToolWorks(state, tool)),
});

/**
 * The beliefs about the steps between the tools of a growing set and those of the pool, by member and index in the
 * pool.
 */
export interface Steps {
  /** The probability that the step is a transition. */
  readonly likely: Float64Array;
  /** The expected rate at which the generator takes the step, relative to a transition that was never passed over. */
  readonly weight: Float64Array;
  /** The part of the weight that would be a discovery. */
  readonly fresh: Float64Array;
}

export const makeEmptySteps = (members: number, pool: number): Steps => ({
  likely: new Float64Array(members * pool),
  weight: new Float64Array(members * pool),
  fresh: new Float64Array(members * pool),
});

/** The weight of a known transition. The generator is told to avoid it, but popular transitions are found first. */
const knownWeight = 1;

/** The probability of a step that a chain expected and no execution has shown. */
const expectedChance = 0.9;

/** Returns the probability that a tool works at all while no call of it has succeeded: lower with each draw. */
const probabilityThatToolWorks = (state: ExplorationState, tool: number): number => {
  const { draws, successes } = lookUp(state.tools, tool) ?? neverUsed;
  return successes > 0 ? 1 : setAsideDraws / (setAsideDraws + draws);
};

/**
 * Writes the beliefs about the steps from (`out`) and to (`into`) a tool of the pool, which joins the set as its
 * `member`-th. Each kind of pair has its probability. Being passed over lowers it by Bayes' rule, and lowers the weight
 * too: a pair that was often passed over is no transition or an unpopular one. A chain that expected the step without
 * success counts like that as well.
 */
export const writeStepBeliefs = (beliefs: PoolBeliefs, member: number, own: number, out: Steps, into: Steps): void => {
  const { state, pool, likelihoods, hopes } = beliefs;
  const tool = pool[own] ?? -1;
  const { catalog, transitions } = state;
  const passed = countPassOversFromAndToTool(beliefs, tool);
  const writeBelief = (steps: Steps, at: number, from: number, to: number, hope: number, times: number): void => {
    const seen = lookUp(transitions, from * catalog.tools.length + to);
    if (seen && seen.executed > 0) {
      steps.likely[at] = 1;
      steps.weight[at] = knownWeight;
      steps.fresh[at] = 0;
      return;
    }
    const prior = (seen ? expectedChance : (likelihoods[yieldIndexOfToolPair(catalog, from, to)] ?? 0)) * hope;
    const unseen = 1 - shareShownBeforePassOvers(times + (seen?.expected ?? 0));
    const likely = (prior * unseen) / (prior * unseen + 1 - prior);
    steps.likely[at] = likely;
    steps.weight[at] = steps.fresh[at] = likely * unseen;
  };
  for (const [place, other] of pool.entries()) {
    if (place === own) continue;
    const at = member * pool.length + place;
    const hope = (hopes[own] ?? 0) * (hopes[place] ?? 0);
    writeBelief(out, at, tool, other, hope, passed.out[place] ?? 0);
    writeBelief(into, at, other, tool, hope, passed.into[place] ?? 0);
  }
};

/**
 * Returns how often the steps from and to a tool were passed over, by index in the pool; pending sets count as
 * rejected.
 */
const countPassOversFromAndToTool = (
  { state, pending, pool, places }: PoolBeliefs,
  tool: number,
): Record<'out' | 'into', Uint16Array> => {
  const out = new Uint16Array(pool.length);
  const into = new Uint16Array(pool.length);
  const makeCounter = (times: Uint16Array) => (other: number) => {
    const place = places.get(other);
    if (place !== undefined) times[place] = (times[place] ?? 0) + 1;
  };
  const [countOut, countInto] = [makeCounter(out), makeCounter(into)];
  for (const trial of lookUp(state.trials, tool) ?? []) forEachToolPassedOver(trial, tool, countOut, countInto);
  for (const set of pending) if (set.candidates.includes(tool)) forEachToolPassedOver(set, tool, countOut, countInto);
  return { out, into };
};
