import { z } from 'zod';
import { incident, type Incident } from '#core/reports/watch/incident.ts';
import { learntCall } from '#core/reports/watch/learnt-call.ts';
import { watchMessage, type WatchMessage } from '#core/reports/watch/message.ts';
import { pastVisit, watchConfig, type PastVisit, type WatchConfig } from '#core/reports/watch/record.ts';
import { definitions, watchState, type WatchState } from '#core/reports/watch/state.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';

/** What an object keeps besides what its watch remembers. */
const standing = z.object({
  paused: z.boolean(),
  /** In milliseconds since 1970. */
  dueAt: z.number(),
  /** Visits begun so far, and the last one that was taken. */
  begun: z.int(),
  taken: z.int(),
  undelivered: z.string().nullable(),
  /** The repetition of an evaluation that is under way or was the last, when it is looked after next, and those that count. */
  agents: z.object({
    last: z.string().nullable(),
    isUnderWay: z.boolean(),
    dueAt: z.number(),
    counted: z.int(),
    problem: z.string().nullable(),
  }),
});
export type Standing = Readonly<z.infer<typeof standing>>;

const coreState = watchState.omit({ calls: true, accepted: true, held: true });
const callRow = z.object({ json: jsonColumnSchema(learntCall) });
const incidentRow = z.object({ json: jsonColumnSchema(incident) });
const visitRow = z.object({ json: jsonColumnSchema(pastVisit) });
const messageRow = z.object({ id: z.string(), json: jsonColumnSchema(watchMessage), attempts: z.int() });
const countRow = z.object({ count: z.int() });
const attemptsRow = z.object({ attempts: z.int() });
const dueRow = z.object({ due: z.number().nullable() });

/** A message that has not been taken yet. */
export interface WaitingMessage {
  readonly id: string;
  readonly message: WatchMessage;
  readonly attempts: number;
}

const keptVisits = 400;
const keptMessages = 200;

/** The tables of a watch. */
export class WatchStore {
  readonly #sql: SqlStorage;
  readonly #facts: SingletonTable;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#facts = new SingletonTable(sql);
  }

  readConfig(): WatchConfig | null {
    return this.#facts.read('config', watchConfig);
  }

  writeConfig(config: WatchConfig): void {
    this.#facts.write('config', config);
  }

  readStanding(): Standing | null {
    return this.#facts.read('standing', standing);
  }

  writeStanding(value: Standing): void {
    this.#facts.write('standing', value);
  }

  /** Returns what is counted and what lasts, without what is learnt of each call and what the server offers, which may take a megabyte. */
  readBriefState(): z.infer<typeof coreState> | null {
    return this.#facts.read('state', coreState);
  }

  countCalls(): number {
    return parseRows(countRow, this.#sql.exec('SELECT COUNT(*) AS count FROM calls'))[0]?.count ?? 0;
  }

  readState(): WatchState | null {
    const state = this.readBriefState();
    if (state === null) return null;
    const calls = parseRows(callRow, this.#sql.exec('SELECT json FROM calls ORDER BY n')).map(({ json }) => json);
    const read = (key: string) => this.#facts.read(key, definitions.nullable());
    return { ...state, calls, accepted: read('accepted'), held: read('held') };
  }

  /** Writes what differs. */
  writeState({ calls, accepted, held, ...state }: WatchState, before: WatchState | null): void {
    this.#facts.write('state', state);
    if (before === null || accepted !== before.accepted) this.#facts.write('accepted', accepted);
    if (before === null || held !== before.held) this.#facts.write('held', held);
    for (const [n, call] of calls.entries())
      if (call !== before?.calls[n])
        this.#sql.exec('INSERT OR REPLACE INTO calls (n, json) VALUES (?, ?)', n, JSON.stringify(call));
  }

  putIncident(about: Incident): void {
    const { number } = about;
    this.#sql.exec('INSERT OR REPLACE INTO incidents (n, json) VALUES (?, ?)', number, JSON.stringify(about));
  }

  /** The latest first, below a number, at most `limit`. */
  listIncidents(before: number, limit: number): Incident[] {
    const rows = this.#sql.exec('SELECT json FROM incidents WHERE n < ? ORDER BY n DESC LIMIT ?', before, limit);
    return parseRows(incidentRow, rows).map(({ json }) => json);
  }

  putVisit(visit: PastVisit): void {
    const { number } = visit;
    this.#sql.exec('INSERT OR REPLACE INTO visits (n, json) VALUES (?, ?)', number, JSON.stringify(visit));
    this.#sql.exec('DELETE FROM visits WHERE n <= ?', number - keptVisits);
  }

  /** The latest first, at most `limit`. */
  listVisits(limit: number): PastVisit[] {
    const rows = this.#sql.exec('SELECT json FROM visits ORDER BY n DESC LIMIT ?', limit);
    return parseRows(visitRow, rows).map(({ json }) => json);
  }

  /** Idempotent by id. The oldest ones that were taken or given up are deleted. */
  addMessage(id: string, message: WatchMessage, due: number): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO messages (id, json, attempts, due) VALUES (?, ?, 0, ?)',
      id,
      JSON.stringify(message),
      due,
    );
    this.#sql.exec(
      'DELETE FROM messages WHERE due IS NULL AND rowid <= (SELECT MAX(rowid) FROM messages) - ?',
      keptMessages,
    );
  }

  listDueMessages(now: number): WaitingMessage[] {
    const rows = this.#sql.exec('SELECT id, json, attempts FROM messages WHERE due <= ? ORDER BY rowid LIMIT 20', now);
    return parseRows(messageRow, rows).map(({ id, json, attempts }) => ({ id, message: json, attempts }));
  }

  /** How often a message was sent in vain; null if there is none, or it waits for nothing. */
  readAttempts(id: string): number | null {
    const rows = this.#sql.exec('SELECT attempts FROM messages WHERE id = ? AND due IS NOT NULL', id);
    return parseRows(attemptsRow, rows)[0]?.attempts ?? null;
  }

  /** `due`: when it is sent again; null if it was taken or is given up. */
  settleMessage(id: string, attempts: number, due: number | null): void {
    this.#sql.exec('UPDATE messages SET attempts = ?, due = ? WHERE id = ?', attempts, due, id);
  }

  /** When the next message is due; null without one. */
  nextMessageAt(): number | null {
    return parseRows(dueRow, this.#sql.exec('SELECT MIN(due) AS due FROM messages'))[0]?.due ?? null;
  }
}
