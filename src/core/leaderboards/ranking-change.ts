import { paretoFront, type Offer } from './pareto-front.ts';
import { buildByMetric, rankingMetric, type RankingMetric } from './metrics.ts';
import {
  sortByMetric,
  findLeaders,
  leadsAfterAdding,
  leadsAfterRemoving,
  type TieTest,
  type LeadChange,
  type Order,
} from './order.ts';
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
export type MakeTieTest = (metric: RankingMetric) => TieTest;

/** Returns the change of a ranking when an entry is added. */
export function rankingChangeByAdding(
  present: PresentRanking,
  put: NonNullable<RankingChange['put']>,
  makeTieTest: MakeTieTest,
): RankingChange {
  const leads = leadsForAllMetrics((metric) =>
    leadsAfterAdding(present.order(metric), metric, put, makeTieTest(metric)),
  );
  // What is not on the front of fewer entries is not on that of more.
  const offers = [...present.front.map((id) => present.getPlaceOrThrow(id)), put].map(makeOffer);
  return { seq: present.seq + 1, put, remove: null, leads, front: paretoFront(offers) };
}

/** Returns the change of a ranking when an entry is removed. */
export function rankingChangeByRemoving(
  present: PresentRanking,
  remove: string,
  makeTieTest: MakeTieTest,
): RankingChange {
  const place = present.getPlaceOrThrow(remove);
  const leads = leadsForAllMetrics((metric) =>
    leadsAfterRemoving(present.order(metric), metric, place, makeTieTest(metric)),
  );
  const others = () => present.order('cost').filter(({ id }) => id !== remove);
  const front = present.front.includes(remove) ? paretoFront(others().map(makeOffer)) : present.front;
  return { seq: present.seq + 1, put: null, remove, leads, front };
}

/** Rebuilds all places and the front. */
export function rankEntries(
  entries: readonly Pick<Place, 'id' | 'keys'>[],
  makeTieTest: MakeTieTest,
): Pick<WholeRanking, 'places' | 'front'> {
  const leaders = buildByMetric((metric) => findLeaders(sortByMetric(entries, metric), metric, makeTieTest(metric)));
  return {
    places: entries.map(({ id, keys }) => ({ id, keys, leads: buildByMetric((metric) => leaders[metric].has(id)) })),
    front: paretoFront(entries.map(makeOffer)),
  };
}

const leadsForAllMetrics = (leads: (metric: RankingMetric) => readonly LeadChange[]): RankingChange['leads'] =>
  rankingMetric.options.flatMap((metric) => leads(metric).map((each) => ({ metric, ...each })));

const makeOffer = ({ id, keys }: Pick<Place, 'id' | 'keys'>): Offer => ({
  id,
  cost: keys.cost,
  success: keys.success,
});
