import { z } from 'zod';
import type { EventBody } from '#core/reports/events.ts';
import { CountedSql } from './counted-sql.ts';
import type { LoggedEvent } from './logged-events.ts';
import { parseRows } from './rows.ts';

const eventRow = z.object({ id: z.number(), at: z.string(), json: z.string() });
/** `type` is the first field of every event. */
const typeIn = /^\{"type":"([^"]+)"/;

/** The events of a run, in their own table: appended, never changed or removed, so their ids have no gaps. */
export class EventLog {
  readonly #sql: CountedSql;
  readonly #table: string;

  constructor(sql: SqlStorage, table = 'events') {
    this.#sql = new CountedSql(sql);
    this.#table = table;
  }

  /** Rows written since this object started, indexes included, which the platform bills. */
  get rowsWritten(): number {
    return this.#sql.rowsWritten;
  }

  append(events: readonly EventBody[], at: string): void {
    for (const event of events) {
      this.#sql.write(`INSERT INTO ${this.#table} (at, json) VALUES (?, ?)`, at, JSON.stringify(event));
    }
  }

  /** Returns events after an id, at most `limit`, each as the JSON text of a RunEvent. */
  read(after: number, limit: number): LoggedEvent[] {
    const rows = this.#sql.readUncounted(
      `SELECT id, at, json FROM ${this.#table} WHERE id > ? ORDER BY id LIMIT ?`,
      after,
      limit,
    );
    // Their bodies were written from parsed events, so listeners get the stored text without parsing it again.
    return parseRows(eventRow, rows).map(({ id, at, json }) => ({
      id,
      type: typeIn.exec(json)?.[1] ?? '',
      json: `{"id":${id},"at":"${at}","event":${json}}`,
    }));
  }

  /** Returns the id of the last event; 0 before the first. */
  findLastId(): number {
    const rows = this.#sql.readUncounted(`SELECT id, at, json FROM ${this.#table} ORDER BY id DESC LIMIT 1`);
    return parseRows(eventRow, rows)[0]?.id ?? 0;
  }

  /** When the run last emitted an event; null before the first. */
  findLastEventTime(): string | null {
    const rows = this.#sql.readUncounted(`SELECT id, at, json FROM ${this.#table} ORDER BY id DESC LIMIT 1`);
    return parseRows(eventRow, rows)[0]?.at ?? null;
  }
}
