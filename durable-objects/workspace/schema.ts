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
    `
      ALTER TABLE servers ADD COLUMN surveyed INTEGER NOT NULL DEFAULT 1;
      CREATE TABLE surveys (server TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
    `,
    // Who gave the tools their categories, and how many have each. Nobody knows who gave those of earlier releases.
    `
      ALTER TABLE servers ADD COLUMN category_sources TEXT NOT NULL DEFAULT '{}';
      ALTER TABLE servers ADD COLUMN categories TEXT NOT NULL DEFAULT '{}';
      UPDATE servers SET categories = (SELECT json_group_object(category, n) FROM
        (SELECT json_extract(json, '$.category') AS category, COUNT(*) AS n FROM server_tools WHERE server = servers.id GROUP BY 1));
      UPDATE catalogs SET json = json_set(json, '$.categories', json((SELECT json_group_object(category, n) FROM
        (SELECT json_extract(json, '$.category') AS category, COUNT(*) AS n FROM catalog_tools WHERE catalog = catalogs.id GROUP BY 1))));
    `,
    `CREATE TABLE server_errors (server TEXT NOT NULL, run TEXT NOT NULL, marked INTEGER NOT NULL, reported INTEGER NOT NULL,
        PRIMARY KEY (server, run)) WITHOUT ROWID;`,
    'CREATE TABLE private_units (unit TEXT PRIMARY KEY, submission TEXT NOT NULL) WITHOUT ROWID;',
    `CREATE TABLE earlier_server_errors (server TEXT PRIMARY KEY, last_run TEXT NOT NULL, marked INTEGER NOT NULL,
        reported INTEGER NOT NULL) WITHOUT ROWID;`,
    // Servers that are only described have no address; what servers say about themselves.
    `
      CREATE TABLE listed_servers (id TEXT PRIMARY KEY, name TEXT UNIQUE NOT NULL, domain TEXT NOT NULL, url TEXT, headers TEXT,
        header_names TEXT NOT NULL, tools INTEGER NOT NULL, created_at TEXT NOT NULL, listed_at TEXT NOT NULL,
        surveyed INTEGER NOT NULL, category_sources TEXT NOT NULL, categories TEXT NOT NULL, info TEXT, instructions TEXT,
        description TEXT);
      INSERT INTO listed_servers (id, name, domain, url, headers, header_names, tools, created_at, listed_at, surveyed,
        category_sources, categories) SELECT id, name, domain, url, headers, header_names, tools, created_at, listed_at, surveyed,
        category_sources, categories FROM servers;
      DROP TABLE servers;
      ALTER TABLE listed_servers RENAME TO servers;
    `,
    // What calls may do. Servers of earlier releases had no limit.
    `
      ALTER TABLE servers ADD COLUMN allows TEXT NOT NULL DEFAULT 'destroys';
      ALTER TABLE servers ADD COLUMN owners_effects TEXT NOT NULL DEFAULT '{}';
      ALTER TABLE servers ADD COLUMN effects TEXT NOT NULL DEFAULT '{}';
    `,
    "ALTER TABLE servers ADD COLUMN left_out TEXT NOT NULL DEFAULT '[]';",
    'ALTER TABLE servers ADD COLUMN protocol_version TEXT;',
    "ALTER TABLE servers ADD COLUMN long_descriptions TEXT NOT NULL DEFAULT '[]';",
    // What is kept out of results, and the names of servers of which nothing but figures is public.
    `
      ALTER TABLE servers ADD COLUMN redact TEXT NOT NULL DEFAULT '{"fields":[],"patterns":[]}';
      CREATE TABLE private_servers (name TEXT PRIMARY KEY) WITHOUT ROWID;
    `,
    // How many requests servers take. Those of earlier releases had no limits.
    "ALTER TABLE servers ADD COLUMN limits TEXT NOT NULL DEFAULT '{}';",
    // How attempts are kept apart on a server, and which attempt uses one that they share.
    `
      ALTER TABLE servers ADD COLUMN isolation TEXT NOT NULL DEFAULT '{"kind":"none"}';
      CREATE TABLE turns (url TEXT PRIMARY KEY, attempt TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
    `,
    // How requests to a server are authorized by OAuth.
    'ALTER TABLE servers ADD COLUMN auth TEXT;',
    'CREATE TABLE share_revocations (run TEXT PRIMARY KEY, revocations INTEGER NOT NULL) WITHOUT ROWID;',
    // How servers that are used one at a time are shared with strangers.
    `
      ALTER TABLE turns ADD COLUMN by_stranger INTEGER NOT NULL DEFAULT 0;
      CREATE TABLE turn_shares (url TEXT PRIMARY KEY, stranger_from INTEGER, stranger_to INTEGER,
        owners_turns INTEGER NOT NULL DEFAULT 0, owner_seen INTEGER, owner_refused INTEGER) WITHOUT ROWID;
    `,
    'CREATE TABLE spare_objects (kind TEXT NOT NULL, object TEXT NOT NULL, PRIMARY KEY (kind, object)) WITHOUT ROWID;',
    'CREATE TABLE judge_measures (model TEXT NOT NULL, base_url TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (model, base_url)) WITHOUT ROWID;',
  ],
};
