/** Things of one size, of which some are to be chosen. */
export interface SizeClass {
  /** At least 1. */
  readonly size: number;
  readonly count: number;
  /** The preferred number of chosen ones. */
  readonly preferred: number;
}

/**
 * Returns how many of each class to choose, so that the sizes add up as near to `wanted` as they can; of two totals that
 * are equally near, to the larger. Among the choices with this total, the numbers are near the preferred ones, the
 * classes in front first. Costs time and memory of classes times twice `wanted`: n things have at most sqrt(2n) sizes.
 */
export function chooseCountsForTotal(classes: readonly SizeClass[], wanted: number): number[] {
  const sum = classes.reduce((total, { size, count }) => total + size * count, 0);
  const limit = Math.min(sum, 2 * wanted);
  const reachable = markReachableTotalsFromEachClass(classes, limit);
  let rest = findNearestReachableTotal(reachable[0], wanted, limit);
  return classes.map(({ size, count, preferred }, place) => {
    const possible = Array.from({ length: Math.min(count, Math.floor(rest / size)) + 1 }, (_, chosen) => chosen).filter(
      (chosen) => reachable[place + 1]?.[rest - chosen * size] === 1,
    );
    const chosen = possible.reduce((best, each) =>
      Math.abs(each - preferred) < Math.abs(best - preferred) ? each : best,
    );
    rest -= chosen * size;
    return chosen;
  });
}

/** Returns, for each class, which totals up to a limit this class and those behind it can make: 1 at such a total. */
function markReachableTotalsFromEachClass(classes: readonly SizeClass[], limit: number): Uint8Array[] {
  const nothing = new Uint8Array(limit + 1);
  nothing[0] = 1;
  return classes.reduceRight(
    (made: Uint8Array[], { size, count }) => {
      const behind = made[0] ?? nothing;
      const totals = Uint8Array.from(behind);
      const used = new Int32Array(limit + 1);
      for (let total = size; total <= limit; total += 1) {
        const more = (used[total - size] ?? 0) + 1;
        if (totals[total] === 1 || totals[total - size] !== 1 || more > count) continue;
        totals[total] = 1;
        used[total] = more;
      }
      return [totals, ...made];
    },
    [nothing],
  );
}

function findNearestReachableTotal(reachable: Uint8Array | undefined, wanted: number, limit: number): number {
  let nearest = 0;
  for (let total = 1; total <= limit; total += 1)
    if (reachable?.[total] === 1 && Math.abs(total - wanted) <= Math.abs(nearest - wanted)) nearest = total;
  return nearest;
}
