import { z } from 'zod';
import { parseRows } from '#durable-objects/shared/rows.ts';

const nameRow = z.object({ object: z.string() });

/** Objects that an upload was written to and that became nothing: the next upload takes one of them, because an object, once made, stays. */
export class SpareObjectsTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns the name of one, which is no spare any more; null if there is none. */
  take(kind: string): string | null {
    const rows = this.#sql.exec(
      'DELETE FROM spare_objects WHERE kind = ?1 AND object = (SELECT MIN(object) FROM spare_objects WHERE kind = ?1) RETURNING object',
      kind,
    );
    return parseRows(nameRow, rows)[0]?.object ?? null;
  }

  keep(kind: string, object: string): void {
    this.#sql.exec('INSERT OR IGNORE INTO spare_objects (kind, object) VALUES (?, ?)', kind, object);
  }
}
