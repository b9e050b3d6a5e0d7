import type { Ordered } from './ranking.ts';

/** All entries by one metric, ascending by key, equal keys by id, in groups that their leaders begin. */
export type Order = readonly Ordered[];

/**
 * Whether two entries cannot be told from each other. Symmetric; never asked about entries with equal keys, which always tie, nor
 * about entries without a score, which are the last group.
 */
export type CannotTell = (leader: string, other: string) => boolean;

type Item = Pick<Ordered, 'id' | 'key'>;

/** An order after a change, and which entries lead a group from now on or no more. */
export interface Reordered {
  readonly order: Order;
  readonly leads: readonly Pick<Ordered, 'id' | 'leads'>[];
}

/** Where an item stands in an order, or would stand: the number of entries before it. */
export function positionOf(order: Order, item: Item): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = order[middle];
    if (at !== undefined && isBefore(at, item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the entry that leads the group of the entry at `position`. */
export function leaderAt(order: Order, position: number): number {
  let at = position;
  while (at > 0 && order[at]?.leads !== true) at -= 1;
  return at;
}

/** The order with an entry put in, or moved where it is in already; the entry itself is always among `leads`. */
export function withEntry(order: Order, { id, key }: Item, cannotTell: CannotTell): Reordered {
  const without = withoutEntry(order, id, cannotTell);
  const position = positionOf(without.order, { id, key });
  const leader = position === 0 ? undefined : without.order[leaderAt(without.order, position - 1)];
  const leads = leader === undefined || !ties(leader, { id, key }, cannotTell);
  const item = { id, key, leads };
  const next = without.order.toSpliced(position, 0, item);
  const inserted = led(next, position + 1, leads ? item : leader, leader, cannotTell);
  const changes = [...without.leads, { id, leads }, ...inserted.leads];
  return { order: inserted.order, leads: [...new Map(changes.map((each) => [each.id, each])).values()] };
}

/** The order with an entry taken out; the same one where it was not in. */
export function withoutEntry(order: Order, id: string, cannotTell: CannotTell): Reordered {
  const position = order.findIndex((each) => each.id === id);
  const removed = order[position];
  if (removed === undefined) return { order, leads: [] };
  const next = order.toSpliced(position, 1);
  if (!removed.leads) return { order: next, leads: [] };
  const above = position === 0 ? undefined : order[leaderAt(order, position - 1)];
  return led(next, position, above, removed, cannotTell);
}

/** The order of items from scratch. */
export const orderOf = (items: readonly Item[], cannotTell: CannotTell): Order => {
  const sorted = items.toSorted((a, b) => (isBefore(a, b) ? -1 : 1)).map(({ id, key }) => ({ id, key, leads: false }));
  let leader: Item | undefined;
  return sorted.map((item) => {
    const leads = leader === undefined || !ties(leader, item, cannotTell);
    if (leads) leader = item;
    return { ...item, leads };
  });
};

/**
 * Walks on from `position`, where the group of `leader` goes on and that of `before` went on. A group depends on its leader alone:
 * where both are the same again, all that follows is as it was.
 */
function led(
  order: Order,
  position: number,
  leader: Item | undefined,
  before: Item | undefined,
  cannotTell: CannotTell,
): Reordered {
  const changed = [...order];
  const leads: Pick<Ordered, 'id' | 'leads'>[] = [];
  let [present, past] = [leader, before];
  for (let at = position; present?.id !== past?.id; at += 1) {
    const item = order[at];
    if (item === undefined) break;
    if (item.leads) past = item;
    const isLeader = present === undefined || !ties(present, item, cannotTell);
    if (isLeader) present = item;
    if (isLeader === item.leads) continue;
    changed[at] = { ...item, leads: isLeader };
    leads.push({ id: item.id, leads: isLeader });
  }
  return { order: changed, leads };
}

const ties = (leader: Item, item: Item, cannotTell: CannotTell): boolean =>
  leader.key === item.key || (item.key !== Infinity && cannotTell(leader.id, item.id));

const isBefore = (a: Item, b: Item): boolean => a.key < b.key || (a.key === b.key && a.id < b.id);
