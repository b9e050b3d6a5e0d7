import { buildByTier, type SubmissionTier } from './submissions/state.ts';
import { listIdsOnParetoFront, type Offer } from './pareto-front.ts';
import { buildByMetric, type RankingMetric, type RankingOrders } from './metrics.ts';
import {
  sortByMetric,
  listIdsOfTieGroupLeaders,
  leadChangesByAdding,
  leadChangesByRemoving,
  sortKeyOrInfinity,
  type TieTest,
  type LeadChange,
  type Order,
} from './order.ts';
import type { Place, RankingChange, WholeRanking } from './ranking.ts';

/** A ranking as far as a change of it needs to know it. */
export interface PresentRanking {
  readonly orders: RankingOrders;
  readonly seq: number;
  listIdsOfParetoFront(tier: SubmissionTier): readonly string[];
  getOrderOfTier(tier: SubmissionTier, metric: RankingMetric): Order;
  /** The place of an existing entry: its tier, its sort keys and the groups that it leads. */
  getPlaceOrThrow(id: string): Place;
}

/** Decides ties between entries, for each metric. */
export type MakeTieTest = (metric: RankingMetric) => TieTest;

/** Returns the change of a ranking when an entry is added to a tier. */
export function rankingChangeByAdding(
  present: PresentRanking,
  tier: SubmissionTier,
  put: NonNullable<RankingChange['put']>,
  makeTieTest: MakeTieTest,
): RankingChange {
  const leads = leadChangesForAllMetrics(present.orders, (metric) =>
    leadChangesByAdding(present.getOrderOfTier(tier, metric), metric, put, makeTieTest(metric)),
  );
  // What is not on the front of fewer entries is not on that of more.
  const offers = [...present.listIdsOfParetoFront(tier).map((id) => present.getPlaceOrThrow(id)), put].map((each) =>
    makeFrontCandidate(present.orders, each),
  );
  return { seq: present.seq + 1, tier, put, remove: null, leads, front: listIdsOnParetoFront(offers) };
}

/** Returns the change of a ranking when an entry is removed. */
export function rankingChangeByRemoving(
  present: PresentRanking,
  remove: string,
  makeTieTest: MakeTieTest,
): RankingChange {
  const place = present.getPlaceOrThrow(remove);
  const { tier } = place;
  const leads = leadChangesForAllMetrics(present.orders, (metric) =>
    leadChangesByRemoving(present.getOrderOfTier(tier, metric), metric, place, makeTieTest(metric)),
  );
  const others = () => present.getOrderOfTier(tier, 'cost').filter(({ id }) => id !== remove);
  const before = present.listIdsOfParetoFront(tier);
  const front = before.includes(remove)
    ? listIdsOnParetoFront(others().map((each) => makeFrontCandidate(present.orders, each)))
    : before;
  return { seq: present.seq + 1, tier, put: null, remove, leads, front };
}

/** Returns the places of all entries and the front of each tier; stores nothing. */
export function computePlacesAndFronts(
  orders: RankingOrders,
  entries: readonly Omit<Place, 'leads'>[],
  makeTieTest: MakeTieTest,
): Pick<WholeRanking, 'places' | 'fronts'> {
  const byTier = buildByTier((tier) => entries.filter((entry) => entry.tier === tier));
  return {
    places: Object.values(byTier).flatMap((own) => {
      const leaders = buildByMetric(orders.metrics, (metric) =>
        listIdsOfTieGroupLeaders(sortByMetric(own, metric), metric, makeTieTest(metric)),
      );
      return own.map((entry) => ({
        ...entry,
        leads: buildByMetric(orders.metrics, (metric) => leaders[metric]?.has(entry.id) === true),
      }));
    }),
    fronts: buildByTier((tier) => listIdsOnParetoFront(byTier[tier].map((each) => makeFrontCandidate(orders, each)))),
  };
}

const leadChangesForAllMetrics = (
  { metrics }: RankingOrders,
  leads: (metric: RankingMetric) => readonly LeadChange[],
): RankingChange['leads'] => metrics.flatMap((metric) => leads(metric).map((each) => ({ metric, ...each })));

const makeFrontCandidate = ({ headline }: RankingOrders, place: Pick<Place, 'id' | 'keys'>): Offer => ({
  id: place.id,
  cost: sortKeyOrInfinity(place, 'cost'),
  score: sortKeyOrInfinity(place, headline),
});
