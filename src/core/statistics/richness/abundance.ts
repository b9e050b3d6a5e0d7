/** How often the classes of a sample were seen: the input of every richness estimate. */
export interface Abundance {
  /** Distinct classes seen. */
  readonly S: number;
  /** Total observations. */
  readonly n: number;
  /** f.get(k): the number of classes seen exactly k times, k >= 1; no entry means none. */
  readonly f: ReadonlyMap<number, number>;
}

export const noAbundance: Abundance = { S: 0, n: 0, f: new Map() };

/** Returns the number of classes seen exactly k times. */
export const countClassesSeenTimes = (abundance: Abundance, k: number): number => abundance.f.get(k) ?? 0;

/** Counts a sample from how often each class was seen; zeros are unseen classes. */
export const makeAbundanceFromCounts = (counts: Iterable<number>): Abundance => {
  let S = 0;
  let n = 0;
  const f = new Map<number, number>();
  for (const count of counts) {
    if (count <= 0) continue;
    S += 1;
    n += count;
    f.set(count, (f.get(count) ?? 0) + 1);
  }
  return { S, n, f };
};

/**
 * Returns the sample after some classes were seen more often, or left it (0 after); `changes` are their counts before and after. Its cost
 * depends on the changes and on the number of distinct counts (at most about the root of 2n), not on S.
 */
export const abundanceAfterChanges = (
  abundance: Abundance,
  changes: Iterable<{ readonly before: number; readonly after: number }>,
): Abundance => {
  let { S, n } = abundance;
  const f = new Map(abundance.f);
  const addClasses = (k: number, by: number): void => {
    const left = (f.get(k) ?? 0) + by;
    if (left === 0) f.delete(k);
    else f.set(k, left);
  };
  for (const { before, after } of changes) {
    if (before === after) continue;
    if (before === 0) S += 1;
    else addClasses(before, -1);
    if (after === 0) S -= 1;
    else addClasses(after, 1);
    n += after - before;
  }
  return { S, n, f };
};
