import { z } from 'zod';
import { CountedSql } from './counted-sql.ts';
import { parseRows } from './rows.ts';

const jsonRow = z.object({ json: z.string() });

/** The few single records of an object, by name, in their own table. */
export class SingletonTable {
  readonly #sql: CountedSql;
  readonly #table: string;

  constructor(sql: SqlStorage, table = 'facts') {
    this.#sql = new CountedSql(sql);
    this.#table = table;
  }

  /** Rows written since this object started, which the platform bills. */
  get rowsWritten(): number {
    return this.#sql.rowsWritten;
  }

  /** Null if it was never written. */
  read<T>(key: string, schema: z.ZodType<T>): T | null {
    const [row] = parseRows(jsonRow, this.#sql.readUncounted(`SELECT json FROM ${this.#table} WHERE key = ?`, key));
    return row === undefined ? null : schema.parse(JSON.parse(row.json));
  }

  write(key: string, value: unknown): void {
    const json = JSON.stringify(value);
    this.#sql.write(`INSERT OR REPLACE INTO ${this.#table} (key, json) VALUES (?, ?)`, key, json);
  }
}
