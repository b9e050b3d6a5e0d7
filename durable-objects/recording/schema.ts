import type { Schema } from '#durable-objects/shared/migrate.ts';
import { singletonTableSql } from '#durable-objects/shared/tables.ts';

/** docs/storage.md describes the tables. */
export const recordingSchema: Schema = {
  object: 'Recording',
  migrations: [
    `
      ${singletonTableSql('facts')}
      CREATE TABLE IF NOT EXISTS calls (n INTEGER PRIMARY KEY, unit TEXT NOT NULL, attempt TEXT NOT NULL, call TEXT NOT NULL,
        json TEXT NOT NULL);
      CREATE UNIQUE INDEX IF NOT EXISTS calls_of_unit ON calls (unit, call, attempt);
    `,
  ],
};
