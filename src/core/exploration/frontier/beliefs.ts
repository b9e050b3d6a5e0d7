import { type ExplorationState, neverUsed, SET_ASIDE_DRAWS } from '#core/exploration/state.ts';
import { lookUp } from '#core/exploration/table.ts';
import { eachPassedOver, type Trial } from '#core/exploration/trials.ts';
import { kindOf, likelihood, shownBy } from '#core/exploration/yields.ts';

/** A set that was drawn for an earlier unit of the round that is being opened. */
export type Pending = Pick<Trial, 'candidates' | 'chain'>;

/** The tools that a set is chosen from, with their places among them, and what is known at the moment. */
export interface Ground {
  readonly state: ExplorationState;
  readonly pending: readonly Pending[];
  readonly pool: readonly number[];
  readonly places: ReadonlyMap<number, number>;
  /** How likely a new pair of each kind is a transition. */
  readonly likelihoods: readonly number[];
  /** How likely each tool of the pool works at all. */
  readonly hopes: readonly number[];
}

/** What is known at the moment, for choosing from a pool. */
export const groundOf = (state: ExplorationState, pending: readonly Pending[], pool: readonly number[]): Ground => ({
  state,
  pending,
  pool,
  places: new Map(pool.map((tool, place) => [tool, place])),
  likelihoods: state.yields.map(likelihood),
  hopes: pool.map((tool) => hopeOf(state, tool)),
});

/** What is thought of the steps between the tools of a growing set and those of the pool: by member and place in the pool. */
export interface Steps {
  /** How likely the step is a transition, 0..1. */
  readonly likely: Float64Array;
  /** How readily the generator is thought to take it, where a transition that was never passed over has 1. */
  readonly weight: Float64Array;
  /** The part of the weight that would be a discovery. */
  readonly fresh: Float64Array;
}

export const noSteps = (members: number, pool: number): Steps => ({
  likely: new Float64Array(members * pool),
  weight: new Float64Array(members * pool),
  fresh: new Float64Array(members * pool),
});

/** How readily a known transition is taken. The generator is told to avoid it, but those found first are the popular ones. */
const KNOWN_WEIGHT = 1;

/** How likely a step is a transition that a chain expected and no execution has shown. */
const EXPECTED = 0.9;

/** How likely a tool works at all, as long as no call of it succeeded: less with each draw that had it. */
const hopeOf = (state: ExplorationState, tool: number): number => {
  const { draws, successes } = lookUp(state.tools, tool) ?? neverUsed;
  return successes > 0 ? 1 : SET_ASIDE_DRAWS / (SET_ASIDE_DRAWS + draws);
};

/**
 * Writes what is thought of the steps from (`out`) and to (`into`) the tool at a place of the pool, which joins the set as its `member`-th. Each kind of
 * pair has its likelihood; being passed over lowers it by Bayes' rule, and the weight too: what was often passed over is no
 * transition, or an unpopular one. That a chain expected it, and nothing came of it, counts likewise.
 */
export const believe = (ground: Ground, member: number, own: number, out: Steps, into: Steps): void => {
  const { state, pool, likelihoods, hopes } = ground;
  const tool = pool[own] ?? -1;
  const { catalog, transitions } = state;
  const passed = passedOver(ground, tool);
  const write = (steps: Steps, at: number, from: number, to: number, hope: number, times: number): void => {
    const seen = lookUp(transitions, from * catalog.tools.length + to);
    if (seen && seen.executed > 0) {
      steps.likely[at] = 1;
      steps.weight[at] = KNOWN_WEIGHT;
      steps.fresh[at] = 0;
      return;
    }
    const prior = (seen ? EXPECTED : (likelihoods[kindOf(catalog, from, to)] ?? 0)) * hope;
    const unseen = 1 - shownBy(times + (seen?.expected ?? 0));
    const likely = (prior * unseen) / (prior * unseen + 1 - prior);
    steps.likely[at] = likely;
    steps.weight[at] = steps.fresh[at] = likely * unseen;
  };
  for (const [place, other] of pool.entries()) {
    if (place === own) continue;
    const at = member * pool.length + place;
    const hope = (hopes[own] ?? 0) * (hopes[place] ?? 0);
    write(out, at, tool, other, hope, passed.out[place] ?? 0);
    write(into, at, other, tool, hope, passed.into[place] ?? 0);
  }
};

/** How often the steps from and to a tool were passed over, by place in the pool; pending sets count as turned down. */
const passedOver = ({ state, pending, pool, places }: Ground, tool: number): Record<'out' | 'into', Uint16Array> => {
  const out = new Uint16Array(pool.length);
  const into = new Uint16Array(pool.length);
  const counting = (times: Uint16Array) => (other: number) => {
    const place = places.get(other);
    if (place !== undefined) times[place] = (times[place] ?? 0) + 1;
  };
  const [countOut, countInto] = [counting(out), counting(into)];
  for (const trial of lookUp(state.trials, tool) ?? []) eachPassedOver(trial, tool, countOut, countInto);
  for (const set of pending) if (set.candidates.includes(tool)) eachPassedOver(set, tool, countOut, countInto);
  return { out, into };
};
