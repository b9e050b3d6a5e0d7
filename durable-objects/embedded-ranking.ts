import { z } from 'zod';
import { byMetric, rankingMetric, type RankingMetric } from '#core/leaderboards/metrics.ts';
import { leaderAt, positionOf, type Order } from '#core/leaderboards/order.ts';
import type {
  Ordered,
  RankedPlace,
  RankedRow,
  RankingChange,
  RankingPage,
  WholeRanking,
} from '#core/leaderboards/ranking.ts';
import { Facts } from './facts.ts';
import { jsonOf, parseRows } from './rows.ts';

/** Entries that a leaderboard may have: a row holds up to 2 MB, and an order is one row. */
export const maxEntries = 20_000;

const standing = z.object({ seq: z.int(), front: z.array(z.string()) });
type Standing = z.infer<typeof standing>;

/** JSON has no infinity: null stands for the key of an entry without a score. */
const storedOrder = z.array(
  z
    .tuple([z.string(), z.number().nullable(), z.literal([0, 1])])
    .transform(([id, key, leads]): Ordered => ({ id, key: key ?? Infinity, leads: leads === 1 })),
);
const orderRow = z.object({ json: jsonOf(storedOrder) });
const entryRow = z.object({ id: z.string(), json: z.string() });

/**
 * The ranking of a leaderboard in its own object: an order a row, kept in memory once it was read. Reading a page reads the rows of
 * its entries and no others, however many entries there are.
 */
