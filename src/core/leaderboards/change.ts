import { paretoFront } from './front.ts';
import { byMetric, rankingMetric, type RankingMetric } from './metrics.ts';
import { orderOf, withEntry, withoutEntry, type CannotTell, type Order } from './order.ts';
import type { RankingChange, WholeRanking } from './ranking.ts';

/** A ranking as far as a change of it has to know it. */
export interface PresentRanking {
  readonly seq: number;
  order(metric: RankingMetric): Order;
}

/** By which entries tie, for each metric. */
export type Ties = (metric: RankingMetric) => CannotTell;

/** What an entry that comes in, or is changed, changes in a ranking. */
export function entering(present: PresentRanking, put: NonNullable<RankingChange['put']>, ties: Ties): RankingChange {
  const orders = byMetric((metric) =>
    withEntry(present.order(metric), { id: put.id, key: put.keys[metric] }, ties(metric)),
  );
  return { seq: present.seq + 1, put, remove: null, ...outcome(orders) };
}

/** What an entry that goes changes in a ranking. */
export function leaving(present: PresentRanking, remove: string, ties: Ties): RankingChange {
  const orders = byMetric((metric) => withoutEntry(present.order(metric), remove, ties(metric)));
  return { seq: present.seq + 1, put: null, remove, ...outcome(orders) };
}

/** All orders and the front from scratch. */
export function ranked(
  entries: readonly { readonly id: string; readonly keys: Readonly<Record<RankingMetric, number>> }[],
  ties: Ties,
): Pick<WholeRanking, 'orders' | 'front'> {
  const orders = byMetric((metric) =>
    orderOf(
      entries.map(({ id, keys }) => ({ id, key: keys[metric] })),
      ties(metric),
    ),
  );
  return { orders, front: frontOf(orders) };
}

function outcome(
  reordered: Readonly<Record<RankingMetric, ReturnType<typeof withEntry>>>,
): Pick<RankingChange, 'leads' | 'front'> {
  return {
    leads: rankingMetric.options.flatMap((metric) => reordered[metric].leads.map((each) => ({ metric, ...each }))),
    front: frontOf(byMetric((metric) => reordered[metric].order)),
  };
}

function frontOf(orders: Readonly<Record<RankingMetric, Order>>): string[] {
  const executions = new Map(orders.execution.map(({ id, key }) => [id, key]));
  return paretoFront(orders.cost.map(({ id, key }) => ({ id, cost: key, execution: executions.get(id) ?? Infinity })));
}
