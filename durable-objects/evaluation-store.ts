import { z } from 'zod';
import { benchmarkUnit, type BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { tool, type Tool } from '#core/catalog/tool.ts';
import { evaluationCase, type EvaluationCase } from '#core/evaluation/case.ts';
import { subIntentPlan, type SubIntentPlan } from '#core/evaluation/plan.ts';
import { trace, type Trace } from '#core/traces/trace.ts';
import type { RequestSide } from '#core/units/unit.ts';
import { parseRows } from './rows.ts';

const jsonOf = <T>(schema: z.ZodType<T>) => z.string().transform((text) => schema.parse(JSON.parse(text)));

const jsonRow = z.object({ json: z.string() });
const unitRow = z.object({ json: jsonOf(benchmarkUnit), plan: jsonOf(subIntentPlan).nullable() });
const toolRow = z.object({ json: jsonOf(tool) });
const caseRow = z.object({ json: jsonOf(evaluationCase) });
const idRow = z.object({ id: z.string() });
const traceRow = z.object({ side: z.enum(['source', 'followUp']), json: jsonOf(trace) });

/** The tables of one evaluation and the statements on them; docs/storage.md describes the tables. */
export class EvaluationStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS tools (name TEXT PRIMARY KEY, server TEXT NOT NULL, json TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS units (id TEXT PRIMARY KEY, json TEXT NOT NULL, plan TEXT, done INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS cases (id TEXT PRIMARY KEY, unit TEXT NOT NULL, json TEXT NOT NULL) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS cases_unit ON cases (unit);
      CREATE TABLE IF NOT EXISTS traces (evaluated TEXT NOT NULL, side TEXT NOT NULL, json TEXT NOT NULL,
        PRIMARY KEY (evaluated, side)) WITHOUT ROWID;
    `);
  }

  fact<T>(key: string, schema: z.ZodType<T>): T | null {
    const [row] = parseRows(jsonRow, this.#sql.exec('SELECT json FROM facts WHERE key = ?', key));
    return row === undefined ? null : schema.parse(JSON.parse(row.json));
  }

  setFact(key: string, value: unknown): void {
    this.#sql.exec('INSERT OR REPLACE INTO facts (key, json) VALUES (?, ?)', key, JSON.stringify(value));
  }

  writeBasis(tools: readonly Tool[], units: readonly BenchmarkUnit[], cases: readonly EvaluationCase[]): void {
    for (const each of tools) {
      const { name, server } = each;
      this.#sql.exec('INSERT INTO tools (name, server, json) VALUES (?, ?, ?)', name, server, JSON.stringify(each));
    }
    for (const unit of units) {
      this.#sql.exec('INSERT INTO units (id, json, done) VALUES (?, ?, 0)', unit.id, JSON.stringify(unit));
    }
    for (const each of cases) this.writeCase(each);
  }

  tools(): Tool[] {
    return parseRows(toolRow, this.#sql.exec('SELECT json FROM tools ORDER BY name')).map((row) => row.json);
  }

  toolsOfServer(server: string): Tool[] {
    return parseRows(toolRow, this.#sql.exec('SELECT json FROM tools WHERE server = ? ORDER BY name', server)).map(
      (row) => row.json,
    );
  }

  units(): BenchmarkUnit[] {
    return parseRows(unitRow, this.#sql.exec('SELECT json, plan FROM units ORDER BY id')).map((row) => row.json);
  }

  unit(id: string): { unit: BenchmarkUnit; plan: SubIntentPlan | null } | null {
    const [row] = parseRows(unitRow, this.#sql.exec('SELECT json, plan FROM units WHERE id = ?', id));
    return row === undefined ? null : { unit: row.json, plan: row.plan };
  }

  /** Ids of units that are not done, at most `limit`. */
  openUnits(limit: number): string[] {
    return parseRows(idRow, this.#sql.exec('SELECT id FROM units WHERE done = 0 ORDER BY id LIMIT ?', limit)).map(
      (row) => row.id,
    );
  }

  writePlan(unit: string, plan: SubIntentPlan): void {
    this.#sql.exec('UPDATE units SET plan = ? WHERE id = ?', JSON.stringify(plan), unit);
  }

  /** False where it was done before. */
  markDone(unit: string): boolean {
    return this.#sql.exec('UPDATE units SET done = 1 WHERE id = ? AND done = 0', unit).rowsWritten > 0;
  }

  writeCase(each: EvaluationCase): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO cases (id, unit, json) VALUES (?, ?, ?)',
      each.id,
      each.unit,
      JSON.stringify(each),
    );
  }

  case(id: string): EvaluationCase | null {
    return parseRows(caseRow, this.#sql.exec('SELECT json FROM cases WHERE id = ?', id))[0]?.json ?? null;
  }

  casesOfUnit(unit: string): EvaluationCase[] {
    return parseRows(caseRow, this.#sql.exec('SELECT json FROM cases WHERE unit = ? ORDER BY id', unit)).map(
      (row) => row.json,
    );
  }

  /** By id, after `after`, at most `limit`; -1 for all. */
  cases(after: string, limit: number): EvaluationCase[] {
    const rows = this.#sql.exec('SELECT json FROM cases WHERE id > ? ORDER BY id LIMIT ?', after, limit);
    return parseRows(caseRow, rows).map((row) => row.json);
  }

  writeTrace(id: string, side: RequestSide, of: Trace): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO traces (evaluated, side, json) VALUES (?, ?, ?)',
      id,
      side,
      JSON.stringify(of),
    );
  }

  traces(id: string): { source: Trace | null; followUp: Trace | null } {
    const rows = parseRows(traceRow, this.#sql.exec('SELECT side, json FROM traces WHERE evaluated = ?', id));
    const of = (side: RequestSide): Trace | null => rows.find((row) => row.side === side)?.json ?? null;
    return { source: of('source'), followUp: of('followUp') };
  }
}
