import { z } from 'zod';
import { writingCall, type NumberedWrite, type WritingCall } from '#core/traces/writes.ts';
import { CountedSql } from './counted-sql.ts';
import { jsonColumnSchema, parseRows } from './rows.ts';

const writeRow = z.object({ n: z.int(), json: jsonColumnSchema(writingCall) });
const countRow = z.object({ n: z.int() });

/** The calls of a run that may have changed a server's state, in the order in which their attempts ended. */
export class WritesTable {
  readonly #sql: CountedSql;

  constructor(sql: SqlStorage) {
    this.#sql = new CountedSql(sql);
  }

  /** Rows written since this object started, which the platform bills. */
  get rowsWritten(): number {
    return this.#sql.rowsWritten;
  }

  add(calls: readonly WritingCall[]): void {
    for (const call of calls) this.#sql.write('INSERT INTO writes (json) VALUES (?)', JSON.stringify(call));
  }

  countWritingCalls(): number {
    return parseRows(countRow, this.#sql.readUncounted('SELECT COUNT(*) AS n FROM writes'))[0]?.n ?? 0;
  }

  /** Counts those of units whose ids begin so. */
  countByIdPrefix(prefix: string): number {
    const rows = this.#sql.readUncounted(
      "SELECT COUNT(*) AS n FROM writes WHERE json_extract(json, '$.of') GLOB ?",
      `${prefix}*`,
    );
    return parseRows(countRow, rows)[0]?.n ?? 0;
  }

  /** After a number, at most `limit`. */
  list(after: number, limit: number): NumberedWrite[] {
    const rows = this.#sql.readUncounted('SELECT n, json FROM writes WHERE n > ? ORDER BY n LIMIT ?', after, limit);
    return parseRows(writeRow, rows).map(({ n, json }) => ({ n, ...json }));
  }
}
