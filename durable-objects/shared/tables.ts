// Tables that several kinds of objects have, as the first migration creates them.

/** The table of `SingletonTable`. */
export const singletonTableSql = (name: string): string =>
  `CREATE TABLE IF NOT EXISTS ${name} (key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;`;

/** The table of an `EventLog`. */
export const eventsTableSql = (name: string): string =>
  `CREATE TABLE IF NOT EXISTS ${name} (id INTEGER PRIMARY KEY, at TEXT NOT NULL, json TEXT NOT NULL);`;
