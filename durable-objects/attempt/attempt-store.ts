import { z } from 'zod';
import { recordedCall, type RecordedCall } from '#core/evaluation/recording.ts';
import { modelRequest, type ModelRequest } from '#core/models/gateway/model-request.ts';
import { step, type Step } from '#core/traces/trace.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const stepRow = z.object({ json: jsonColumnSchema(step) });
const modelRequestRow = z.object({ json: jsonColumnSchema(modelRequest) });
const countRow = z.object({ n: z.number() });
const recordedRow = z.object({ json: jsonColumnSchema(recordedCall) });
const sizeRow = z.object({ steps: z.number(), bytes: z.number() });
const sessionRow = z.object({ server: z.string(), sessionId: z.string(), protocolVersion: z.string() });
/** A server's session that can be resumed. */
export type StoredSession = Omit<z.infer<typeof sessionRow>, 'server'>;

/** The tables of one attempt and the statements on them; docs/storage.md describes the tables. */
export class AttemptStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** In the order in which the agent issued them. */
  listSteps(): Step[] {
    return parseRows(stepRow, this.#sql.exec('SELECT json FROM steps ORDER BY n')).map((row) => row.json);
  }

  /** The number of steps, and their bytes as JSON. */
  countStepsAndBytes(): z.infer<typeof sizeRow> {
    const sql = 'SELECT COUNT(*) AS steps, COALESCE(SUM(LENGTH(CAST(json AS BLOB))), 0) AS bytes FROM steps';
    return sizeRow.parse(this.#sql.exec(sql).one());
  }

  storeStep(n: number, of: Step): void {
    this.#sql.exec('INSERT OR REPLACE INTO steps (n, json) VALUES (?, ?)', n, JSON.stringify(of));
  }

  storeModelRequest(n: number, request: ModelRequest): void {
    this.#sql.exec('INSERT OR REPLACE INTO model_requests (n, json) VALUES (?, ?)', n, JSON.stringify(request));
  }

  /** In the order in which the agent made them. */
  listModelRequests(): ModelRequest[] {
    return parseRows(modelRequestRow, this.#sql.exec('SELECT json FROM model_requests ORDER BY n')).map(
      ({ json }) => json,
    );
  }

  countModelRequests(): number {
    return countRow.parse(this.#sql.exec('SELECT COUNT(*) AS n FROM model_requests').one()).n;
  }

  storeRecordedCall(call: RecordedCall): void {
    this.#sql.exec('INSERT INTO recorded (json) VALUES (?)', JSON.stringify(call));
  }

  /** The servers' answers, in order of arrival. */
  recordedCalls(): RecordedCall[] {
    return parseRows(recordedRow, this.#sql.exec('SELECT json FROM recorded ORDER BY n')).map((row) => row.json);
  }

  /** Deletes what was only needed while the attempt was running. */
  deleteStepsCallsAndSessions(): void {
    for (const table of ['steps', 'model_requests', 'recorded', 'sessions']) this.#sql.exec(`DELETE FROM ${table}`);
  }

  /** Sessions by their servers' names. */
  readSessionsByServer(): Record<string, StoredSession> {
    const rows = this.#sql.exec('SELECT server, session AS sessionId, version AS protocolVersion FROM sessions');
    return Object.fromEntries(parseRows(sessionRow, rows).map(({ server, ...session }) => [server, session]));
  }

  /** Null if the server has no session to resume. */
  storeOrDeleteSession(server: string, session: StoredSession | null): void {
    if (session === null) this.#sql.exec('DELETE FROM sessions WHERE server = ?', server);
    else
      this.#sql.exec(
        'INSERT OR REPLACE INTO sessions (server, session, version) VALUES (?, ?, ?)',
        server,
        session.sessionId,
        session.protocolVersion,
      );
  }
}
