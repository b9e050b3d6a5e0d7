import type { Schema } from '#durable-objects/shared/migrate.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';
import { singletonTableSql } from '#durable-objects/shared/tables.ts';
import { ownedName, storeNameLookalikes } from './owned-names.ts';

/** docs/storage.md describes the tables. */
export const leaderboardSchema: Schema = {
  object: 'Leaderboard',
  migrations: [
    `
      ${singletonTableSql('facts')}
      ${singletonTableSql('ranking')}
      ${singletonTableSql('outbox_state')}
      CREATE TABLE IF NOT EXISTS entries (id TEXT PRIMARY KEY, workspace TEXT NOT NULL, name_key TEXT NOT NULL,
        state TEXT NOT NULL, since TEXT NOT NULL, reason TEXT NOT NULL, taken_off INTEGER NOT NULL DEFAULT 0,
        json TEXT NOT NULL, record TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS entries_published ON entries (id) WHERE state = 'published';
      CREATE INDEX IF NOT EXISTS entries_name ON entries (name_key, workspace, id);
      CREATE TABLE IF NOT EXISTS unit_values (entry TEXT NOT NULL, metric TEXT NOT NULL, numbers BLOB NOT NULL,
        PRIMARY KEY (entry, metric));
      CREATE TABLE IF NOT EXISTS log (n INTEGER PRIMARY KEY, json TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS names (key TEXT PRIMARY KEY, workspace TEXT NOT NULL, name TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS sketches (hash TEXT NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (hash, entry)) WITHOUT ROWID;
      DROP INDEX IF EXISTS sketches_entry;
      CREATE TABLE IF NOT EXISTS submissions (id TEXT PRIMARY KEY, workspace TEXT NOT NULL, state TEXT NOT NULL,
        json TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS submissions_state ON submissions (state, id);
      CREATE INDEX IF NOT EXISTS submissions_ours ON submissions (state, id) WHERE json_extract(json, '$.tier') <> 'gateway';
      CREATE TABLE IF NOT EXISTS ranking_places (chunk INTEGER PRIMARY KEY, json TEXT NOT NULL, keys BLOB NOT NULL);
      CREATE TABLE IF NOT EXISTS ranking_entries (id TEXT PRIMARY KEY, json TEXT NOT NULL);
      DROP TABLE IF EXISTS ranking_orders;
      CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY, json TEXT NOT NULL);
    `,
    (sql) => {
      sql.exec(`CREATE TABLE IF NOT EXISTS name_skeletons
        (skeleton TEXT PRIMARY KEY, workspace TEXT NOT NULL, name TEXT NOT NULL) WITHOUT ROWID`);
      for (const owned of parseRows(ownedName, sql.exec('SELECT workspace, name FROM names')))
        storeNameLookalikes(sql, owned);
    },
    // Changes of a ranking without tiers. The whole ranking is rebuilt, and replaces the one in the database.
    'DELETE FROM outbox;',
    // Until then every submission through the gateway was given the private units, if the benchmark has any.
    `
      CREATE TABLE IF NOT EXISTS private_units (workspace TEXT PRIMARY KEY, submission TEXT NOT NULL) WITHOUT ROWID;
      INSERT OR IGNORE INTO private_units SELECT workspace, MIN(id) FROM submissions
        WHERE json_extract(json, '$.tier') = 'gateway' GROUP BY workspace;
    `,
    // Changes that do not say who is behind the best of a tier. The whole ranking is rebuilt, and replaces the one in the database.
    'DELETE FROM outbox;',
  ],
};
