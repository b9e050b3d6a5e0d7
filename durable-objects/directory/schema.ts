import type { Schema } from '#durable-objects/shared/migrate.ts';

/** docs/storage.md describes the tables. */
export const directorySchema: Schema = {
  object: 'Directory',
  migrations: [
    `
      CREATE TABLE IF NOT EXISTS keys (id TEXT PRIMARY KEY, hash TEXT UNIQUE NOT NULL, workspace TEXT NOT NULL,
        name TEXT NOT NULL, scopes TEXT NOT NULL, created_at TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, kind TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS benchmarks (id TEXT PRIMARY KEY, workspace TEXT NOT NULL, object TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS leaderboards (id TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
    `,
    // The workspace of a run; unknown for runs registered earlier, until their next driver starts.
    "ALTER TABLE runs ADD COLUMN workspace TEXT NOT NULL DEFAULT ''",
    'ALTER TABLE leaderboards ADD COLUMN workspace TEXT',
    'CREATE TABLE embedders (name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID',
    // Unknown for leaderboards that were listed earlier, until they report them.
    `
      ALTER TABLE leaderboards ADD COLUMN entries INTEGER;
      ALTER TABLE leaderboards ADD COLUMN submissions INTEGER;
    `,
    `
      CREATE TABLE watches (id TEXT PRIMARY KEY, due INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX watches_by_due ON watches (due);
    `,
  ],
};
