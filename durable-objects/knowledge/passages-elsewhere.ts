import { z } from 'zod';
import { parseRows } from '#durable-objects/shared/rows.ts';

const idRow = z.object({ id: z.string() });
const countRow = z.object({ name: z.string(), passages: z.number() });

/**
 * Which passages we have put into an index that is not ours alone, so that no others are taken out of it. An id is written down
 * before its passage is sent: what was sent and never confirmed may be there too.
 */
export class PassagesElsewhere {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** These are about to be sent. */
  expect(namespace: string, ids: readonly string[]): void {
    for (const id of ids)
      this.#sql.exec('INSERT OR IGNORE INTO elsewhere (namespace, id, loaded) VALUES (?, ?, 0)', namespace, id);
  }

  /** These are in; those that were never expected are not ours. */
  confirm(namespace: string, ids: readonly string[]): void {
    for (const id of ids)
      this.#sql.exec('UPDATE elsewhere SET loaded = 1 WHERE namespace = ? AND id = ? AND loaded = 0', namespace, id);
  }

  /** These have been taken out. */
  forget(namespace: string, ids: readonly string[]): void {
    for (const id of ids) this.#sql.exec('DELETE FROM elsewhere WHERE namespace = ? AND id = ?', namespace, id);
  }

  clear(namespace: string): void {
    this.#sql.exec('DELETE FROM elsewhere WHERE namespace = ?', namespace);
  }

  /** Ids that may be in, at most `limit`, of one namespace; null where there are none. */
  some(limit: number): { namespace: string; ids: string[] } | null {
    const [first] = parseRows(
      z.object({ namespace: z.string() }),
      this.#sql.exec('SELECT namespace FROM elsewhere ORDER BY namespace LIMIT 1'),
    );
    if (first === undefined) return null;
    const rows = this.#sql.exec('SELECT id FROM elsewhere WHERE namespace = ? LIMIT ?', first.namespace, limit);
    return { namespace: first.namespace, ids: parseRows(idRow, rows).map(({ id }) => id) };
  }

  counts(): { name: string; passages: number }[] {
    const rows = this.#sql.exec(
      'SELECT namespace AS name, COUNT(*) AS passages FROM elsewhere WHERE loaded = 1 GROUP BY namespace ORDER BY namespace',
    );
    return parseRows(countRow, rows);
  }
}
