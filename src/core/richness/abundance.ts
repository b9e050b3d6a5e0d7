/** How often the classes of a sample were seen: what every richness estimate is made from. */
export interface Abundance {
  /** Different classes seen. */
  readonly S: number;
  /** Observations of all of them together. */
  readonly n: number;
  /** f.get(k): classes seen exactly k times, k >= 1; no entry means none. */
  readonly f: ReadonlyMap<number, number>;
}

export const noAbundance: Abundance = { S: 0, n: 0, f: new Map() };

/** Classes seen exactly k times. */
export const seenTimes = (abundance: Abundance, k: number): number => abundance.f.get(k) ?? 0;

/** Counts a sample from how often each class was seen; zeros are classes that were not. */
export const abundanceOf = (counts: Iterable<number>): Abundance => {
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
 * The sample after some classes were seen more often; `changes` are their counts before and after. Its cost depends on the
 * changes and on how many different counts there are (at most about the root of 2n), not on S.
 */
export const withSeen = (
  abundance: Abundance,
  changes: Iterable<{ readonly before: number; readonly after: number }>,
): Abundance => {
  let { S, n } = abundance;
  const f = new Map(abundance.f);
  const move = (k: number, by: number): void => {
    const left = (f.get(k) ?? 0) + by;
    if (left === 0) f.delete(k);
    else f.set(k, left);
  };
  for (const { before, after } of changes) {
    if (before === after) continue;
    if (before === 0) S += 1;
    else move(before, -1);
    move(after, 1);
    n += after - before;
  }
  return { S, n, f };
};
