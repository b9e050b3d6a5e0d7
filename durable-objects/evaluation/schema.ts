import type { Schema } from '#durable-objects/shared/migrate.ts';
import { eventsTableSql, singletonTableSql } from '#durable-objects/shared/tables.ts';

/** docs/storage.md describes the tables. */
export const evaluationRunSchema: Schema = {
  object: 'EvaluationRun',
  migrations: [
    `
      ${singletonTableSql('facts')}
      ${eventsTableSql('events')}
      CREATE TABLE IF NOT EXISTS tools (name TEXT PRIMARY KEY, server TEXT NOT NULL, json TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS units (id TEXT PRIMARY KEY, json TEXT NOT NULL, plan TEXT) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS cases (id TEXT PRIMARY KEY, unit TEXT NOT NULL, agent TEXT NOT NULL, waits TEXT NOT NULL,
        json TEXT NOT NULL) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS cases_unit ON cases (unit);
      CREATE INDEX IF NOT EXISTS cases_for_lanes ON cases (id) WHERE waits = 'lane';
      CREATE INDEX IF NOT EXISTS cases_claimed ON cases (id) WHERE waits = 'claimed';
      CREATE INDEX IF NOT EXISTS cases_for_clients ON cases (agent, id) WHERE waits = 'client';
      CREATE TABLE IF NOT EXISTS lanes (lane TEXT PRIMARY KEY, turn INTEGER NOT NULL, evaluated TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS claims (attempt TEXT PRIMARY KEY, evaluated TEXT NOT NULL, side TEXT NOT NULL,
        key TEXT, deadline TEXT NOT NULL, state TEXT NOT NULL) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS claims_case ON claims (evaluated, side);
      CREATE UNIQUE INDEX IF NOT EXISTS claims_key ON claims (key) WHERE key IS NOT NULL;
      CREATE TABLE IF NOT EXISTS traces (evaluated TEXT NOT NULL, side TEXT NOT NULL, json TEXT NOT NULL,
        PRIMARY KEY (evaluated, side)) WITHOUT ROWID;
    `,
    // The basis of results. An earlier run must process its finished cases once, from the first id on.
    `
      CREATE TABLE case_figures (agent TEXT NOT NULL, unit TEXT NOT NULL, trial INTEGER NOT NULL,
        numbers TEXT NOT NULL, broken TEXT, PRIMARY KEY (agent, unit, trial)) WITHOUT ROWID;
      CREATE TABLE agent_calls (agent TEXT NOT NULL, tool TEXT NOT NULL, calls INTEGER NOT NULL, failed INTEGER NOT NULL,
        PRIMARY KEY (agent, tool)) WITHOUT ROWID;
      CREATE TABLE agent_transitions (agent TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, unit TEXT NOT NULL,
        PRIMARY KEY (agent, source, target, unit)) WITHOUT ROWID;
      CREATE TABLE kept_answers (question TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE figures_due (after TEXT PRIMARY KEY) WITHOUT ROWID;
      INSERT INTO figures_due SELECT '' WHERE EXISTS (SELECT 1 FROM cases WHERE waits = 'nobody');
    `,
    // Clients ask every few seconds and drivers change, so neither may read all cases or claims.
    `
      DROP INDEX IF EXISTS cases_claimed;
      CREATE INDEX cases_claimed ON cases (agent, id) WHERE waits = 'claimed';
      CREATE INDEX cases_taken ON cases (id) WHERE waits = 'taken';
      CREATE INDEX claims_open ON claims (attempt) WHERE state = 'open';
    `,
    'ALTER TABLE claims ADD COLUMN taken TEXT;',
    // The layout of the packed case_figures; none for those of releases before layouts were recorded.
    'CREATE TABLE figures_layout (layout TEXT PRIMARY KEY) WITHOUT ROWID;',
    // Calls that the environment spoilt; the figures are rebuilt with them.
    'ALTER TABLE agent_calls ADD COLUMN spoilt INTEGER NOT NULL DEFAULT 0;',
    // Errors that their servers marked as successes; the figures are rebuilt with them.
    'ALTER TABLE agent_calls ADD COLUMN reported INTEGER NOT NULL DEFAULT 0;',
    // Private units of submissions wait for their leaderboard.
    "CREATE INDEX cases_held ON cases (unit) WHERE waits = 'leaderboard';",
    // What people say of attempts, and judges that were asked elsewhere.
    `
      CREATE TABLE labels (unit TEXT NOT NULL, agent TEXT NOT NULL, trial INTEGER NOT NULL, request TEXT NOT NULL,
        labeller TEXT NOT NULL, verdict TEXT NOT NULL, error TEXT, note TEXT NOT NULL, key TEXT NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (unit, agent, trial, request, labeller)) WITHOUT ROWID;
      CREATE TABLE votes (evaluated TEXT NOT NULL, request TEXT NOT NULL, judge TEXT NOT NULL, verdict INTEGER,
        why TEXT NOT NULL, PRIMARY KEY (evaluated, request, judge)) WITHOUT ROWID;
    `,
    // What agents search that have to find their tools: servers and tools, by the embedder that computed the vectors.
    `CREATE TABLE tool_vectors (embedder TEXT NOT NULL, name TEXT NOT NULL, vector BLOB NOT NULL,
        PRIMARY KEY (embedder, name)) WITHOUT ROWID;`,
    // Calls that may have changed a server's state.
    'CREATE TABLE writes (n INTEGER PRIMARY KEY, json TEXT NOT NULL);',
    // Units are taken in random order; those of earlier runs by id.
    `
      ALTER TABLE cases ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
      DROP INDEX IF EXISTS cases_for_lanes;
      CREATE INDEX cases_for_lanes ON cases (place, id) WHERE waits = 'lane';
      DROP INDEX IF EXISTS cases_for_clients;
      CREATE INDEX cases_for_clients ON cases (agent, place, id) WHERE waits = 'client';
    `,
    // Attempts of external agents that crashed, and what became of them.
    `
      CREATE TABLE crashes (attempt TEXT PRIMARY KEY, evaluated TEXT NOT NULL, side TEXT NOT NULL, agent TEXT NOT NULL,
        state TEXT NOT NULL, json TEXT) WITHOUT ROWID;
      CREATE INDEX crashes_of_request ON crashes (evaluated, side);
    `,
    // How long attempts are held without a sign of life; those of earlier releases to their deadline.
    'ALTER TABLE claims ADD COLUMN lease TEXT;',
    // Units that are drawn a few at a time, until their agents are told apart.
    `
      CREATE TABLE draws (unit TEXT PRIMARY KEY, spread REAL NOT NULL, batch INTEGER, place INTEGER, probability REAL,
        least REAL) WITHOUT ROWID;
      CREATE INDEX cases_undrawn ON cases (agent) WHERE waits = 'undrawn';
    `,
  ],
};
