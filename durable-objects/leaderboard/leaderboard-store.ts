import { z } from 'zod';
import {
  boardSubmission,
  entry,
  logLine,
  signedRecord,
  type BoardSubmission,
  type Entry,
  type LogLine,
  type SignedRecord,
} from '#core/leaderboards/record.ts';
import { entryState, type EntryStanding, type EntryState } from '#core/leaderboards/entry-state.ts';
import { unitMetric, type UnitRankingMetric } from '#core/leaderboards/metrics.ts';
import { toFloat32ArrayWithNaNForNull, type UnitValues } from '#core/leaderboards/paired-interval.ts';
import type { SharedEntry } from '#core/leaderboards/copy-finding.ts';
import { normalizeName } from '#core/leaderboards/submissions/record.ts';
import type { SubmissionState } from '#core/leaderboards/submissions/state.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';
import { claimNameOrFindOwner, type OwnedName } from './owned-names.ts';

const isOurs = "json_extract(json, '$.tier') <> 'gateway'";
const isScored = `state IN ('validating', 'scoring') AND ${isOurs}`;

/** Entries that are read at once when all are needed. */
const entriesAtOnce = 100;

const standingRow = z.object({
  state: entryState,
  since: z.string(),
  reason: z.string(),
});
const entryRow = z.object({ json: jsonColumnSchema(entry) });
const textRow = z.object({ json: z.string() });
const recordRow = z.object({ record: jsonColumnSchema(signedRecord) });
const ownerRow = z.object({ workspace: z.string(), json: jsonColumnSchema(entry) });
const valuesRow = z.object({ numbers: z.instanceof(ArrayBuffer) });
const lineRow = z.object({ json: jsonColumnSchema(logLine) });

const idRow = z.object({ id: z.string() });
const truth = z.int().transform((found) => found === 1);
const sharedRow = z.object({ id: z.string(), shared: z.int(), own: truth, takenOff: truth });
const countRow = z.object({ n: z.number() });
const scoringRow = z.object({ all: z.number(), own: z.number() });
const submissionRow = z.object({ json: jsonColumnSchema(boardSubmission) });

/**
 * The tables of one leaderboard and the statements on them, except its ranking; docs/storage.md describes the tables.
 */
