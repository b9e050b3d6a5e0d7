import type { Schema } from '#durable-objects/shared/migrate.ts';

/** docs/storage.md describes the tables. */
export const watchSchema: Schema = {
  object: 'Watch',
  migrations: [
    `
      CREATE TABLE facts (key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE calls (n INTEGER PRIMARY KEY, json TEXT NOT NULL);
      CREATE TABLE visits (n INTEGER PRIMARY KEY, json TEXT NOT NULL);
      CREATE TABLE incidents (n INTEGER PRIMARY KEY, json TEXT NOT NULL);
      CREATE TABLE messages (id TEXT PRIMARY KEY, json TEXT NOT NULL, attempts INTEGER NOT NULL, due INTEGER);
    `,
  ],
};
