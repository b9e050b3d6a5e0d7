import type { Schema } from '#durable-objects/shared/migrate.ts';
import { eventsTableSql, singletonTableSql } from '#durable-objects/shared/tables.ts';

/** docs/storage.md describes the tables. */
export const knowledgeIndexSchema: Schema = {
  object: 'KnowledgeIndex',
  migrations: [
    `
      ${singletonTableSql('facts')}
      ${eventsTableSql('events')}
      CREATE TABLE IF NOT EXISTS elsewhere (namespace TEXT NOT NULL, id TEXT NOT NULL, loaded INTEGER NOT NULL,
        PRIMARY KEY (namespace, id)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS namespaces (name TEXT PRIMARY KEY, passages INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS passages (namespace TEXT NOT NULL, slot INTEGER NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL,
        source TEXT NOT NULL, licence TEXT, text TEXT NOT NULL, PRIMARY KEY (namespace, slot)) WITHOUT ROWID;
      CREATE UNIQUE INDEX IF NOT EXISTS passages_by_id ON passages (namespace, id);
      CREATE TABLE IF NOT EXISTS blocks (namespace TEXT NOT NULL, n INTEGER NOT NULL, vectors BLOB NOT NULL,
        PRIMARY KEY (namespace, n));
    `,
  ],
};
