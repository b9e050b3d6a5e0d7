import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { scope, type Caller, type KeyRecord, type Scope } from '#core/access/access.ts';
import {
  listedLeaderboard,
  newlyListedLeaderboard,
  type LeaderboardCounts,
  type ListedLeaderboard,
  type NewlyListedLeaderboard,
} from '#core/leaderboards/record.ts';
import { embedderCalibration, type EmbedderCalibration } from '#core/similarity/calibrate-embedder.ts';
import { wakeKind, type WakeKind } from '#core/exploration/runs.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';
import type { OpenRuns } from '#durable-objects/shared/objects.ts';
import type { Answers } from '#durable-objects/shared/rpc.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { directorySchema } from './schema.ts';

const scopesJson = jsonColumnSchema(z.array(scope));
const keyRow = z.object({
  id: z.string(),
  workspace: z.string(),
  name: z.string(),
  scopes: scopesJson,
  created_at: z.string(),
});
const runRow = z.object({ id: z.string(), kind: wakeKind });
const leaderboardRow = z.object({
  json: jsonColumnSchema(newlyListedLeaderboard),
  ...listedLeaderboard.pick({ entries: true, submissions: true }).shape,
});
const calibrationRow = z.object({ json: jsonColumnSchema(embedderCalibration) });
const idRow = z.object({ id: z.string() });
const benchmarkRow = z.object({ workspace: z.string(), object: z.string() });

/** Time after a wake-up in which further ones ignore the run. */
const restMs = 60_000;

/**
 * Knows the workspace of each key, the object of each benchmark, the runs that have not ended, the leaderboards, and the
 * calibrations of embedders. One for the deployment.
 */
export class Directory extends DurableObject implements Answers<OpenRuns> {
  readonly #sql: SqlStorage;
  readonly #wokenAt = new Map<string, number>();

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    migrate(state.storage, directorySchema);
  }

  /** Returns the caller whose key has this SHA-256, or null. */
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

  /** Returns false if the workspace has no such key. */
  removeKey(workspace: string, id: string): boolean {
    return this.#sql.exec('DELETE FROM keys WHERE workspace = ? AND id = ?', workspace, id).rowsWritten > 0;
  }

  addRun(id: string, kind: WakeKind, workspace: string): void {
    this.#sql.exec(
      `INSERT INTO runs (id, kind, workspace) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET workspace = excluded.workspace WHERE workspace <> excluded.workspace`,
      id,
      kind,
      workspace,
    );
  }

  removeRun(id: string): void {
    this.#sql.exec('DELETE FROM runs WHERE id = ?', id);
    this.#wokenAt.delete(id);
  }

  /**
   * Returns runs of a workspace (null: of all) that have not ended, except those that were returned for waking within
   * the last minute. That memory is lost with the process, and so are the drivers that waking replaces.
   */
  takeRunsToWake(workspace: string | null, now: number): { id: string; kind: WakeKind }[] {
    const rows = this.#sql.exec('SELECT id, kind FROM runs WHERE ?1 IS NULL OR workspace = ?1 ORDER BY id', workspace);
    const runs = parseRows(runRow, rows).filter(({ id }) => now - (this.#wokenAt.get(id) ?? -Infinity) >= restMs);
    for (const { id } of runs) this.#wokenAt.set(id, now);
    return runs;
  }

  /** Returns runs that have not ended and do not wait for a person, by id, after `after`, at most `limit`. */
  listRunsNeedingDriver(after: string, limit: number): { id: string; kind: WakeKind }[] {
    const rows = this.#sql.exec('SELECT id, kind FROM runs WHERE id > ? ORDER BY id LIMIT ?', after, limit);
    return parseRows(runRow, rows);
  }

  addBenchmark(id: string, workspace: string, object: string): void {
    this.#sql.exec('INSERT OR IGNORE INTO benchmarks (id, workspace, object) VALUES (?, ?, ?)', id, workspace, object);
  }

  /** Returns the object of a benchmark that anyone imported or froze first. */
  findBenchmark(id: string): { workspace: string; object: string } | null {
    return (
      parseRows(benchmarkRow, this.#sql.exec('SELECT workspace, object FROM benchmarks WHERE id = ?', id))[0] ?? null
    );
  }

  /** Returns the calibration of an embedder, by its model and endpoint; null before its first use. */
  findEmbedderCalibration(embedder: string): EmbedderCalibration | null {
    const rows = this.#sql.exec('SELECT json FROM embedders WHERE name = ?', embedder);
    return parseRows(calibrationRow, rows)[0]?.json ?? null;
  }

  /**
   * Keeps the first calibration of an embedder that separates the labelled pairs, and returns the one that is kept. One that does not was
   * kept by an earlier release.
   */
  keepFirstEmbedderCalibration(embedder: string, calibration: EmbedderCalibration): EmbedderCalibration {
    this.#sql.exec(
      `INSERT INTO embedders (name, json) VALUES (?, ?)
         ON CONFLICT (name) DO UPDATE SET json = excluded.json WHERE NOT json_extract(embedders.json, '$.separates')`,
      embedder,
      JSON.stringify(calibration),
    );
    return this.findEmbedderCalibration(embedder) ?? calibration;
  }

  /** Lists a leaderboard, to which nobody can have submitted yet. Idempotent. */
  addLeaderboard(leaderboard: NewlyListedLeaderboard, workspace: string): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO leaderboards (id, json, workspace, entries, submissions) VALUES (?, ?, ?, 0, 0)',
      leaderboard.id,
      JSON.stringify(leaderboard),
      workspace,
    );
  }

  /** Keeps how much a leaderboard has; returns whether it is listed. */
  setLeaderboardCounts(id: string, { entries, submissions }: LeaderboardCounts): boolean {
    this.#sql.exec('UPDATE leaderboards SET entries = ?, submissions = ? WHERE id = ?', entries, submissions, id);
    return this.hasLeaderboard(id);
  }

  /**
   * Returns the ids of a workspace's leaderboards, and of those that were listed before their workspace was recorded.
   */
  listWorkspaceLeaderboardIds(workspace: string): string[] {
    const rows = this.#sql.exec('SELECT id FROM leaderboards WHERE workspace = ? OR workspace IS NULL', workspace);
    return parseRows(idRow, rows).map(({ id }) => id);
  }

  /** Keeps when a watch has to do something next, in milliseconds since 1970; null if never. */
  setWatchDue(id: string, due: number | null): void {
    if (due === null) this.#sql.exec('DELETE FROM watches WHERE id = ?', id);
    else this.#sql.exec('INSERT OR REPLACE INTO watches (id, due) VALUES (?, ?)', id, due);
  }

  /** Returns watches that have to do something, the longest due first, at most `limit`. */
  listDueWatches(now: number, limit: number): string[] {
    const rows = this.#sql.exec('SELECT id FROM watches WHERE due <= ? ORDER BY due LIMIT ?', now, limit);
    return parseRows(idRow, rows).map(({ id }) => id);
  }

  hasLeaderboard(id: string): boolean {
    return this.#sql.exec('SELECT 1 FROM leaderboards WHERE id = ?', id).toArray().length > 0;
  }

  /** By id, after `after`, at most `limit`. */
  listLeaderboards(after: string, limit: number): ListedLeaderboard[] {
    const rows = this.#sql.exec(
      'SELECT json, entries, submissions FROM leaderboards WHERE id > ? ORDER BY id LIMIT ?',
      after,
      limit,
    );
    return parseRows(leaderboardRow, rows).map(({ json, ...counts }) => ({ ...json, ...counts }));
  }
}
