import type { Schema } from '#durable-objects/shared/migrate.ts';
import { eventsTableSql, singletonTableSql } from '#durable-objects/shared/tables.ts';

/** Suffix of the names of an evolution's tables. */
export const evolutionTableSuffix = (number: number) => `_evolution_${number}` as const;

/**
 * The tables of an evolution, created when it starts. A migration that changes them must go through all `evolutions`.
 */
export const evolutionTablesSql = (number: number): string =>
  singletonTableSql(`facts${evolutionTableSuffix(number)}`) + eventsTableSql(`events${evolutionTableSuffix(number)}`);

/** docs/storage.md describes the tables. */
export const explorationRunSchema: Schema = {
  object: 'ExplorationRun',
  migrations: [
    `
      ${singletonTableSql('facts')}
      ${eventsTableSql('events')}
      CREATE TABLE IF NOT EXISTS catalog (position INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, server TEXT NOT NULL,
        domain TEXT NOT NULL, json TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS catalog_server ON catalog (server);
      CREATE TABLE IF NOT EXISTS tools (tool TEXT PRIMARY KEY, draws INTEGER NOT NULL, calls INTEGER NOT NULL,
        successes INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS transitions (from_tool TEXT NOT NULL, to_tool TEXT NOT NULL, executed INTEGER NOT NULL,
        expected INTEGER NOT NULL, value_passed INTEGER NOT NULL, PRIMARY KEY (from_tool, to_tool)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS probes (unit TEXT PRIMARY KEY, round INTEGER NOT NULL, transitions TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS reviews (unit TEXT PRIMARY KEY, probe INTEGER NOT NULL, settled INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS servers (server TEXT PRIMARY KEY, strikes INTEGER NOT NULL, out_until INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS trials (round INTEGER PRIMARY KEY, json TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS rounds (round INTEGER PRIMARY KEY, json TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS units (id TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS traces (unit TEXT NOT NULL, side TEXT NOT NULL, json TEXT NOT NULL,
        PRIMARY KEY (unit, side)) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS reviewed (unit TEXT PRIMARY KEY, driver INTEGER NOT NULL, counted TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS waits (unit TEXT PRIMARY KEY, since TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS evolutions (number INTEGER PRIMARY KEY, key TEXT UNIQUE, fingerprint TEXT);
      CREATE TABLE IF NOT EXISTS kept (unit TEXT PRIMARY KEY, chain TEXT NOT NULL, domains TEXT NOT NULL,
        uses INTEGER NOT NULL) WITHOUT ROWID;
    `,
    'CREATE TABLE withheld (unit TEXT PRIMARY KEY) WITHOUT ROWID;',
    `
      CREATE TABLE surveys (server TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE examples (tool TEXT NOT NULL, arguments TEXT NOT NULL, rank INTEGER NOT NULL, round INTEGER NOT NULL,
        unit TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (tool, arguments)) WITHOUT ROWID;
      CREATE TABLE unwritable (tool TEXT PRIMARY KEY, units INTEGER NOT NULL, missing TEXT NOT NULL) WITHOUT ROWID;
    `,
    // Calls that may have changed a server's state.
    'CREATE TABLE writes (n INTEGER PRIMARY KEY, json TEXT NOT NULL);',
  ],
};