export class EmbeddedRanking {
  readonly #sql: SqlStorage;
  readonly #facts: Facts;
  readonly #orders = new Map<RankingMetric, Order>();
  #standing: Standing | null = null;
  #front: ReadonlySet<string> | null = null;
  #rowsRead = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#facts = new Facts(sql, 'ranking');
    sql.exec(`
      CREATE TABLE IF NOT EXISTS ranking_orders (metric TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS ranking_entries (id TEXT PRIMARY KEY, json TEXT NOT NULL);
    `);
  }

  /** Rows of orders and entries that were read since this object was made. */
  get rowsRead(): number {
    return this.#rowsRead;
  }

  /** The number of the last change; 0 before the first. */
  get seq(): number {
    return this.#now().seq;
  }

  /** The entries on the Pareto front, by cost. */
  get front(): readonly string[] {
    return this.#now().front;
  }

  /** How many entries there are. */
  get total(): number {
    return this.order('execution').length;
  }

  order(metric: RankingMetric): Order {
    const known = this.#orders.get(metric);
    if (known !== undefined) return known;
    const [row] = parseRows(orderRow, this.#read('SELECT json FROM ranking_orders WHERE metric = ?', metric));
    const order = row?.json ?? [];
    this.#orders.set(metric, order);
    return order;
  }

  /** Takes a change in, inside a transaction; one that it has already changes nothing. `gap` where changes before it are missing. */
  apply({ seq, put, remove, leads, front }: RankingChange): 'applied' | 'gap' {
    if (seq <= this.seq) return 'applied';
    if (seq > this.seq + 1) return 'gap';
    for (const metric of rankingMetric.options) {
      const led = new Map(leads.filter((each) => each.metric === metric).map((each) => [each.id, each.leads]));
      const rest = this.order(metric)
        .filter(({ id }) => id !== remove && id !== put?.id)
        .map((each) => ({ ...each, leads: led.get(each.id) ?? each.leads }));
      if (put !== null) {
        const item = { id: put.id, key: put.keys[metric], leads: led.get(put.id) ?? false };
        rest.splice(positionOf(rest, item), 0, item);
      }
      this.#writeOrder(metric, rest);
    }
    if (remove !== null) this.#sql.exec('DELETE FROM ranking_entries WHERE id = ?', remove);
    if (put !== null) this.#writeEntry(put);
    this.#writeStanding(seq, front);
    return 'applied';
  }

  page(metric: RankingMetric, from: number, limit: number): RankingPage {
    const order = this.order(metric);
    const wanted = order.slice(from, from + limit);
    const jsons = this.#entries(wanted.map(({ id }) => id));
    let rank = leaderAt(order, from) + 1;
    const rows = wanted.map(({ id, leads }, n): RankedRow => {
      const position = from + n + 1;
      if (leads) rank = position;
      return { position, rank, onFront: this.#isOnFront(id), json: mustHave(jsons, id) };
    });
    return { seq: this.seq, total: order.length, rows };
  }

  place(metric: RankingMetric, id: string): RankedPlace | null {
    const order = this.order(metric);
    const at = order.findIndex((each) => each.id === id);
    if (at < 0) return null;
    const leader = leaderAt(order, at);
    return {
      seq: this.seq,
      total: order.length,
      position: at + 1,
      rank: leader + 1,
      onFront: this.#isOnFront(id),
      leader: order[leader]?.id ?? id,
      above: leader === 0 ? null : (order[leaderAt(order, leader - 1)]?.id ?? null),
      json: mustHave(this.#entries([id]), id),
    };
  }

  /** The JSON of these entries, in their order. */
  jsons(ids: readonly string[]): string[] {
    const found = this.#entries(ids);
    return ids.map((id) => mustHave(found, id));
  }

  /** The JSON of entries by id, after `after`, at most `limit`. */
  listed(after: string, limit: number): { id: string; json: string }[] {
    return parseRows(
      entryRow,
      this.#read('SELECT id, json FROM ranking_entries WHERE id > ? ORDER BY id LIMIT ?', after, limit),
    );
  }

  /** Puts a whole ranking in the place of what is there, inside a transaction. */
  rebuild(
    { seq, orders, front }: Omit<WholeRanking, 'entries'>,
    entries: Iterable<{ readonly id: string; readonly json: string }>,
  ): void {
    this.#sql.exec('DELETE FROM ranking_entries');
    for (const entry of entries) this.#writeEntry(entry);
    for (const metric of rankingMetric.options) this.#writeOrder(metric, orders[metric]);
    this.#writeStanding(seq, front);
  }

  /** The whole of it, for a copy elsewhere. */
  whole(): WholeRanking {
    return {
      seq: this.seq,
      front: this.front,
      orders: byMetric((metric) => this.order(metric)),
      entries: (after, limit) => Promise.resolve(this.listed(after, limit)),
    };
  }

  /** Reads everything anew: after a transaction that failed. */
  forget(): void {
    this.#orders.clear();
    this.#standing = null;
    this.#front = null;
  }

  #now(): Standing {
    this.#standing ??= this.#facts.read('standing', standing) ?? { seq: 0, front: [] };
    return this.#standing;
  }

  #isOnFront(id: string): boolean {
    this.#front ??= new Set(this.front);
    return this.#front.has(id);
  }

  #writeStanding(seq: number, front: readonly string[]): void {
    this.#standing = { seq, front: [...front] };
    this.#front = null;
    this.#facts.write('standing', this.#standing);
  }

  #writeOrder(metric: RankingMetric, order: Order): void {
    const stored = order.map(({ id, key, leads }) => [id, key, leads ? 1 : 0]);
    this.#sql.exec(
      'INSERT OR REPLACE INTO ranking_orders (metric, json) VALUES (?, ?)',
      metric,
      JSON.stringify(stored),
    );
    this.#orders.set(metric, order);
  }

  #writeEntry({ id, json }: { readonly id: string; readonly json: string }): void {
    this.#sql.exec('INSERT OR REPLACE INTO ranking_entries (id, json) VALUES (?, ?)', id, json);
  }

  #entries(ids: readonly string[]): ReadonlyMap<string, string> {
    const rows = this.#read(
      'SELECT id, json FROM ranking_entries WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    );
    return new Map(parseRows(entryRow, rows).map(({ id, json }) => [id, json]));
  }

  #read(query: string, ...bindings: (string | number)[]): Record<string, SqlStorageValue>[] {
    const cursor = this.#sql.exec(query, ...bindings);
    const rows = cursor.toArray();
    this.#rowsRead += cursor.rowsRead;
    return rows;
  }
}

const mustHave = (jsons: ReadonlyMap<string, string>, id: string): string => {
  const json = jsons.get(id);
  if (json === undefined) throw new Error(`the ranking has no entry ${id}`);
  return json;
};