export class LeaderboardStore {
  readonly #sql: SqlStorage;
  /** Submissions in any state, once somebody asked for their number. */
  #submissions: number | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  addEntry(of: Entry, workspace: string, key: string, record: SignedRecord): void {
    this.#sql.exec(
      `INSERT INTO entries (id, workspace, name_key, state, since, reason, json, record)
       VALUES (?, ?, ?, 'published', ?, '', ?, ?)`,
      of.id,
      workspace,
      key,
      of.publishedAt,
      JSON.stringify(of),
      JSON.stringify(record),
    );
  }

  setEntryStanding(id: string, state: EntryState, since: string, reason: string): void {
    this.#sql.exec('UPDATE entries SET state = ?, since = ?, reason = ? WHERE id = ?', state, since, reason, id);
    // The note that a moderator hid an entry outlasts its withdrawal.
    if (state !== 'withdrawn')
      this.#sql.exec('UPDATE entries SET taken_off = ? WHERE id = ?', state === 'hidden' ? 1 : 0, id);
  }

  /** Null if there never was such an entry. */
  findEntryStanding(id: string): EntryStanding | null {
    const rows = this.#sql.exec('SELECT state, since, reason FROM entries WHERE id = ?', id);
    return parseRows(standingRow, rows)[0] ?? null;
  }

  getEntryOrThrow(id: string): Entry {
    const [row] = parseRows(entryRow, this.#sql.exec('SELECT json FROM entries WHERE id = ?', id));
    if (row === undefined) throw new Error(`there is no entry ${id}`);
    return row.json;
  }

  getSignedRecordOrThrow(id: string): SignedRecord {
    const [row] = parseRows(recordRow, this.#sql.exec('SELECT record FROM entries WHERE id = ?', id));
    if (row === undefined) throw new Error(`there is no entry ${id}`);
    return row.record;
  }

  getEntryOwnerOrThrow(id: string): { workspace: string; name: string } {
    const [row] = parseRows(ownerRow, this.#sql.exec('SELECT workspace, json FROM entries WHERE id = ?', id));
    if (row === undefined) throw new Error(`there is no entry ${id}`);
    return { workspace: row.workspace, name: row.json.name };
  }

  /** Published entries by id, after `after`, at most `limit`. */
  listPublished(after: string, limit: number): Entry[] {
    const rows = this.#sql.exec(
      "SELECT json FROM entries WHERE state = 'published' AND id > ? ORDER BY id LIMIT ?",
      after,
      limit,
    );
    return parseRows(entryRow, rows).map(({ json }) => json);
  }

  /** All published entries by id; holds some of them at a time. */
  *iteratePublishedEntries(): Generator<Entry> {
    for (let after = ''; ;) {
      const entries = this.listPublished(after, entriesAtOnce);
      yield* entries;
      const last = entries.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  /** The published entries of a name, newest first, at most `limit`; ids are in the order of time. */
  listPublishedOfName(key: string, workspace: string, limit: number): Entry[] {
    const rows = this.#sql.exec(
      `SELECT json FROM entries WHERE name_key = ? AND workspace = ? AND state = 'published'
       ORDER BY id DESC LIMIT ?`,
      key,
      workspace,
      limit,
    );
    return parseRows(entryRow, rows).map(({ json }) => json);
  }

  /** The stored JSON of an entry. */
  getEntryJsonOrThrow(id: string): string {
    const [row] = parseRows(textRow, this.#sql.exec('SELECT json FROM entries WHERE id = ?', id));
    if (row === undefined) throw new Error(`there is no entry ${id}`);
    return row.json;
  }

  storeUnitValues(id: string, values: Readonly<Partial<Record<UnitRankingMetric, readonly (number | null)[]>>>): void {
    for (const metric of unitMetric.options) {
      const own = values[metric];
      if (own === undefined) continue;
      const { buffer } = toFloat32ArrayWithNaNForNull(own);
      this.#sql.exec('INSERT INTO unit_values (entry, metric, numbers) VALUES (?, ?, ?)', id, metric, buffer);
    }
  }

  /** By unit; empty for a metric that is newer than the entry. */
  readUnitValues(id: string, metric: UnitRankingMetric): UnitValues {
    const rows = this.#sql.exec('SELECT numbers FROM unit_values WHERE entry = ? AND metric = ?', id, metric);
    const [row] = parseRows(valuesRow, rows);
    return new Float32Array(row?.numbers ?? []);
  }

  storeSketch(id: string, hashes: readonly string[]): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO sketches (hash, entry) SELECT value, ? FROM json_each(?)',
      id,
      JSON.stringify(hashes),
    );
  }

  /**
   * Returns the entry, in any state, that shares most of these hashes: of another workspace, or of this one if it has
   * another name or a moderator hid it. Null if none shares the minimum number.
   */
  findSuspectedOriginal(
    hashes: readonly string[],
    { workspace, name }: { readonly workspace: string; readonly name: string },
    atLeast: { readonly others: number; readonly own: number },
  ): Omit<SharedEntry, 'name'> | null {
    const rows = this.#sql.exec(
      `SELECT entry AS id, shared, workspace = ?1 AS own, taken_off AS takenOff
       FROM (SELECT entry, COUNT(*) AS shared FROM sketches WHERE hash IN (SELECT value FROM json_each(?2)) GROUP BY entry)
       JOIN entries ON entries.id = entry
       WHERE shared >= CASE WHEN workspace = ?1 AND taken_off = 0 THEN ?4 ELSE ?3 END
         AND (workspace <> ?1 OR taken_off = 1 OR name_key <> ?5)
       ORDER BY shared DESC, entry LIMIT 1`,
      workspace,
      JSON.stringify(hashes),
      atLeast.others,
      atLeast.own,
      normalizeName(name),
    );
    return parseRows(sharedRow, rows)[0] ?? null;
  }

  /**
   * Deletes what a withdrawn entry no longer needs. The sketch of its agent's calls stays, so that copies are
   * recognized.
   */
  deleteUnitValuesOfEntry(id: string): void {
    this.#sql.exec('DELETE FROM unit_values WHERE entry = ?', id);
  }

  /** Null before the first line. */
  findLastLogLine(): LogLine | null {
    return parseRows(lineRow, this.#sql.exec('SELECT json FROM log ORDER BY n DESC LIMIT 1'))[0]?.json ?? null;
  }

  addLogLine(line: LogLine): void {
    this.#sql.exec('INSERT INTO log (n, json) VALUES (?, ?)', line.n, JSON.stringify(line));
  }

  /** After line number `after`, at most `limit`. */
  listLogLines(after: number, limit: number): LogLine[] {
    const rows = this.#sql.exec('SELECT json FROM log WHERE n > ? ORDER BY n LIMIT ?', after, limit);
    return parseRows(lineRow, rows).map(({ json }) => json);
  }

  /** Gives a name to a workspace, unless another one owns it or one that looks like it; then returns that one. */
  claimNameOrFindOwner(owned: OwnedName): OwnedName | null {
    return claimNameOrFindOwner(this.#sql, owned);
  }

  /** Returns the submission for which a workspace was given the private units; null if it was not. */
  findSubmissionWithPrivateUnits(workspace: string): string | null {
    const rows = this.#sql.exec('SELECT submission AS id FROM private_units WHERE workspace = ?', workspace);
    return parseRows(idRow, rows)[0]?.id ?? null;
  }

  notePrivateUnitsGiven(workspace: string, submission: string): void {
    this.#sql.exec('INSERT INTO private_units (workspace, submission) VALUES (?, ?)', workspace, submission);
  }

  storeSubmissionState({ workspace, ...shown }: BoardSubmission & { readonly workspace: string }): void {
    const isKnown = this.hasSubmission(shown.id);
    this.#sql.exec(
      // A submission keeps its place until it has heard of it.
      `INSERT INTO submissions (id, workspace, state, json) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
       state = CASE WHEN excluded.state = 'queued' THEN submissions.state ELSE excluded.state END, json = excluded.json`,
      shown.id,
      workspace,
      shown.state,
      JSON.stringify(shown),
    );
    if (!isKnown && this.#submissions !== null) this.#submissions += 1;
  }

  /** Counts the submissions in any state: the rows once, then those that are added. */
  countSubmissions(): number {
    this.#submissions ??= parseRows(countRow, this.#sql.exec('SELECT COUNT(*) AS n FROM submissions'))[0]?.n ?? 0;
    return this.#submissions;
  }

  /**
   * Counts the other submissions that we are scoring, and those of the same workspace; `gateway` submissions go at
   * their agents' pace and do not count.
   */
  countOtherSubmissionsInScoring(but: string): z.infer<typeof scoringRow> {
    const rows = this.#sql.exec(
      `SELECT COUNT(*) AS "all", COUNT(*) FILTER (WHERE workspace = (SELECT workspace FROM submissions WHERE id = ?1)) AS own
       FROM submissions WHERE ${isScored} AND id <> ?1`,
      but,
    );
    return scoringRow.parse(rows.one());
  }

  /** Records that a submission is being scored before the submission itself reports it. */
  recordScoringStarted(id: string): void {
    this.#sql.exec("UPDATE submissions SET state = 'validating' WHERE id = ? AND state = 'queued'", id);
  }

  /** Returns the submissions that have waited longest, with at most `ofOne` of a workspace being scored. */
  listNextSubmissionsToScore(limit: number, ofOne: number): string[] {
    const rows = this.#sql.exec(
      `WITH busy AS (SELECT workspace, COUNT(*) AS n FROM submissions WHERE ${isScored} GROUP BY workspace),
       waiting AS (
         SELECT id, workspace, ROW_NUMBER() OVER (PARTITION BY workspace ORDER BY id) AS nth
         FROM submissions WHERE state = 'queued' AND ${isOurs})
       SELECT id FROM waiting LEFT JOIN busy USING (workspace) WHERE nth + COALESCE(busy.n, 0) <= ? ORDER BY id LIMIT ?`,
      ofOne,
      limit,
    );
    return parseRows(idRow, rows).map(({ id }) => id);
  }

  hasSubmission(id: string): boolean {
    return this.#sql.exec('SELECT 1 FROM submissions WHERE id = ?', id).toArray().length > 0;
  }

  /** By id, after `after`, at most `limit`; in one state, or in all. */
  listSubmissions(state: SubmissionState | null, after: string, limit: number): BoardSubmission[] {
    const rows =
      state === null
        ? this.#sql.exec('SELECT json FROM submissions WHERE id > ? ORDER BY id LIMIT ?', after, limit)
        : this.#sql.exec(
            'SELECT json FROM submissions WHERE state = ? AND id > ? ORDER BY id LIMIT ?',
            state,
            after,
            limit,
          );
    return parseRows(submissionRow, rows).map(({ json }) => json);
  }
}
