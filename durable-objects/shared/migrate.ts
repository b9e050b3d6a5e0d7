import { z } from 'zod';
import { parseRows } from './rows.ts';

/** One numbered change of an object's tables: statements, or a function if rows must be rewritten. */
export type Migration = string | ((sql: SqlStorage) => void);

/**
 * The tables of a kind of object: the first migration has number 1. A released migration is never changed or removed,
 * because storage that it was applied to will not see it again; new ones are appended.
 */
export interface Schema {
  readonly object: string;
  readonly migrations: readonly Migration[];
}

const versionRow = z.object({ version: z.int() });

/**
 * Applies the migrations that an object's storage lacks, all in one transaction, and stores the number of the last one.
 * Storage from before versions has version 0. Throws, without changes, if the storage is newer than this code knows.
 */
export function migrate(storage: DurableObjectStorage, { object, migrations }: Schema): void {
  const { sql } = storage;
  const newest = migrations.length;
  sql.exec(
    'CREATE TABLE IF NOT EXISTS schema_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)',
  );
  const stored = parseRows(versionRow, sql.exec('SELECT version FROM schema_version'))[0]?.version ?? 0;
  if (stored > newest)
    throw new Error(
      `the storage of this ${object} has schema version ${stored}, and this release knows versions up to ${newest}: deploy the release that wrote it, or a newer one`,
    );
  if (stored === newest) return;
  storage.transactionSync(() => {
    for (const migration of migrations.slice(stored)) {
      if (typeof migration === 'string') sql.exec(migration);
      else migration(sql);
    }
    sql.exec('INSERT OR REPLACE INTO schema_version (id, version) VALUES (1, ?)', newest);
  });
}
