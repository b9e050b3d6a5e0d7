import { z } from 'zod';
import { backoffMs } from '#core/values/backoff.ts';
import { rankingMetric } from '#core/leaderboards/metrics.ts';
import type { RankingChange, RankingFault, RankingStore } from '#core/leaderboards/ranking.ts';
import { submissionTier } from '#core/leaderboards/submissions/state.ts';
import type { EmbeddedRanking } from './embedded-ranking.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import { Mutex } from '#durable-objects/shared/mutex.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const backoff = { firstMs: 1_000, longestMs: 5 * 60_000 };

/** JSON has no infinity: null stands for the key of an entry without a score. */
const key = z
  .number()
  .nullable()
  .transform((number) => number ?? Infinity);
const placed = z.object({ id: z.string(), keys: z.partialRecord(rankingMetric, key), behind: z.boolean() });
const storedChange = z.object({
  seq: z.int(),
  tier: submissionTier,
  put: placed.extend({ json: z.string() }).nullable(),
  remove: z.string().nullable(),
  behind: z.array(placed),
  leads: z.array(z.object({ metric: rankingMetric, id: z.string(), leads: z.boolean() })),
  front: z.array(z.string()),
});
/** Stands for a change that moves so many entries that the database gets the whole ranking. */
const wholeChange = z.object({ seq: z.int(), whole: z.literal(true) });
const changeRow = z.object({ json: jsonColumnSchema(z.union([storedChange, wholeChange])) });
/** Above this, a change exceeds what a row and a request carry. */
const mostMoved = 500;
/** Consecutive delivery failures. */
const failures = z.int();

/**
 * Changes of a ranking that wait to be delivered to the database: in order, repeatedly until they arrive. A database
 * that misses some gets the whole ranking.
 */
export class RankingOutbox {
  readonly #storage: DurableObjectStorage;
  readonly #singletons: SingletonTable;
  readonly #ranking: EmbeddedRanking;
  readonly #store: RankingStore;
  readonly #flushing = new Mutex();
  #checking: Promise<void> | null = null;

  constructor(storage: DurableObjectStorage, ranking: EmbeddedRanking, store: RankingStore) {
    this.#storage = storage;
    this.#singletons = new SingletonTable(storage.sql, 'outbox_state');
    this.#ranking = ranking;
    this.#store = store;
  }

  /** Stores a change, inside the transaction that makes it. */
  add(change: RankingChange): void {
    const { seq, behind, leads } = change;
    const isSmall = behind.length <= mostMoved && leads.length <= 10 * mostMoved;
    const stored = isSmall ? change : ({ seq, whole: true } satisfies z.infer<typeof wholeChange>);
    this.#storage.sql.exec('INSERT INTO outbox (seq, json) VALUES (?, ?)', seq, JSON.stringify(stored));
  }

  /** Delivers pending changes; does nothing after a failure, because the alarm will retry. */
  async deliverUnlessFailing(): Promise<void> {
    await this.#flushing.run(async () => {
      if (this.#readFailureCount() > 0 || this.#nextChange() === null) return;
      // In case this object is stopped during the delivery.
      await this.#storage.setAlarm(Date.now() + backoff.longestMs);
      await this.#recordResultAndScheduleRetry(await this.#deliverAllPending());
    });
  }

  /** Flushes now regardless of backoff and verifies the store. Concurrent callers share one flush. */
  deliverAndRebuildIfDifferent(): Promise<void> {
    this.#checking ??= this.#flushing
      .run(async () =>
        this.#recordResultAndScheduleRetry(
          (await this.#deliverAllPending()) ?? (await this.#rebuildDatabaseIfDifferent()),
        ),
      )
      .finally(() => {
        this.#checking = null;
      });
    return this.#checking;
  }

  /** Delivers pending changes in order; returns the error that stopped it, or null once none is pending. */
  async #deliverAllPending(): Promise<RankingFault | null> {
    for (let change = this.#nextChange(); change !== null; change = this.#nextChange()) {
      const came = 'whole' in change ? ({ ok: true, value: 'gap' } as const) : await this.#store.apply(change);
      if (!came.ok) return came.fault;
      if (came.value === 'applied') this.#removeUpTo(change.seq);
      else {
        const fault = await this.#rebuildDatabase();
        if (fault !== null) return fault;
      }
    }
    return null;
  }

  async #rebuildDatabaseIfDifferent(): Promise<RankingFault | null> {
    const { seq } = this.#ranking;
    const there = await this.#store.seq();
    if (!there.ok) return there.fault;
    return there.value === seq ? null : this.#rebuildDatabase();
  }

  /** Entries may change during the rebuild; those changes wait and are delivered after it. */
  async #rebuildDatabase(): Promise<RankingFault | null> {
    const whole = this.#ranking.makeCopyOfWholeRanking();
    const rebuilt = await this.#store.rebuild(whole);
    if (!rebuilt.ok) return rebuilt.fault;
    this.#removeUpTo(whole.seq);
    return null;
  }

  async #recordResultAndScheduleRetry(fault: RankingFault | null): Promise<void> {
    const before = this.#readFailureCount();
    if (fault === null) {
      if (before > 0) this.#singletons.write('failures', 0);
      return this.#storage.deleteAlarm();
    }
    this.#singletons.write('failures', before + 1);
    console.error(JSON.stringify({ rankingNotFlushed: `${fault.code}: ${fault.detail}` }));
    await this.#storage.setAlarm(Date.now() + backoffMs(backoff, before + 1));
  }

  #readFailureCount(): number {
    return this.#singletons.read('failures', failures) ?? 0;
  }

  #nextChange(): RankingChange | z.infer<typeof wholeChange> | null {
    const rows = this.#storage.sql.exec('SELECT json FROM outbox ORDER BY seq LIMIT 1');
    return parseRows(changeRow, rows)[0]?.json ?? null;
  }

  #removeUpTo(upTo: number): void {
    this.#storage.sql.exec('DELETE FROM outbox WHERE seq <= ?', upTo);
  }
}
