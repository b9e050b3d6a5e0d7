import { z } from 'zod';
import { useMargin } from '#core/leaderboards/behind.ts';
import { withBehindByTier, type PresentRanking } from '#core/leaderboards/ranking-change.ts';
import { IdChunks } from '#core/leaderboards/id-chunks.ts';
import { buildByMetric, rankingMetric, type RankingMetric, type RankingOrders } from '#core/leaderboards/metrics.ts';
import {
  findPositionOfGroupLeader,
  findPositionOrInsertionPoint,
  sortKeyOrInfinity,
  type Order,
} from '#core/leaderboards/order.ts';
import { Places } from '#core/leaderboards/places.ts';
import type {
  Fronts,
  Place,
  RankedPlace,
  RankedRow,
  RankingChange,
  RankingPage,
  WholeRanking,
} from '#core/leaderboards/ranking.ts';
import { buildByTier, submissionTier, type SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import { CountedSql } from '#durable-objects/shared/counted-sql.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const noFronts: Fronts = buildByTier(() => []);

/**
 * `metrics` are those for which keys are stored, in order, `margin` is the one by which groups of ties were formed. Earlier versions had one
 * front for all tiers, and no `fronts`; and they ordered all entries by use, without a margin.
 */
const standing = z.object({
  seq: z.int(),
  fronts: z.record(submissionTier, z.array(z.string())).nullable().default(null),
  metrics: z.array(z.string()).default([]),
  margin: z.number().nullable().default(null),
});
type Standing = z.infer<typeof standing>;

/** The entries of a chunk, with their tiers and the metrics by which they lead, and their concatenated keys. */
const chunkRow = z.object({
  json: jsonColumnSchema(z.array(z.tuple([z.string(), submissionTier, z.array(rankingMetric)]))),
  keys: z.instanceof(ArrayBuffer),
});

/** Returns the places of a stored chunk, each with its keys in the order of the metrics; throws if keys are missing. */
function parsePlacesOfChunk(
  { json, keys }: z.infer<typeof chunkRow>,
  metrics: readonly RankingMetric[],
): Omit<Place, 'behind'>[] {
  const numbers = new Float64Array(keys);
  if (numbers.length !== json.length * metrics.length) throw new Error('stored keys are not those of the metrics');
  const numberOf = new Map(metrics.map((metric, n) => [metric, n]));
  const keyOf = (place: number, metric: RankingMetric): number =>
    numbers[place * metrics.length + (numberOf.get(metric) ?? 0)] ?? Infinity;
  return json.map(([id, tier, leads], place) => ({
    id,
    tier,
    keys: buildByMetric(metrics, (metric) => keyOf(place, metric)),
    leads: buildByMetric(metrics, (metric) => leads.includes(metric)),
  }));
}
const entryRow = z.object({ id: z.string(), json: z.string() });

/** The cached ranking, and where it is stored. */
interface Held {
  readonly places: Places;
  readonly chunks: IdChunks;
}

/**
 * The ranking of a leaderboard in its own object. Rows are stored in chunks, and a change writes only its chunks. They
 * are cached after the first read, so reading a page reads only the rows of its own entries, for any number of entries.
 */
export class EmbeddedRanking implements PresentRanking {
  readonly #sql: CountedSql;
  readonly #singletons: SingletonTable;
  readonly #readOrders: () => RankingOrders;
  #held: Held | null = null;
  #standing: Standing | null = null;
  #front: ReadonlySet<string> | null = null;
  #rowsRead = 0;

  constructor(sql: SqlStorage, orders: () => RankingOrders) {
    this.#readOrders = orders;
    this.#sql = new CountedSql(sql);
    this.#singletons = new SingletonTable(sql, 'ranking');
  }

  /** What entries of the leaderboard are ordered by. */
  get orders(): RankingOrders {
    return this.#readOrders();
  }

  /** Rows of the ranking and of entries read since this object started. */
  get rowsRead(): number {
    return this.#rowsRead;
  }

  /** Rows written since this object started, which the platform bills. */
  get rowsWritten(): number {
    return this.#sql.rowsWritten + this.#singletons.rowsWritten;
  }

  /** Whether no readable ranking is stored: there is no entry yet, or an earlier version stored it differently. */
  get lacksReadableRanking(): boolean {
    const { fronts, metrics: stored, margin } = this.#readSeqAndFronts();
    return fronts === null || margin !== useMargin || stored.join() !== this.orders.metrics.join();
  }

  /** The number of the last change; 0 before the first. */
  get seq(): number {
    return this.#readSeqAndFronts().seq;
  }

  /** Returns the entries on the Pareto front of a tier, by cost. */
  listIdsOfParetoFront(tier: SubmissionTier): readonly string[] {
    return this.#storedFronts[tier];
  }

  /** The number of entries of all tiers. */
  get total(): number {
    return this.#getOrReadPlaces().places.total;
  }

  /** The number of entries of each tier. */
  get totals(): Record<SubmissionTier, number> {
    return buildByTier((tier) => this.getOrderOfTier(tier, this.orders.headline).length);
  }

  getOrderOfTier(tier: SubmissionTier, metric: RankingMetric): Order {
    return this.#getOrReadPlaces().places.getLiveOrderOfTier(tier, metric);
  }

  getPlaceOrThrow(id: string): Place {
    return this.#getOrReadPlaces().places.getPlaceOrThrow(id);
  }

  /**
   * Applies a change, inside a transaction. Ignores a change that was applied before; `gap` if earlier ones are
   * missing.
   */
  applyChangeOrReturnGap(change: RankingChange): 'applied' | 'gap' {
    const { seq, tier, put, remove, leads, front } = change;
    if (seq <= this.seq) return 'applied';
    if (seq > this.seq + 1) return 'gap';
    const { places, chunks } = this.#getOrReadPlaces();
    places.applyChange(change);
    const touched = new Set<number>();
    if (remove !== null) {
      touched.add(chunks.removeIdAndReturnChunk(remove));
      this.#sql.write('DELETE FROM ranking_entries WHERE id = ?', remove);
    }
    if (put !== null) {
      touched.add(chunks.addIdAndReturnChunk(put.id));
      this.#writeEntry(put);
    }
    for (const { id } of leads) touched.add(chunks.findChunkOfIdOrThrow(id));
    for (const chunk of touched) this.#writeChunk(chunk);
    this.#writeSeqAndFronts(seq, { ...this.#storedFronts, [tier]: front });
    return 'applied';
  }

  readPage(tier: SubmissionTier, metric: RankingMetric, from: number, limit: number): RankingPage {
    const order = this.getOrderOfTier(tier, metric);
    const wanted = order.slice(from, from + limit);
    const jsons = this.#readEntryJsonsById(wanted.map(({ id }) => id));
    let rank = findPositionOfGroupLeader(order, metric, from) + 1;
    const rows = wanted.map((place, n): RankedRow => {
      const { id, leads } = place;
      const position = from + n + 1;
      if (leads[metric] === true) rank = position;
      const ranked = sortKeyOrInfinity(place, metric) !== Infinity;
      return { position, rank, ranked, onFront: this.#isOnParetoFront(id), json: getEntryJsonOrThrow(jsons, id) };
    });
    return { seq: this.seq, total: order.length, rows };
  }

  findRankedPlace(metric: RankingMetric, id: string): RankedPlace | null {
    const own = this.#getOrReadPlaces().places.getPlaceOrNull(id);
    if (own === null) return null;
    const order = this.getOrderOfTier(own.tier, metric);
    const { position, rank, ranked, onFront } = this.getPositionRankAndFront(metric, id);
    return {
      seq: this.seq,
      total: order.length,
      position,
      rank,
      ranked,
      onFront,
      leader: order[rank - 1]?.id ?? id,
      above: rank === 1 ? null : (order[findPositionOfGroupLeader(order, metric, rank - 2)]?.id ?? null),
      json: getEntryJsonOrThrow(this.#readEntryJsonsById([id]), id),
    };
  }

  /** Returns the position and rank of an existing entry in its tier. */
  getPositionRankAndFront(
    metric: RankingMetric,
    id: string,
  ): Pick<RankedPlace, 'position' | 'rank' | 'ranked' | 'onFront'> {
    const own = this.getPlaceOrThrow(id);
    const order = this.getOrderOfTier(own.tier, metric);
    const at = findPositionOrInsertionPoint(order, metric, own);
    return {
      position: at + 1,
      rank: findPositionOfGroupLeader(order, metric, at) + 1,
      ranked: sortKeyOrInfinity(own, metric) !== Infinity,
      onFront: this.#isOnParetoFront(id),
    };
  }

  /** Returns the JSON of these entries, in order. */
  readEntryJsons(ids: readonly string[]): string[] {
    const found = this.#readEntryJsonsById(ids);
    return ids.map((id) => getEntryJsonOrThrow(found, id));
  }

  /** The JSON of entries by id, after `after`, at most `limit`. */
  listEntryJsonsInIdOrder(after: string, limit: number): { id: string; json: string }[] {
    return parseRows(
      entryRow,
      this.#queryCountingRows('SELECT id, json FROM ranking_entries WHERE id > ? ORDER BY id LIMIT ?', after, limit),
    );
  }

  /** Replaces the whole ranking, inside a transaction. */
  replaceRanking(
    { seq, places, fronts }: Omit<WholeRanking, 'entries'>,
    entries: Iterable<{ readonly id: string; readonly json: string }>,
  ): void {
    this.#sql.write('DELETE FROM ranking_entries');
    for (const entry of entries) this.#writeEntry(entry);
    this.#sql.write('DELETE FROM ranking_places');
    const chunks = new IdChunks();
    for (const { id } of places) chunks.addIdAndReturnChunk(id);
    this.#held = { places: new Places(places), chunks };
    for (let chunk = 0; chunk < chunks.chunkCount; chunk += 1) this.#writeChunk(chunk);
    this.#writeSeqAndFronts(seq, fronts);
  }

  /**
   * Returns the whole ranking: seq, fronts and places as they are now; `entries` reads the stored JSON when it is
   * called, so later changes show in it.
   */
  makeCopyOfWholeRanking(): WholeRanking {
    return {
      seq: this.seq,
      fronts: this.#storedFronts,
      places: this.#getOrReadPlaces().places.copyAll(),
      entries: (after, limit) => Promise.resolve(this.listEntryJsonsInIdOrder(after, limit)),
    };
  }

  /** Reads everything again after a failed transaction. */
  dropCache(): void {
    this.#held = null;
    this.#standing = null;
    this.#front = null;
  }

  #getOrReadPlaces(): Held {
    this.#held ??= this.#readStoredPlaces();
    return this.#held;
  }

  #readStoredPlaces(): Held {
    const rows = parseRows(chunkRow, this.#queryCountingRows('SELECT json, keys FROM ranking_places ORDER BY chunk'));
    const stored = rows.map((row) => parsePlacesOfChunk(row, this.orders.metrics));
    return {
      places: new Places(withBehindByTier(this.orders, stored.flat())),
      chunks: new IdChunks(stored.map((chunk) => chunk.map(({ id }) => id))),
    };
  }

  #readSeqAndFronts(): Standing {
    this.#standing ??= this.#singletons.read('standing', standing) ?? {
      seq: 0,
      fronts: null,
      metrics: [],
      margin: null,
    };
    return this.#standing;
  }

  get #storedFronts(): Fronts {
    return this.#readSeqAndFronts().fronts ?? noFronts;
  }

  #isOnParetoFront(id: string): boolean {
    this.#front ??= new Set(Object.values(this.#storedFronts).flat());
    return this.#front.has(id);
  }

  #writeSeqAndFronts(seq: number, fronts: Fronts): void {
    this.#standing = {
      seq,
      fronts: buildByTier((tier) => [...fronts[tier]]),
      metrics: [...this.orders.metrics],
      margin: useMargin,
    };
    this.#front = null;
    this.#singletons.write('standing', this.#standing);
  }

  #writeChunk(chunk: number): void {
    const { places, chunks } = this.#getOrReadPlaces();
    const { metrics } = this.orders;
    const stored = Array.from(chunks.listIdsOfChunk(chunk), (id) => places.getPlaceOrThrow(id));
    this.#sql.write(
      'INSERT OR REPLACE INTO ranking_places (chunk, json, keys) VALUES (?, ?, ?)',
      chunk,
      JSON.stringify(
        stored.map(({ id, tier, leads }) => [id, tier, metrics.filter((metric) => leads[metric] === true)]),
      ),
      Float64Array.from(stored.flatMap((place) => metrics.map((metric) => place.keys[metric] ?? Infinity))).buffer,
    );
  }

  #writeEntry({ id, json }: { readonly id: string; readonly json: string }): void {
    this.#sql.write('INSERT OR REPLACE INTO ranking_entries (id, json) VALUES (?, ?)', id, json);
  }

  #readEntryJsonsById(ids: readonly string[]): ReadonlyMap<string, string> {
    const rows = this.#queryCountingRows(
      'SELECT id, json FROM ranking_entries WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    );
    return new Map(parseRows(entryRow, rows).map(({ id, json }) => [id, json]));
  }

  #queryCountingRows(query: string, ...bindings: (string | number)[]): Record<string, SqlStorageValue>[] {
    const cursor = this.#sql.readUncounted(query, ...bindings);
    const rows = cursor.toArray();
    this.#rowsRead += cursor.rowsRead;
    return rows;
  }
}

const getEntryJsonOrThrow = (jsons: ReadonlyMap<string, string>, id: string): string => {
  const json = jsons.get(id);
  if (json === undefined) throw new Error(`the ranking has no entry ${id}`);
  return json;
};
