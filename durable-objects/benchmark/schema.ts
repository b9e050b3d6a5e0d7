import type { Schema } from '#durable-objects/shared/migrate.ts';
import { singletonTableSql } from '#durable-objects/shared/tables.ts';

/** docs/storage.md describes the tables. */
export const benchmarkSchema: Schema = {
  object: 'Benchmark',
  migrations: [
    `
      CREATE TABLE IF NOT EXISTS lines (n INTEGER PRIMARY KEY, kind TEXT NOT NULL, split TEXT NOT NULL, unit TEXT NOT NULL, text TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS units ON lines (unit) WHERE kind = 'unit';
      CREATE TABLE IF NOT EXISTS record (text TEXT NOT NULL);
    `,
    'CREATE TABLE staged (unit TEXT PRIMARY KEY, text TEXT NOT NULL);',
    'ALTER TABLE lines ADD COLUMN proven INTEGER NOT NULL DEFAULT 0;',
    singletonTableSql('facts'),
  ],
};
