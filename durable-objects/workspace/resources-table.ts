import { z } from 'zod';
import type { IndexedResource } from '#core/values/resources.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';

const resourceRow = z.object({ id: z.string(), object: z.string(), json: z.string() });

/** The runs and benchmarks of a workspace by kind, and where they are. */
export class ResourcesTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Idempotent. */
  add(kind: string, { id, object, json }: IndexedResource): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO resources (kind, id, object, json) VALUES (?, ?, ?, ?)',
      kind,
      id,
      object,
      json,
    );
  }

  /** Idempotent. */
  remove(kind: string, id: string): void {
    this.#sql.exec('DELETE FROM resources WHERE kind = ? AND id = ?', kind, id);
  }

  find(kind: string, id: string): IndexedResource | null {
    return this.#query('AND id = ?', kind, id)[0] ?? null;
  }

  /** The latest ones first, at most `limit`; their ids begin with their time. */
  listLatestOfKind(kind: string, before: string, limit: number): IndexedResource[] {
    return before === ''
      ? this.#query('ORDER BY id DESC LIMIT ?', kind, limit)
      : this.#query('AND id < ? ORDER BY id DESC LIMIT ?', kind, before, limit);
  }

  /** By id, after `after`, at most `limit`. */
  listOfKind(kind: string, after: string, limit: number): IndexedResource[] {
    return this.#query('AND id > ? ORDER BY id LIMIT ?', kind, after, limit);
  }

  #query(rest: string, kind: string, ...bindings: (string | number)[]): IndexedResource[] {
    const query = `SELECT id, object, json FROM resources WHERE kind = ? ${rest}`;
    return parseRows(resourceRow, this.#sql.exec(query, kind, ...bindings));
  }
}
