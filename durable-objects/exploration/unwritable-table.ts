import { type UnwritableRecord, unwritableRecord } from '#core/exploration/record.ts';
import type { Unit } from '#core/units/unit.ts';
import { CountedSql } from '#durable-objects/shared/counted-sql.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';

const mostListed = 500;

/** The tools for which the writer of a run could not write a request. */
export class UnwritableTable {
  readonly #sql: CountedSql;

  constructor(sql: SqlStorage) {
    this.#sql = new CountedSql(sql);
  }

  /** Rows written since this object started. */
  get rowsWritten(): number {
    return this.#sql.rowsWritten;
  }

  /** Counts the units of a round. Inside the transaction that commits the round. */
  recordUnwritableTools(units: readonly Unit[]): void {
    for (const { tool, missing } of units.flatMap(({ unwritable }) => unwritable)) {
      this.#sql.write(
        `INSERT INTO unwritable (tool, units, missing) VALUES (?, 1, ?)
         ON CONFLICT (tool) DO UPDATE SET units = units + 1, missing = excluded.missing`,
        tool,
        missing,
      );
    }
  }

  /** Returns them, those that most units named first. */
  listUnwritableTools(): UnwritableRecord[] {
    const rows = this.#sql.readUncounted(
      'SELECT tool, units, missing FROM unwritable ORDER BY units DESC, tool LIMIT ?',
      mostListed,
    );
    return parseRows(unwritableRecord, rows);
  }
}
