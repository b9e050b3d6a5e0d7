/** A labelled pair that has been measured. */
export interface MeasuredPair {
  readonly duplicate: boolean;
  /** Whether the rule would accept it as a duplicate if it were similar enough. */
  readonly open: boolean;
  readonly likeness: number;
}

export interface ChosenThreshold {
  /** In hundredths, 0..1. */
  readonly threshold: number;
  /** The F1 at the best threshold: 0..1. */
  readonly f1: number;
}

const tolerance = 0.01;
const hundredths = Array.from({ length: 101 }, (_, n) => n / 100);

/**
 * Returns the least likeness of duplicates with the best F1. Among thresholds that differ by about a pair, it takes the
 * middle, because the single best one is an accident of the available pairs.
 */
export function chooseThreshold(pairs: readonly MeasuredPair[]): ChosenThreshold {
  const open = pairs.filter((pair) => pair.open);
  const wanted = pairs.filter(({ duplicate }) => duplicate).length;
  const scored = hundredths.map((threshold) => {
    const decided = open.filter(({ likeness }) => likeness >= threshold);
    const right = decided.filter(({ duplicate }) => duplicate).length;
    return { threshold, f1: (2 * right) / Math.max(1, decided.length + wanted) };
  });
  const f1 = Math.max(...scored.map((each) => each.f1));
  const asGood = scored.filter((each) => each.f1 >= f1 - tolerance);
  return { threshold: asGood[Math.floor(asGood.length / 2)]?.threshold ?? 1, f1 };
}
