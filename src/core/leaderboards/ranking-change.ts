import { buildByTier, type SubmissionTier } from './submissions/state.ts';
import { listIdsOnParetoFront, type Offer } from './pareto-front.ts';
import { bestHeadlineKey, isBehind, listBehindChanges } from './behind.ts';
import { buildByMetric, spentMetric, type RankingMetric, type RankingOrders } from './metrics.ts';
import {
  leadChangesBetween,
  sortByMetric,
  listIdsOfTieGroupLeaders,
  leadChangesByAdding,
  leadChangesByRemoving,
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

/** An entry that is to be added: whether it is behind depends on the others. */
export type AddedEntry = Omit<NonNullable<RankingChange['put']>, 'behind'>;

/** Returns the change of a ranking when an entry is added to a tier. */
export function rankingChangeByAdding(
  present: PresentRanking,
  tier: SubmissionTier,
  entry: AddedEntry,
  makeTieTest: MakeTieTest,
): RankingChange {
  const { headline } = present.orders;
  const order = present.getOrderOfTier(tier, headline);
  const best = bestHeadlineKey([...order.slice(0, 1), entry], headline);
  const put = { ...entry, behind: isBehind(entry, headline, best) };
  const behind = listBehindChanges(order, headline, best);
  const leads = leadChangesForAllMetrics(present.orders, (metric) => {
    const own = present.getOrderOfTier(tier, metric);
    return behind.length > 0 && isSpentMetric(metric)
      ? leadChangesBetween(own, [...withBehindChanges(own, behind), put], metric, makeTieTest(metric))
      : leadChangesByAdding(own, metric, put, makeTieTest(metric));
  });
  // What is not on the front of fewer entries is not on that of more.
  const offers = [...present.listIdsOfParetoFront(tier).map((id) => present.getPlaceOrThrow(id)), put].map((each) =>
    makeFrontCandidate(present.orders, each),
  );
  return { seq: present.seq + 1, tier, put, remove: null, behind, leads, front: listIdsOnParetoFront(offers) };
}

/** Returns the change of a ranking when an entry is removed. */
export function rankingChangeByRemoving(
  present: PresentRanking,
  remove: string,
  makeTieTest: MakeTieTest,
): RankingChange {
  const place = present.getPlaceOrThrow(remove);
  const { tier } = place;
  const { headline } = present.orders;
  const others = (metric: RankingMetric): Place[] =>
    present.getOrderOfTier(tier, metric).filter(({ id }) => id !== remove);
  const left = others(headline);
  const behind = listBehindChanges(left, headline, bestHeadlineKey(left.slice(0, 1), headline));
  const leads = leadChangesForAllMetrics(present.orders, (metric) => {
    const own = others(metric);
    return behind.length > 0 && isSpentMetric(metric)
      ? leadChangesBetween(own, withBehindChanges(own, behind), metric, makeTieTest(metric))
      : leadChangesByRemoving(present.getOrderOfTier(tier, metric), metric, place, makeTieTest(metric));
  });
  const before = present.listIdsOfParetoFront(tier);
  const front = before.includes(remove)
    ? listIdsOnParetoFront(left.map((each) => makeFrontCandidate(present.orders, each)))
    : before;
  return { seq: present.seq + 1, tier, put: null, remove, behind, leads, front };
}

/** Returns places of which some fall behind or come up. */
function withBehindChanges(places: readonly Place[], changes: RankingChange['behind']): Place[] {
  const changed = new Map(changes.map(({ id, behind }) => [id, behind]));
  return places.map((place) => ({ ...place, behind: changed.get(place.id) ?? place.behind }));
}

const isSpentMetric = (metric: RankingMetric): boolean => spentMetric.safeParse(metric).success;

/** Returns entries with whether each is behind the best of its tier. */
export function withBehindByTier<T extends Omit<Place, 'leads' | 'behind'>>(
  { headline }: RankingOrders,
  entries: readonly T[],
): (T & Pick<Place, 'behind'>)[] {
  const best = buildByTier((tier) =>
    bestHeadlineKey(
      entries.filter((entry) => entry.tier === tier),
      headline,
    ),
  );
  return entries.map((entry) => ({ ...entry, behind: isBehind(entry, headline, best[entry.tier]) }));
}

/** Returns the places of all entries and the front of each tier; stores nothing. */
export function computePlacesAndFronts(
  orders: RankingOrders,
  entries: readonly Omit<Place, 'leads' | 'behind'>[],
  makeTieTest: MakeTieTest,
): Pick<WholeRanking, 'places' | 'fronts'> {
  const all = withBehindByTier(orders, entries);
  const byTier = buildByTier((tier) => all.filter((entry) => entry.tier === tier));
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
  // The front weighs cost against the headline, so an entry that is behind may be on it.
  cost: place.keys.cost ?? Infinity,
  score: place.keys[headline] ?? Infinity,
});
