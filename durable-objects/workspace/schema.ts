import type { Schema } from '#durable-objects/shared/migrate.ts';

/** docs/storage.md describes the tables. */
export const workspaceSchema: Schema = {
  object: 'Workspace',
  migrations: [
    `
      CREATE TABLE IF NOT EXISTS servers (id TEXT PRIMARY KEY, name TEXT UNIQUE NOT NULL, domain TEXT NOT NULL, url TEXT NOT NULL,
        headers TEXT, header_names TEXT NOT NULL, tools INTEGER NOT NULL, created_at TEXT NOT NULL, listed_at TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS server_tools (server TEXT NOT NULL, position INTEGER NOT NULL, json TEXT NOT NULL,
        PRIMARY KEY (server, position)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS catalogs (id TEXT PRIMARY KEY, json TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS catalog_tools (catalog TEXT NOT NULL, position INTEGER NOT NULL, json TEXT NOT NULL,
        PRIMARY KEY (catalog, position)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS resources (kind TEXT NOT NULL, id TEXT NOT NULL, object TEXT NOT NULL, json TEXT NOT NULL,
        PRIMARY KEY (kind, id)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS reservations (key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, resource TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS submissions_taken (id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
    `,
  ],
};
