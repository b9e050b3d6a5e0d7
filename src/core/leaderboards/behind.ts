import type { RankingMetric } from './metrics.ts';
import type { Order } from './order.ts';
import type { Place, RankingChange } from './ranking.ts';

/**
 * How far an entry's headline may be below the best one of its tier for the entry to be ordered by what its attempts used. What
 * somebody saved who did hardly anything says nothing.
 */
export const useMargin = 0.1;

/** Rounding error of means that were computed separately. */
const rounding = 1e-9;

type Keyed = Pick<Place, 'keys'>;

const headlineKey = ({ keys }: Keyed, headline: RankingMetric): number => keys[headline] ?? Infinity;

/** Returns the best headline key of entries; Infinity if none has a score. */
export const bestHeadlineKey = (entries: Iterable<Keyed>, headline: RankingMetric): number => {
  let best = Infinity;
  for (const entry of entries) best = Math.min(best, headlineKey(entry, headline));
  return best;
};

/** Returns whether an entry is too far behind the best of its tier to be ordered by use; so is one without a score. */
export function isBehind(entry: Keyed, headline: RankingMetric, best: number): boolean {
  const key = headlineKey(entry, headline);
  return key === Infinity || key > best + useMargin + rounding;
}

/**
 * Returns which entries of a tier fall behind or come up when another one takes the lead or the best one goes: those in the order by
 * headline whose state is not the one that follows from the new best.
 */
export const listBehindChanges = (order: Order, headline: RankingMetric, best: number): RankingChange['behind'] =>
  order
    .filter((place) => isBehind(place, headline, best) !== place.behind)
    .map(({ id, keys, behind }) => ({ id, keys, behind: !behind }));
