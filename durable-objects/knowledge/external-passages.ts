import { z } from 'zod';
import { parseRows } from '#durable-objects/shared/rows.ts';

const idRow = z.object({ id: z.string() });
const countRow = z.object({ name: z.string(), passages: z.number() });

/**
 * The passages that we have written to a shared index, so that no others are removed from it. An id is recorded before
 * its passage is sent, because an unconfirmed passage may have been written too.
 */
export class ExternalPassages {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Records that these are about to be sent. */
  expect(namespace: string, ids: readonly string[]): void {
    for (const id of ids)
      this.#sql.exec('INSERT OR IGNORE INTO elsewhere (namespace, id, loaded) VALUES (?, ?, 0)', namespace, id);
  }

  /** Records that these were written; ids that were never expected are not ours. */
  confirm(namespace: string, ids: readonly string[]): void {
    for (const id of ids)
      this.#sql.exec('UPDATE elsewhere SET loaded = 1 WHERE namespace = ? AND id = ? AND loaded = 0', namespace, id);
  }

  /** Records that these have been removed. */
  forget(namespace: string, ids: readonly string[]): void {
    for (const id of ids) this.#sql.exec('DELETE FROM elsewhere WHERE namespace = ? AND id = ?', namespace, id);
  }

  recordNamespaceCleared(namespace: string): void {
    this.#sql.exec('DELETE FROM elsewhere WHERE namespace = ?', namespace);
  }

  /** Returns ids that may be written, at most `limit`, of one namespace; null if there are none. */
  listSomeIdsOfFirstNamespace(limit: number): { namespace: string; ids: string[] } | null {
    const [first] = parseRows(
      z.object({ namespace: z.string() }),
      this.#sql.exec('SELECT namespace FROM elsewhere ORDER BY namespace LIMIT 1'),
    );
    if (first === undefined) return null;
    const rows = this.#sql.exec('SELECT id FROM elsewhere WHERE namespace = ? LIMIT ?', first.namespace, limit);
    return { namespace: first.namespace, ids: parseRows(idRow, rows).map(({ id }) => id) };
  }

  countWrittenByNamespace(): { name: string; passages: number }[] {
    const rows = this.#sql.exec(
      'SELECT namespace AS name, COUNT(*) AS passages FROM elsewhere WHERE loaded = 1 GROUP BY namespace ORDER BY namespace',
    );
    return parseRows(countRow, rows);
  }
}
