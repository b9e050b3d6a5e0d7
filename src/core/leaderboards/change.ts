import { paretoFront, type Offer } from './front.ts';
import { byMetric, rankingMetric, type RankingMetric } from './metrics.ts';
import { inOrder, leadersOf, leadsWith, leadsWithout, type CannotTell, type Lead, type Order } from './order.ts';
import type { Place, RankingChange, WholeRanking } from './ranking.ts';

/** A ranking as far as a change of it has to know it. */
export interface PresentRanking {
  readonly seq: number;
  readonly front: readonly string[];
  order(metric: RankingMetric): Order;
  /** That of an entry that is in. */
  getPlaceOrThrow(id: string): Place;
}

/** By which entries tie, for each metric. */
export type Ties = (metric: RankingMetric) => CannotTell;

/** What an entry that comes in changes in a ranking. */
export function entering(present: PresentRanking, put: NonNullable<RankingChange['put']>, ties: Ties): RankingChange {
  const leads = leadsBy((metric) => leadsWith(present.order(metric), metric, put, ties(metric)));
  // What is on no front of fewer entries is on none of more.
  const offers = [...present.front.map((id) => present.getPlaceOrThrow(id)), put].map(offerOf);
  return { seq: present.seq + 1, put, remove: null, leads, front: paretoFront(offers) };
}

/** What an entry that goes changes in a ranking. */
export function leaving(present: PresentRanking, remove: string, ties: Ties): RankingChange {
  const place = present.getPlaceOrThrow(remove);
  const leads = leadsBy((metric) => leadsWithout(present.order(metric), metric, place, ties(metric)));
  const others = () => present.order('cost').filter(({ id }) => id !== remove);
  const front = present.front.includes(remove) ? paretoFront(others().map(offerOf)) : present.front;
  return { seq: present.seq + 1, put: null, remove, leads, front };
}

/** All places and the front from scratch. */
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
