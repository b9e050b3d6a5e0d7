import { spentMetric, type RankingMetric } from './metrics.ts';
import type { Place } from './ranking.ts';

/** All entries of a tier by one metric: ascending by key, equal keys by id, in groups that their leaders begin. */
export type Order = readonly Place[];

/**
 * Whether two entries tie. Symmetric; never called for entries with equal keys, which always tie, nor for entries
 * without a score, which are the last group.
 */
export type TieTest = (leader: string, other: string) => boolean;

type Item = Pick<Place, 'id' | 'keys' | 'behind'>;

const spentMetrics: ReadonlySet<RankingMetric> = new Set(spentMetric.options);

/** Returns the sort key of an item; that of an entry without a score where it has none, or is behind and the metric is one of use. */
export const sortKeyOrInfinity = ({ keys, behind }: Pick<Place, 'keys' | 'behind'>, metric: RankingMetric): number =>
  behind && spentMetrics.has(metric) ? Infinity : (keys[metric] ?? Infinity);

/** An entry starts or stops leading a group. */
export interface LeadChange {
  readonly id: string;
  readonly leads: boolean;
}

/** Returns the position of an item in an order, existing or not: the number of entries before it. */
export function findPositionOrInsertionPoint(order: Order, metric: RankingMetric, item: Item): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = order[middle];
    if (at !== undefined && compareBySortKeyThenId(metric, at, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the position of the entry that leads the group of the entry at `position`. */
export function findPositionOfGroupLeader(order: Order, metric: RankingMetric, position: number): number {
  let at = position;
  while (at > 0 && order[at]?.leads[metric] !== true) at -= 1;
  return at;
}

/** Returns which entries start or stop leading when an entry is added: first the entry itself, leading or not. */
export function leadChangesByAdding(order: Order, metric: RankingMetric, item: Item, isTie: TieTest): LeadChange[] {
  const position = findPositionOrInsertionPoint(order, metric, item);
  const above = findLeaderOfGroupAbove(order, metric, position);
  const leads = above === undefined || !isTiedWithLeader(metric, above, item, isTie);
  const others = leadChangesFrom(order, metric, position, leads ? item : above, above, isTie);
  return [{ id: item.id, leads }, ...others];
}

/** Returns which entries start or stop leading when an entry is removed. */
export function leadChangesByRemoving(order: Order, metric: RankingMetric, item: Place, isTie: TieTest): LeadChange[] {
  if (item.leads[metric] !== true) return [];
  const position = findPositionOrInsertionPoint(order, metric, item);
  return leadChangesFrom(order, metric, position + 1, findLeaderOfGroupAbove(order, metric, position), item, isTie);
}

/** Sorts items by a metric. */
export const sortByMetric = <T extends Item>(items: readonly T[], metric: RankingMetric): T[] =>
  items.toSorted((a, b) => compareBySortKeyThenId(metric, a, b));

/** Returns which entries lead a group; items must be in order. */
export function listIdsOfTieGroupLeaders(
  ordered: readonly Item[],
  metric: RankingMetric,
  isTie: TieTest,
): ReadonlySet<string> {
  const leaders = new Set<string>();
  let leader: Item | undefined;
  for (const item of ordered) {
    if (leader !== undefined && isTiedWithLeader(metric, leader, item, isTie)) continue;
    leader = item;
    leaders.add(item.id);
  }
  return leaders;
}

/** Returns which entries start or stop leading between an order and the items that take its place, in any order. */
export function leadChangesBetween(
  order: Order,
  after: readonly Item[],
  metric: RankingMetric,
  isTie: TieTest,
): LeadChange[] {
  const before = new Map(order.map(({ id, leads }) => [id, leads[metric] ?? false]));
  const leaders = listIdsOfTieGroupLeaders(sortByMetric(after, metric), metric, isTie);
  return after.flatMap(({ id }) => (before.get(id) === leaders.has(id) ? [] : [{ id, leads: leaders.has(id) }]));
}

/**
 * Walks on from `position`, where the group of `leader` continues and that of `before` used to. A group depends only on
 * its leader: as soon as both are the same again, everything after is unchanged.
 */
function leadChangesFrom(
  order: Order,
  metric: RankingMetric,
  position: number,
  leader: Item | undefined,
  before: Item | undefined,
  isTie: TieTest,
): LeadChange[] {
  const changes: LeadChange[] = [];
  let [present, past] = [leader, before];
  for (let at = position; present?.id !== past?.id; at += 1) {
    const item = order[at];
    if (item === undefined) break;
    if (item.leads[metric] === true) past = item;
    const leads = present === undefined || !isTiedWithLeader(metric, present, item, isTie);
    if (leads) present = item;
    if (leads !== (item.leads[metric] ?? false)) changes.push({ id: item.id, leads });
  }
  return changes;
}

/** Returns the leader of the group that continues before `position`; undefined at the top. */
const findLeaderOfGroupAbove = (order: Order, metric: RankingMetric, position: number): Place | undefined =>
  position === 0 ? undefined : order[findPositionOfGroupLeader(order, metric, position - 1)];

const isTiedWithLeader = (metric: RankingMetric, leader: Item, item: Item, isTie: TieTest): boolean =>
  sortKeyOrInfinity(leader, metric) === sortKeyOrInfinity(item, metric) ||
  (sortKeyOrInfinity(item, metric) !== Infinity && isTie(leader.id, item.id));

/** Compares instead of subtracting, because the difference of two infinities is not a number. */
const compareBySortKeyThenId = (metric: RankingMetric, a: Item, b: Item): number => {
  const one = sortKeyOrInfinity(a, metric);
  const other = sortKeyOrInfinity(b, metric);
  if (one !== other) return one < other ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
};
