import { paretoFront, type Offer } from './front.ts';
import { byMetric, rankingMetric, type RankingMetric } from './metrics.ts';
import { inOrder, leadersOf, leadsWith, leadsWithout, type CannotTell, type Lead, type Order } from './order.ts';
import type { Place, RankingChange, WholeRanking } from './ranking.ts';

/** A ranking as far as a change of it needs to know it. */
export interface PresentRanking {
  readonly seq: number;
  readonly front: readonly string[];
  order(metric: RankingMetric): Order;
  /** The figures of an existing entry. */
  getPlaceOrThrow(id: string): Place;
}

/** Decides ties between entries, for each metric. */
export type Ties = (metric: RankingMetric) => CannotTell;

/** Returns the change of a ranking when an entry is added. */
export function entering(present: PresentRanking, put: NonNullable<RankingChange['put']>, ties: Ties): RankingChange {
  const leads = leadsBy((metric) => leadsWith(present.order(metric), metric, put, ties(metric)));
  // What is not on the front of fewer entries is not on that of more.
  const offers = [...present.front.map((id) => present.getPlaceOrThrow(id)), put].map(offerOf);
  return { seq: present.seq + 1, put, remove: null, leads, front: paretoFront(offers) };
}

/** Returns the change of a ranking when an entry is removed. */
export function leaving(present: PresentRanking, remove: string, ties: Ties): RankingChange {
  const place = present.getPlaceOrThrow(remove);
  const leads = leadsBy((metric) => leadsWithout(present.order(metric), metric, place, ties(metric)));
  const others = () => present.order('cost').filter(({ id }) => id !== remove);
  const front = present.front.includes(remove) ? paretoFront(others().map(offerOf)) : present.front;
  return { seq: present.seq + 1, put: null, remove, leads, front };
}

/** Rebuilds all places and the front. */
export function ranked(
  entries: readonly Pick<Place, 'id' | 'keys'>[],
  ties: Ties,
): Pick<WholeRanking, 'places' | 'front'> {
  const leaders = byMetric((metric) => leadersOf(inOrder(entries, metric), metric, ties(metric)));
  return {
    places: entries.map(({ id, keys }) => ({ id, keys, leads: byMetric((metric) => leaders[metric].has(id)) })),
    front: paretoFront(entries.map(offerOf)),
  };
}

const leadsBy = (leads: (metric: RankingMetric) => readonly Lead[]): RankingChange['leads'] =>
  rankingMetric.options.flatMap((metric) => leads(metric).map((each) => ({ metric, ...each })));

const offerOf = ({ id, keys }: Pick<Place, 'id' | 'keys'>): Offer => ({
  id,
  cost: keys.cost,
  execution: keys.execution,
});
