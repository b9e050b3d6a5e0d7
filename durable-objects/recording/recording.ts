import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { refuseSplitBeyondSight, type Sight } from '#core/access/access.ts';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import {
  callKeyText,
  recordedCall,
  recordingFormat,
  recordingHeader,
  recordingRecord,
  type RecordedCall,
  type RecordedCallPage,
  type RecordingRecord,
} from '#core/evaluation/recording.ts';
import type { RulesByServer } from '#core/catalog/redaction/rules.ts';
import { parseLineWithSchema } from '#core/values/json-line.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';
import { yieldToOtherCalls } from '#durable-objects/shared/yield-thread.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { recordingSchema } from './schema.ts';
import { charsPerCall } from '#core/evaluation/chars-per-call.ts';

const lineRow = z.object({ n: z.number(), json: z.string() });
const placeRow = z.object({ n: z.number(), unit: z.string(), attempt: z.string() });
/** Calls that are counted before other calls of the object have their turn. */
const callsPerTurn = 5_000;
/** Without a record after this time, an import was interrupted. */
const abandonedMs = 60 * 60_000;
/** The servers' answers in the attempts of one evaluation: written while it runs, or imported; read by replays. */
export class Recording extends DurableObject {
  readonly #sql: SqlStorage;
  readonly #storage: DurableObjectStorage;
  readonly #singletons: SingletonTable;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#sql = state.storage.sql;
    migrate(state.storage, recordingSchema);
    this.#singletons = new SingletonTable(this.#sql);
  }

  /** Creates the recording. Idempotent. */
  create(record: Pick<RecordingRecord, 'id' | 'benchmark' | 'createdAt' | 'private' | 'redact'>): void {
    if (this.#singletons.read('record', z.unknown()) === null) this.#singletons.write('record', record);
  }

  /** Stores calls of one attempt; the first part replaces whatever was stored for it. */
  replaceOrAppendCalls(unit: string, attempt: string, calls: readonly RecordedCall[], part: 'first' | 'further'): void {
    this.#storage.transactionSync(() => {
      if (part === 'first') this.#sql.exec('DELETE FROM calls WHERE unit = ? AND attempt = ?', unit, attempt);
      for (const call of calls) this.#addCall(call);
    });
  }

  /** Deletes the calls of an attempt: a replay will miss them. Idempotent. */
  deleteAttemptCalls(unit: string, attempt: string): void {
    this.#sql.exec('DELETE FROM calls WHERE unit = ? AND attempt = ?', unit, attempt);
  }

  /**
   * Returns a page of the calls for an attempt's replay: its own, and for others the first attempt's.
   */
  pageForReplay(unit: string, attempt: string, after: number): RecordedCallPage {
    const rows = this.#sql.exec(
      `SELECT n, json FROM calls AS each WHERE n > ?3 AND unit = ?1 AND (attempt = ?2 OR attempt =
         (SELECT MIN(attempt) FROM calls WHERE unit = ?1 AND call = each.call)) ORDER BY n`,
      unit,
      attempt,
      after,
    );
    return readCallPageOfRows(rows, after, Infinity);
  }

  /** Returns what was kept out of the calls, by server. */
  redactionRules(): RulesByServer {
    return this.#readRecord()?.redact ?? {};
  }

  /** Returns a page of the calls of one attempt, in the order of their issue; fewer than `limit` if they are long. */
  listAttemptCalls(
    unit: string,
    attempt: string,
    { after, limit, sight }: { after: number; limit: number; sight: Sight },
  ): Result<RecordedCallPage> {
    const readable = this.#refuseUnlessVisible(sight);
    if (!readable.ok) return readable;
    const rows = this.#sql.exec(
      'SELECT n, json FROM calls WHERE unit = ? AND attempt = ? AND n > ? ORDER BY n LIMIT ?',
      unit,
      attempt,
      after,
      limit + 1,
    );
    return ok(readCallPageOfRows(rows, after, limit));
  }

  async get(): Promise<Result<RecordingRecord>> {
    const made = this.#readRecord();
    return made === null ? noRecording : ok({ ...made, ...(await this.#countCallsAndAttempts()) });
  }

  /** Counts some thousand calls at a time: an imported file may have half a million, and other calls would wait. */
  async #countCallsAndAttempts(): Promise<Pick<RecordingRecord, 'calls' | 'attempts'>> {
    const attempts = new Set<string>();
    let calls = 0;
    for (let after = 0; ;) {
      const rows = this.#sql.exec(
        'SELECT n, unit, attempt FROM calls WHERE n > ? ORDER BY n LIMIT ?',
        after,
        callsPerTurn,
      );
      const page = parseRows(placeRow, rows);
      for (const { unit, attempt } of page) attempts.add(`${unit}/${attempt}`);
      calls += page.length;
      after = page.at(-1)?.n ?? after;
      if (page.length < callsPerTurn) return { calls, attempts: attempts.size };
      await yieldToOtherCalls();
    }
  }

  /** Returns the lines of the export after a cursor (0: from the header on), with the next cursor; null at the end. */
  async exportLines(after: number, sight: Sight): Promise<Result<{ lines: string[]; cursor: number } | null>> {
    const readable = this.#refuseUnlessVisible(sight);
    if (!readable.ok) return readable;
    const made = after === 0 ? await this.get() : null;
    const lines = made?.ok === true ? [JSON.stringify(makeRecordingHeader(made.value))] : [];
    let cursor = Math.max(after, 1);
    let chars = 0;
    // Line n is call n - 1, because the header is the first line.
    for (const row of this.#sql.exec('SELECT n + 1 AS n, json FROM calls WHERE n + 1 > ? ORDER BY n', cursor)) {
      const { n, json } = lineRow.parse(row);
      lines.push(json);
      cursor = n;
      chars += json.length;
      if (chars >= charsPerCall) break;
    }
    return ok(lines.length === 0 ? null : { lines, cursor });
  }

  /** Prepares for the lines of a file. */
  async beginImport(): Promise<void> {
    await this.#storage.deleteAll();
    migrate(this.#storage, recordingSchema);
    await this.#storage.setAlarm(Date.now() + abandonedMs);
  }

  /** Deletes an interrupted import. */
  override async alarm(): Promise<void> {
    if (this.#readRecord() === null) await this.discard();
  }

  /** Adds lines of a file, the header first; refuses the first invalid one with its number. */
  importLines(lines: readonly { readonly number: number; readonly text: string }[]): Result<null> {
    const calls: RecordedCall[] = [];
    for (const { number, text } of lines) {
      const header = number === 1 ? parseLineWithSchema(recordingHeader, text) : null;
      const call = number === 1 ? null : parseLineWithSchema(recordedCall, text);
      const problem = [header, call].find((line) => line?.ok === false);
      if (problem?.ok === false) return refuse('invalid-line', `line ${number}: ${problem.problem}`);
      if (header?.ok === true) this.#singletons.write('header', header.value);
      if (call?.ok === true) calls.push(call.value);
    }
    this.#storage.transactionSync(() => calls.forEach((call) => this.#addCall(call)));
    return ok(null);
  }

  /** Completes an import, once it matches its header. */
  async finishImport(id: string, createdAt: string): Promise<Result<RecordingRecord>> {
    const header = this.#singletons.read('header', recordingHeader);
    if (header === null) return refuse('invalid-line', 'the file is empty');
    const { benchmark, private: hasPrivateUnits, redact } = header;
    const { calls } = await this.#countCallsAndAttempts();
    if (calls !== header.calls)
      return refuse('content-mismatch', `the header promises ${header.calls} calls; the file has ${calls}`);
    this.create({ id, benchmark, createdAt, private: hasPrivateUnits, redact });
    await this.#storage.deleteAlarm();
    return this.get();
  }

  /** Deletes everything after a failed import. Only `beginImport` makes the object usable again. */
  async discard(): Promise<void> {
    await this.#storage.deleteAll();
  }

  #readRecord() {
    return this.#singletons.read('record', recordingRecord.omit({ calls: true, attempts: true }));
  }

  /** Refuses a reader who may not see the calls, which may include those of private units. */
  #refuseUnlessVisible(sight: Sight): Result<null> {
    const made = this.#readRecord();
    return made === null ? noRecording : refuseSplitBeyondSight(sight, made.private ? 'all' : 'public');
  }

  #addCall(call: RecordedCall): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO calls (unit, attempt, call, json) VALUES (?, ?, ?, ?)',
      call.unit,
      call.attempt,
      callKeyText(call),
      // As the server wrote it: the order of keys is a part of the text that agents read.
      JSON.stringify(call),
    );
  }
}

const noRecording = refuse('not-found', 'there is no such recording');

/** Returns the calls of rows until there are `limit`, or enough for one message. */
function readCallPageOfRows(
  rows: Iterable<Record<string, SqlStorageValue>>,
  after: number,
  limit: number,
): RecordedCallPage {
  const calls: RecordedCall[] = [];
  let [last, chars] = [after, 0];
  for (const row of rows) {
    if (calls.length === limit || chars >= charsPerCall) return { calls, next: last };
    const { n, json } = lineRow.parse(row);
    calls.push(recordedCall.parse(JSON.parse(json)));
    last = n;
    chars += json.length;
  }
  return { calls, next: null };
}

const makeRecordingHeader = (record: RecordingRecord) => ({
  type: 'recording',
  format: recordingFormat,
  benchmark: record.benchmark,
  calls: record.calls,
  private: record.private,
  redact: record.redact,
});
