import type { Schema } from '#durable-objects/shared/migrate.ts';
import { eventsTableSql, singletonTableSql } from '#durable-objects/shared/tables.ts';

/** docs/storage.md describes the tables. */
export const submissionSchema: Schema = {
  object: 'Submission',
  migrations: [
    `
      ${singletonTableSql('facts')}
      ${eventsTableSql('events')}
      CREATE TABLE IF NOT EXISTS lines (n INTEGER PRIMARY KEY, place TEXT NOT NULL, json TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS lines_place ON lines (place);
    `,
  ],
};
