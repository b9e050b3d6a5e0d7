import { z } from 'zod';
import type { AttemptResult } from '#core/evaluation/case.ts';
import { requestName, type RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import { crashCounts, type CrashCounts } from '#core/evaluation/crashes.ts';
import { usage } from '#core/models/usage.ts';
import { trace } from '#core/traces/trace.ts';
import type { CountedSql } from '#durable-objects/shared/counted-sql.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

/** What the gateway saw of a held attempt. */
const heldTrace = z.object({ trace, userUsage: usage.optional() });
const heldRow = z.object({
  attempt: z.string(),
  evaluated: z.string(),
  side: requestName,
  agent: z.string(),
  json: jsonColumnSchema(heldTrace),
});
const truthRow = z.object({ holds: z.union([z.literal(0), z.literal(1)]) });

/** An attempt that crashed and waits for somebody to say what becomes of it. */
export interface HeldCrash {
  readonly attempt: string;
  readonly evaluated: string;
  readonly side: RequestName;
  readonly agent: string;
  readonly result: AttemptResult;
}

/** Attempts of external agents that crashed, and what became of them. What the gateway saw of them is kept only while they are held. */
export class CrashesTable {
  readonly #sql: CountedSql;

  constructor(sql: CountedSql) {
    this.#sql = sql;
  }

  hold({ attempt, evaluated, side, agent, result: { trace: seen, userUsage } }: HeldCrash): void {
    this.#sql.write(
      "INSERT INTO crashes (attempt, evaluated, side, agent, state, json) VALUES (?, ?, ?, ?, 'held', ?)",
      attempt,
      evaluated,
      side,
      agent,
      JSON.stringify({ trace: seen, userUsage } satisfies z.infer<typeof heldTrace>),
    );
  }

  /** Notes a crash that was scored at once. */
  addFailed({ attempt, evaluated, side, agent }: Omit<HeldCrash, 'result'>): void {
    this.#sql.write(
      "INSERT INTO crashes (attempt, evaluated, side, agent, state) VALUES (?, ?, ?, ?, 'failed')",
      attempt,
      evaluated,
      side,
      agent,
    );
  }

  /** Returns the next held attempt of an agent, or of any; null if there is none. */
  findNextHeld(agent: string | undefined): HeldCrash | null {
    const rows = this.#sql.readUncounted(
      `SELECT attempt, evaluated, side, agent, json FROM crashes
       WHERE state = 'held' AND json IS NOT NULL AND agent = COALESCE(?, agent) ORDER BY attempt LIMIT 1`,
      agent ?? null,
    );
    const [row] = parseRows(heldRow, rows);
    if (row === undefined) return null;
    const { json, ...place } = row;
    return { ...place, result: { kind: 'attempt', side: row.side, fault: null, calls: [], crashed: true, ...json } };
  }

  settle(attempt: string, state: 'retried' | 'failed'): void {
    this.#sql.write('UPDATE crashes SET state = ?, json = NULL WHERE attempt = ?', state, attempt);
  }

  /** Deletes what the gateway saw of held attempts; they still count as held. */
  deleteHeldTraces(): void {
    this.#sql.write('UPDATE crashes SET json = NULL WHERE json IS NOT NULL');
  }

  /** Returns whether an attempt at this request of a case crashed and was made again. */
  wasRetried(evaluated: string, side: RequestName): boolean {
    const rows = this.#sql.readUncounted(
      "SELECT EXISTS (SELECT 1 FROM crashes WHERE evaluated = ? AND side = ? AND state = 'retried') AS holds",
      evaluated,
      side,
    );
    return parseRows(truthRow, rows)[0]?.holds === 1;
  }

  /** By agent, without agents that never crashed. */
  countByAgent(): CrashCounts[] {
    const counted = (state: string): string => `SUM(state = '${state}') AS ${state}`;
    const rows = this.#sql.readUncounted(
      `SELECT agent, ${['held', 'retried', 'failed'].map(counted).join(', ')} FROM crashes GROUP BY agent ORDER BY agent`,
    );
    return parseRows(crashCounts, rows);
  }
}
