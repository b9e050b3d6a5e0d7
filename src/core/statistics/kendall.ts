import { upperTailOfNormal } from './normal.ts';

/** How two lists of numbers about the same things order their pairs. */
interface PairOrders {
  /** Pairs in the same order less those in opposite orders. */
  readonly agreed: number;
  /** Pairs that differ in the one list, and in the other. */
  readonly ordered: number;
  readonly orderedOther: number;
}

const countPairOrders = (a: readonly number[], b: readonly number[]): PairOrders => {
  let agreed = 0;
  let ordered = 0;
  let orderedOther = 0;
  for (let one = 0; one < a.length; one += 1) {
    for (let two = one + 1; two < a.length; two += 1) {
      const first = Math.sign((a[one] ?? 0) - (a[two] ?? 0));
      const second = Math.sign((b[one] ?? 0) - (b[two] ?? 0));
      agreed += first * second;
      ordered += Math.abs(first);
      orderedOther += Math.abs(second);
    }
  }
  return { agreed, ordered, orderedOther };
};

/**
 * Returns Kendall's tau-b of two lists of numbers about the same things: the agreement of their orders, -1..1, with ties taken
 * into account. Null if one list has fewer than two different values. Source: Kendall 1945, "The treatment of ties in ranking
 * problems".
 */
export function kendallTauB(a: readonly number[], b: readonly number[]): number | null {
  const { agreed, ordered, orderedOther } = countPairOrders(a, b);
  return ordered === 0 || orderedOther === 0 ? null : agreed / Math.sqrt(ordered * orderedOther);
}

/** Up to so many things all orders of one list are tried, 40,320 at most. */
const mostTried = 8;

/**
 * Returns the two-sided p-value of tau-b, 0..1: the probability that orders without any relation agree or disagree as much. It is exact
 * up to eight things, by trying all orders, and above by the normal approximation with the variance under ties. Null where tau-b is.
 * Source: Kendall 1970, "Rank correlation methods", chapters 4 and 5.
 */
export function kendallPValueOrNull(a: readonly number[], b: readonly number[]): number | null {
  const { agreed, ordered, orderedOther } = countPairOrders(a, b);
  if (ordered === 0 || orderedOther === 0) return null;
  if (a.length <= mostTried) {
    const all = listOrders(b).map((order) => Math.abs(countPairOrders(a, order).agreed));
    return all.filter((each) => each >= Math.abs(agreed)).length / all.length;
  }
  return Math.min(1, 2 * upperTailOfNormal(Math.abs(agreed) / Math.sqrt(varianceUnderTies(a, b))));
}

const listOrders = (values: readonly number[]): number[][] =>
  values.length < 2
    ? [[...values]]
    : values.flatMap((value, at) => listOrders(values.toSpliced(at, 1)).map((rest) => [value, ...rest]));

/** Returns the variance of the agreed pairs of two lists without relation. */
function varianceUnderTies(a: readonly number[], b: readonly number[]): number {
  const n = a.length;
  const [one, other] = [sumOverTies(a), sumOverTies(b)];
  return (
    (n * (n - 1) * (2 * n + 5) - one.cubes - other.cubes) / 18 +
    (one.pairs * other.pairs) / (2 * n * (n - 1)) +
    (one.triples * other.triples) / (9 * n * (n - 1) * (n - 2))
  );
}

const sumOverTies = (values: readonly number[]) => {
  const sizes = [...Map.groupBy(values, (value) => value).values()].map(({ length }) => length);
  const sumOf = (term: (t: number) => number): number => sizes.reduce((sum, t) => sum + term(t), 0);
  return {
    pairs: sumOf((t) => t * (t - 1)),
    triples: sumOf((t) => t * (t - 1) * (t - 2)),
    cubes: sumOf((t) => t * (t - 1) * (2 * t + 5)),
  };
};
