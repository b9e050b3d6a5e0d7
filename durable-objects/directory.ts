import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { scope, type Caller, type KeyRecord, type Scope } from '#core/access.ts';
import { listedLeaderboard, type ListedLeaderboard } from '#core/leaderboards/record.ts';
import { wakeKind, type WakeKind } from '#core/runs.ts';
import { jsonOf, parseRows } from './rows.ts';

const scopesJson = jsonOf(z.array(scope));
const keyRow = z.object({
  id: z.string(),
  workspace: z.string(),
  name: z.string(),
  scopes: scopesJson,
  created_at: z.string(),
});
const runRow = z.object({ id: z.string(), kind: wakeKind });
const leaderboardRow = z.object({
  json: jsonOf(listedLeaderboard),
});
const benchmarkRow = z.object({ workspace: z.string(), object: z.string() });

/** Which key belongs to which workspace, where a benchmark lives, which runs have not ended, and which leaderboards there are. One for the deployment. */
export class Directory extends DurableObject {
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS keys (id TEXT PRIMARY KEY, hash TEXT UNIQUE NOT NULL, workspace TEXT NOT NULL,
        name TEXT NOT NULL, scopes TEXT NOT NULL, created_at TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, kind TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS benchmarks (id TEXT PRIMARY KEY, workspace TEXT NOT NULL, object TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS leaderboards (id TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
    `);
  }

  /** The caller whose key has this SHA-256, or null. */
  authenticate(hash: string): Caller | null {
    const [row] = parseRows(
      keyRow,
      this.#sql.exec('SELECT id, workspace, name, scopes, created_at FROM keys WHERE hash = ?', hash),
    );
    return row === undefined ? null : { workspace: row.workspace, key: row.id, scopes: row.scopes };
  }

  addKey(key: {
    id: string;
    hash: string;
    workspace: string;
    name: string;
    scopes: readonly Scope[];
    createdAt: string;
  }): KeyRecord {
    this.#sql.exec(
      'INSERT OR IGNORE INTO keys (id, hash, workspace, name, scopes, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      key.id,
      key.hash,
      key.workspace,
      key.name,
      JSON.stringify(key.scopes),
      key.createdAt,
    );
    return { id: key.id, name: key.name, scopes: [...key.scopes], createdAt: key.createdAt };
  }

  /** The workspace's keys after `after` (an id), at most `limit`, by id. */
  listKeys(workspace: string, after: string, limit: number): KeyRecord[] {
    const rows = parseRows(
      keyRow,
      this.#sql.exec(
        'SELECT id, workspace, name, scopes, created_at FROM keys WHERE workspace = ? AND id > ? ORDER BY id LIMIT ?',
        workspace,
        after,
        limit,
      ),
    );
    return rows.map((row) => ({ id: row.id, name: row.name, scopes: row.scopes, createdAt: row.created_at }));
  }

  /** False where the workspace has no such key. */
  removeKey(workspace: string, id: string): boolean {
    return this.#sql.exec('DELETE FROM keys WHERE workspace = ? AND id = ?', workspace, id).rowsWritten > 0;
  }

  runStarted(id: string, kind: WakeKind): void {
    this.#sql.exec('INSERT OR IGNORE INTO runs (id, kind) VALUES (?, ?)', id, kind);
  }

  runEnded(id: string): void {
    this.#sql.exec('DELETE FROM runs WHERE id = ?', id);
  }

  /** Runs that have not ended. */
  openRuns(): { id: string; kind: WakeKind }[] {
    return parseRows(runRow, this.#sql.exec('SELECT id, kind FROM runs ORDER BY id'));
  }

  benchmarkAdded(id: string, workspace: string, object: string): void {
    this.#sql.exec('INSERT OR IGNORE INTO benchmarks (id, workspace, object) VALUES (?, ?, ?)', id, workspace, object);
  }

  /** Where a benchmark that anyone imported or froze first can be read. */
  findBenchmark(id: string): { workspace: string; object: string } | null {
    return (
      parseRows(benchmarkRow, this.#sql.exec('SELECT workspace, object FROM benchmarks WHERE id = ?', id))[0] ?? null
    );
  }

  /** Lists a leaderboard; once is enough, twice changes nothing. */
  leaderboardAdded(leaderboard: ListedLeaderboard): void {
    const json = JSON.stringify(leaderboard);
    this.#sql.exec('INSERT OR IGNORE INTO leaderboards (id, json) VALUES (?, ?)', leaderboard.id, json);
  }

  hasLeaderboard(id: string): boolean {
    return this.#sql.exec('SELECT 1 FROM leaderboards WHERE id = ?', id).toArray().length > 0;
  }

  /** By id, after `after`, at most `limit`. */
  listLeaderboards(after: string, limit: number): ListedLeaderboard[] {
    const rows = this.#sql.exec('SELECT json FROM leaderboards WHERE id > ? ORDER BY id LIMIT ?', after, limit);
    return parseRows(leaderboardRow, rows).map(({ json }) => json);
  }
}
