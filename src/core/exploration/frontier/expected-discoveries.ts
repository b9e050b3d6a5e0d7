/** The steps among the tools of a set, at `from * stride + to`; the diagonal is ignored. */
export interface StepsAmong {
  readonly stride: number;
  readonly likely: Float64Array;
  readonly weight: Float64Array;
  readonly fresh: Float64Array;
}

/**
 * The probability that a chain of 0, 1, 2, ... steps is meant to have another one, if its length is uniform between 3
 * and 6 tools.
 */
const continuationChances = [1, 1, 3 / 4, 2 / 3, 1 / 2] as const;

/**
 * Returns the expected number of unknown transitions that a chain through the first `size` tools shows. The chain
 * starts at a tool with a probability proportional to the weight of its steps, and chooses each step by weight; with
 * probability `exp(-l)` there is no step, where l is the expected number of transitions from a tool. The position is
 * tracked as a distribution, ignoring that no tool occurs twice: an approximation that is good enough to rank sets, in
 * at most 5 size^2 multiplications.
 */
export const expectedDiscoveries = ({ stride, likely, weight, fresh }: StepsAmong, size: number): number => {
  const weights = new Float64Array(size);
  const share = new Float64Array(size);
  const moves = new Float64Array(size);
  let total = 0;
  for (let from = 0; from < size; from++) {
    let [sum, finds, steps] = [0, 0, 0];
    for (let to = 0; to < size; to++) {
      if (from === to) continue;
      const at = from * stride + to;
      sum += weight[at] ?? 0;
      finds += fresh[at] ?? 0;
      steps += likely[at] ?? 0;
    }
    weights[from] = sum;
    total += sum;
    if (sum === 0) continue;
    share[from] = finds / sum;
    moves[from] = 1 - Math.exp(-steps);
  }
  if (total === 0) return 0;
  let here = weights.map((sum) => sum / total);
  let expected = 0;
  for (const wish of continuationChances) {
    const next = new Float64Array(size);
    for (let from = 0; from < size; from++) {
      const going = (here[from] ?? 0) * (moves[from] ?? 0) * wish;
      if (going === 0) continue;
      expected += going * (share[from] ?? 0);
      const each = going / (weights[from] ?? 1);
      for (let to = 0; to < size; to++)
        if (to !== from) next[to] = (next[to] ?? 0) + each * (weight[from * stride + to] ?? 0);
    }
    here = next;
  }
  return expected;
};
