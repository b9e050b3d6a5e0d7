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
 * Returns the expected number of unknown transitions that a chain through the first `size` tools shows. The chain
 * begins with a step chosen by weight, if any step of the set is a transition. It continues by weight, never straight
 * back, if any step from its last tool is a transition. So its position is a distribution over the steps; that no tool
 * occurs twice is otherwise ignored: an approximation that is good enough to rank sets, in some 20 size^2 operations.
 */
export const expectedDiscoveries = (among: StepsAmong, size: number): number => {
  const { stride, weight, fresh } = among;
  const { weights, finds, doubts } = sumStepsFromEachTool(among, size);
  const total = sumOf(weights);
  if (total === 0) return 0;
  const begins = (1 - doubts.reduce((all, doubt) => all * doubt, 1)) / total;
  let expected = begins * sumOf(finds);
  let taken = new Float64Array(size * size);
  for (let from = 0; from < size; from++)
    for (let to = 0; to < size; to++)
      if (to !== from) taken[from * size + to] = begins * (weight[from * stride + to] ?? 0);
  const rates = computeRatesAfterSteps(among, size, { weights, doubts });
  for (const wish of continuationChances) {
    const going = new Float64Array(size);
    for (let from = 0; from < size; from++)
      for (let to = 0; to < size; to++) {
        const at = from * size + to;
        const rate = (taken[at] ?? 0) * (rates[at] ?? 0) * wish;
        taken[at] = rate;
        if (rate === 0) continue;
        going[to] = (going[to] ?? 0) + rate;
        expected += rate * ((finds[to] ?? 0) - (fresh[to * stride + from] ?? 0));
      }
    const next = new Float64Array(size * size);
    for (let from = 0; from < size; from++)
      for (let to = 0; to < size; to++)
        if (to !== from)
          next[from * size + to] =
            (weight[from * stride + to] ?? 0) * Math.max(0, (going[from] ?? 0) - (taken[to * size + from] ?? 0));
    taken = next;
  }
  return expected;
};

/** Sums over the steps from each tool, by tool. */
interface StepSums {
  readonly weights: Float64Array;
  readonly finds: Float64Array;
  /** The probabilities that none of the steps is a transition. */
  readonly doubts: Float64Array;
}

const sumStepsFromEachTool = ({ stride, likely, weight, fresh }: StepsAmong, size: number): StepSums => {
  const weights = new Float64Array(size);
  const finds = new Float64Array(size);
  const doubts = new Float64Array(size);
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
  return { weights, finds, doubts };
};

/**
 * Returns, at `from * size + to`, the probability that a chain which has just taken that step finds another one that does
 * not lead straight back, divided by the weight of all of these.
 */
const computeRatesAfterSteps = (
  { stride, likely, weight }: StepsAmong,
  size: number,
  { weights, doubts }: Pick<StepSums, 'weights' | 'doubts'>,
): Float64Array => {
  const rates = new Float64Array(size * size);
  for (let to = 0; to < size; to++)
    for (let from = 0; from < size; from++) {
      if (from === to) continue;
      const back = to * stride + from;
      const onward = (weights[to] ?? 0) - (weight[back] ?? 0);
      // Less is a rounding error of the subtraction.
      if (onward > 1e-9) rates[from * size + to] = (1 - (doubts[to] ?? 1) / doubtOf(likely[back] ?? 0)) / onward;
    }
  return rates;
};

const doubtOf = (likely: number): number => Math.max(leastDoubt, 1 - likely);

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
