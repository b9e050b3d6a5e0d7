import { compareAnytime, type AnytimeComparison, type ComparedResult } from '#core/evaluation/compare-anytime.ts';
import { orderUnits } from '#core/evaluation/unit-order.ts';
import { buildRecordByScorer } from '#core/evaluation/scorers.ts';
import { quantileOfSorted } from '#core/statistics/quantile.ts';
import { succeeds, type Planted } from './planted.ts';

/** Comparisons that are simulated alike. */
export interface Simulated {
  readonly effect: number;
  readonly units: number;
  readonly trials: number;
  readonly d: number;
  readonly runs: number;
}

/** What became of comparisons. */
export interface Decisions {
  /** Shares of all runs. */
  readonly improved: number;
  readonly worse: number;
  readonly noDifference: number;
  readonly undecided: number;
  /** The median number of units after which it was decided, among those that were; null without any. */
  readonly unitsToDecision: number | null;
}

/** Simulates comparisons and returns what became of them. */
export function simulate({ effect, units, trials, d, runs }: Simulated): Decisions {
  return sumUp(
    Array.from({ length: runs }, (_, run) =>
      simulateOne({ effect, run: `simulated ${effect} ${run}` }, { units, trials, d, seed: run }),
    ),
  );
}

/** Returns what became of comparisons. */
export function sumUp(compared: readonly Pick<AnytimeComparison, 'verdict' | 'decidedAfter'>[]): Decisions {
  const share = (wanted: AnytimeComparison['verdict']): number =>
    compared.filter(({ verdict }) => verdict === wanted).length / compared.length;
  const decided = compared.flatMap(({ decidedAfter }) => decidedAfter ?? []).toSorted((a, b) => a - b);
  return {
    improved: share('improved'),
    worse: share('worse'),
    noDifference: share('no-difference'),
    undecided: share('undecided'),
    unitsToDecision: decided.length === 0 ? null : quantileOfSorted(Float64Array.from(decided), 0.5),
  };
}

/** One comparison of an evaluation that stops when it is decided; all of its units are drawn, those after that are not read. */
function simulateOne(
  planted: Planted,
  { units, trials, d, seed }: Pick<Simulated, 'units' | 'trials' | 'd'> & { readonly seed: number },
): Pick<AnytimeComparison, 'verdict' | 'decidedAfter'> {
  const names = Array.from({ length: units }, (_, unit) => String(unit));
  const order = orderUnits(seed, names);
  const [ofA, ofB] = (['a', 'b'] as const).map(
    (wording) => new Map(names.map((name, unit) => [name, drawUnitResult(planted, wording, unit, trials)])),
  );
  const none = new Map<string, ComparedResult>();
  const compare = (read: readonly string[]): AnytimeComparison =>
    compareAnytime({ a: 'a', b: 'b', d }, { protocol: 'sgvef', trials, order: read }, [ofA ?? none, ofB ?? none]);
  const whole = compare(order);
  // A user who looks after each unit stops at the first verdict.
  return whole.decidedAfter === null ? whole : compare(order.slice(0, whole.decidedAfter));
}

const unscored = buildRecordByScorer(() => null);

function drawUnitResult(planted: Planted, wording: 'a' | 'b', unit: number, trials: number): ComparedResult {
  const passed = Array.from({ length: trials }, (_, trial) => succeeds(planted, wording, unit, trial));
  return { trials, scores: { ...unscored, success: passed.filter(Boolean).length / trials } };
}
