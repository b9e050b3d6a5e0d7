import type { Schema } from '#durable-objects/shared/migrate.ts';
import { singletonTableSql } from '#durable-objects/shared/tables.ts';

/** docs/storage.md describes the tables. */
export const attemptSchema: Schema = {
  object: 'Attempt',
  migrations: [
    `
      ${singletonTableSql('facts')}
      CREATE TABLE IF NOT EXISTS steps (n INTEGER PRIMARY KEY, json TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS recorded (n INTEGER PRIMARY KEY, json TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS sessions (server TEXT PRIMARY KEY, session TEXT NOT NULL, version TEXT NOT NULL) WITHOUT ROWID;
    `,
    'CREATE TABLE IF NOT EXISTS model_requests (n INTEGER PRIMARY KEY, json TEXT NOT NULL)',
  ],
};
