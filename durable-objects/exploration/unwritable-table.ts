import { type UnwritableRecord, unwritableRecord } from '#core/exploration/record.ts';
import type { Unit } from '#core/units/unit.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';

const mostListed = 500;

/** The tools for which the writer of a run could not write a request. */
export class UnwritableTable {
  readonly #sql: SqlStorage;
  #rowsWritten = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Rows written since this object started. */
  get rowsWritten(): number {
    return this.#rowsWritten;
  }

  /** Counts the units of a round. Inside the transaction that commits the round. */
  recordUnwritableTools(units: readonly Unit[]): void {
    for (const { tool, missing } of units.flatMap(({ unwritable }) => unwritable)) {
      const written = this.#sql.exec(
        `INSERT INTO unwritable (tool, units, missing) VALUES (?, 1, ?)
         ON CONFLICT (tool) DO UPDATE SET units = units + 1, missing = excluded.missing`,
        tool,
        missing,
      );
      this.#rowsWritten += written.rowsWritten;
    }
  }

  /** Returns them, those that most units named first. */
  list(): UnwritableRecord[] {
    const rows = this.#sql.exec(
      'SELECT tool, units, missing FROM unwritable ORDER BY units DESC, tool LIMIT ?',
      mostListed,
    );
    return parseRows(unwritableRecord, rows);
  }
}
