/** The steps among the tools of a set, at `from * stride + to`; the diagonal is ignored. */
export interface StepsAmong {
  readonly stride: number;
  /** The probabilities that the steps are transitions, 0..1. */
  readonly likely: Float64Array;
  /** The rates at which the generator takes them, 0 or more. */
  readonly weight: Float64Array;
  /** The parts of the rates that would be discoveries, 0..weight. */
  readonly fresh: Float64Array;
}

/**
 * The probability that a chain of 2, 3, 4, 5 tools is meant to have another one, if its length is uniform between 3
 * and 6 tools.
 */
const continuationChances = [1, 3 / 4, 2 / 3, 1 / 2] as const;

/** The least probability that a step is no transition; a known one has it, so that it can be divided by. */
const leastDoubt = 1e-3;

/**
 * Returns a function that estimates the expected number of unknown transitions that a chain through the first `size` tools
 * of a set shows; `largest` is the largest size. The chain begins with a step chosen by weight, if any step of the set is
 * a transition. It continues by weight, never straight back, if any step from its last tool is a transition. So its
 * position is a distribution over the steps; that no tool occurs twice is otherwise ignored: an approximation that is
 * good enough to rank sets, in some 20 size^2 operations. Its arrays are made once, because making them took longer
 * than the rest.
 */
export const makeDiscoveryEstimator = (largest: number): ((among: StepsAmong, size: number) => number) => {
  const sums = makeStepSums(largest);
  const steps = makeStepRates(largest);
  let leaving = new Float64Array(largest);
  let leavingNext = new Float64Array(largest);
  let came = new Float64Array(largest * largest);
  let cameNext = new Float64Array(largest * largest);
  return (among, size) => {
    writeStepSums(sums, among, size);
    let [total, finds, doubt] = [0, 0, 1];
    for (let from = 0; from < size; from++) {
      total += sums.weights[from] ?? 0;
      finds += sums.finds[from] ?? 0;
      doubt *= sums.doubts[from] ?? 1;
    }
    if (total === 0) return 0;
    writeStepRates(steps, among, size, sums);
    const begins = (1 - doubt) / total;
    let expected = begins * finds;
    // By tool: the rate at which chains leave it. By step: the part of it that came over this step.
    leaving.fill(begins);
    came.fill(0);
    for (const wish of continuationChances) {
      leavingNext.fill(0);
      for (let from = 0, at = 0; from < size; from++)
        for (let to = 0, back = from; to < size; to++, at++, back += size) {
          const rate = (steps.rates[at] ?? 0) * ((leaving[from] ?? 0) - (came[back] ?? 0)) * wish;
          cameNext[at] = rate;
          leavingNext[to] = (leavingNext[to] ?? 0) + rate;
          expected += rate * (steps.onwardFinds[at] ?? 0);
        }
      [leaving, leavingNext] = [leavingNext, leaving];
      [came, cameNext] = [cameNext, came];
    }
    return expected;
  };
};

/** Sums over the steps from each tool, by tool. */
interface StepSums {
  readonly weights: Float64Array;
  readonly finds: Float64Array;
  /** The probabilities that none of the steps is a transition. */
  readonly doubts: Float64Array;
}

const makeStepSums = (largest: number): StepSums => ({
  weights: new Float64Array(largest),
  finds: new Float64Array(largest),
  doubts: new Float64Array(largest),
});

const writeStepSums = (
  { weights, finds, doubts }: StepSums,
  { stride, likely, weight, fresh }: StepsAmong,
  size: number,
): void => {
  for (let from = 0; from < size; from++) {
    let [sum, found, doubt] = [0, 0, 1];
    for (let to = 0; to < size; to++) {
      if (from === to) continue;
      const at = from * stride + to;
      sum += weight[at] ?? 0;
      found += fresh[at] ?? 0;
      doubt *= doubtOf(likely[at] ?? 0);
    }
    weights[from] = sum;
    finds[from] = found;
    doubts[from] = doubt;
  }
};

/** Two figures of each step, at `from * size + to`; zero on the diagonal. */
interface StepRates {
  /**
   * Its weight times the probability that a chain which has just taken it finds another one that does not lead straight
   * back, divided by the weight of all of these.
   */
  readonly rates: Float64Array;
  /** The part of that weight that would be discoveries. */
  readonly onwardFinds: Float64Array;
}

const makeStepRates = (largest: number): StepRates => ({
  rates: new Float64Array(largest * largest),
  onwardFinds: new Float64Array(largest * largest),
});

const writeStepRates = (
  { rates, onwardFinds }: StepRates,
  { stride, likely, weight, fresh }: StepsAmong,
  size: number,
  { weights, finds, doubts }: StepSums,
): void => {
  for (let from = 0; from < size; from++)
    for (let to = 0; to < size; to++) {
      const at = from * size + to;
      const back = to * stride + from;
      const onward = (weights[to] ?? 0) - (weight[back] ?? 0);
      // Less weight onward is a rounding error of the subtraction.
      const leads = from !== to && onward >= 1e-9;
      const moves = leads ? 1 - (doubts[to] ?? 1) / doubtOf(likely[back] ?? 0) : 0;
      rates[at] = leads ? ((weight[from * stride + to] ?? 0) * moves) / onward : 0;
      onwardFinds[at] = leads ? (finds[to] ?? 0) - (fresh[back] ?? 0) : 0;
    }
};

const doubtOf = (likely: number): number => Math.max(leastDoubt, 1 - likely);
