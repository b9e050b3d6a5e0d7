import { z } from 'zod';
import { benchmarkUnit, type BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { originOfUnit, unitProvenance, type UnitOrigin } from '#core/benchmarks/seen-units.ts';
import type { Split } from '#core/units/split.ts';
import { tool, type Tool } from '#core/catalog/tool.ts';
import { acceptedResponse, type AcceptedResponse } from '#core/evaluation/claim.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { lease } from '#core/evaluation/lease.ts';
import { requestName, type RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import { subIntentPlan, type SubIntentPlan } from '#core/evaluation/sub-intent-plan.ts';
import type { ResultsBasis } from '#core/evaluation/results-basis.ts';
import { storedCase } from '#core/evaluation/stored-case.ts';
import { makeMountableTool, type MountableTool } from '#core/units/mounting/mountable-catalog.ts';
import type { CaseWorker } from '#core/evaluation/case-worker.ts';
import { trace, type Trace } from '#core/traces/trace.ts';
import { CountedSql } from '#durable-objects/shared/counted-sql.ts';
import { CrashesTable } from './crashes-table.ts';
import { chainQuery, chainRow, type ChainOfUnit } from './chain-rows.ts';
import { ToolVectors } from './tool-vectors.ts';
import { DrawsTable } from './draws-table.ts';
import { WantedCases } from './wanted-cases.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const unitRow = z.object({ json: jsonColumnSchema(benchmarkUnit), plan: jsonColumnSchema(subIntentPlan).nullable() });
const originRow = z.object({ id: z.string(), provenance: jsonColumnSchema(unitProvenance) });
const toolRow = z.object({ json: jsonColumnSchema(tool) });
const sizedToolRow = toolRow.extend({ chars: z.number() });
const traitsRow = z.object({ name: z.string(), server: z.string(), domain: z.string(), category: z.string() });
const caseRow = z.object({ json: jsonColumnSchema(storedCase) });
const textRow = z.object({ json: z.string() });
const idRow = z.object({ id: z.string() });
const dueRow = z.object({ unit: z.string() });
const countRow = z.object({ n: z.number() });
const countsRow = z.object({ cases: z.number(), requests: z.number() });
const truthRow = z.object({ holds: z.union([z.literal(0), z.literal(1)]) });
const traceRow = z.object({ side: requestName, json: jsonColumnSchema(trace) });
const turnRow = z.object({ turn: z.number(), evaluated: z.string() });
const claimRow = z.object({
  attempt: z.string(),
  evaluated: z.string(),
  side: requestName,
  deadline: z.string(),
  state: z.enum(['open', 'answered', 'expired', 'given-back']),
  /** How long it is held without a sign of life; null if to its deadline. */
  lease: jsonColumnSchema(lease).nullable(),
});
const takenRow = z.object({ json: jsonColumnSchema(acceptedResponse) });
/** Some of the tools, and whether none comes after them. */
export interface ToolPage {
  readonly tools: readonly Tool[];
  readonly isLast: boolean;
}
/** An attempt that an external agent claimed. */
export type Claim = z.infer<typeof claimRow>;

/** Whether a case is at an attempt for which one of the servers in a JSON list is expected to be called: 0 or 1. */
const isRestingSql = `(json_extract(waiting.json, '$.stage.kind') = 'attempt' AND EXISTS (
  SELECT 1 FROM units, json_each(units.json, '$.chain') AS tool, json_each(?) AS resting
  WHERE units.id = waiting.unit AND instr(tool.value, resting.value || '/') = 1))`;

/** How many waiting cases are looked at for one whose servers do not rest. */
const lookedAt = 500;

/** The order in which units are taken, with all cases of a unit together. */
const inOrder = 'ORDER BY place, id';

/** The cases that a lane could take, in their order. Binds the most that it returns. */
const laneCasesSql = `SELECT id FROM cases WHERE waits = 'lane' ${inOrder} LIMIT ?`;

/** The next case for a lane; those at resting servers come last. Binds a JSON list of these. */
const nextLaneCaseSql = `SELECT id FROM (SELECT id, unit, place, json FROM cases WHERE waits = 'lane' ${inOrder} LIMIT ${lookedAt}) AS waiting
  ORDER BY ${isRestingSql}, place, id LIMIT 1`;

/**
 * The next case that a client could claim for an agent; those at resting servers come last. Binds the agent and a JSON list of resting
 * servers.
 */
const nextClientCaseSql = (isAnyResting: boolean): string =>
  `SELECT id FROM (SELECT id, unit, place, json FROM cases WHERE waits = 'client' AND agent = ?
      ${inOrder} LIMIT ${isAnyResting ? lookedAt : 1}) AS waiting
    ORDER BY ${isRestingSql}, place, id LIMIT 1`;

/** The tables of one evaluation and the statements on them; docs/storage.md describes the tables. */
export class EvaluationStore {
  readonly #sql: CountedSql;
  readonly vectors: ToolVectors;
  readonly crashes: CrashesTable;
  readonly wantedCases: WantedCases;
  readonly draws: DrawsTable;

  constructor(sql: SqlStorage) {
    this.#sql = new CountedSql(sql);
    this.vectors = new ToolVectors(this.#sql);
    this.crashes = new CrashesTable(this.#sql);
    this.wantedCases = new WantedCases(this.#sql);
    this.draws = new DrawsTable(this.#sql);
  }

  /** Rows written since this object started, indexes included, which the platform bills. */
  get rowsWritten(): number {
    return this.#sql.rowsWritten;
  }

  /** Writes tools and units; repeating it adds no rows. */
  storeToolsAndUnits(tools: readonly Tool[], units: readonly BenchmarkUnit[]): void {
    for (const each of tools) {
      const { name, server } = each;
      this.#sql.write(
        'INSERT OR REPLACE INTO tools (name, server, json) VALUES (?, ?, ?)',
        name,
        server,
        JSON.stringify(each),
      );
    }
    for (const unit of units)
      this.#sql.write('INSERT OR IGNORE INTO units (id, json) VALUES (?, ?)', unit.id, JSON.stringify(unit));
  }

  /** Deletes tools, units and cases. */
  deleteBasisAndCases(): void {
    for (const table of ['tools', 'units', 'cases', 'draws']) this.#sql.write(`DELETE FROM ${table}`);
  }

  /** Deletes all tools except those with these names. */
  deleteToolsExcept(names: ReadonlySet<string>): void {
    for (const { name } of this.listTools())
      if (!names.has(name)) this.#sql.write('DELETE FROM tools WHERE name = ?', name);
  }

  /** Counts the cases, and the requests that all of them have together. */
  countCasesAndRequests(): z.infer<typeof countsRow> {
    const counted = this.#sql.readUncounted(
      "SELECT COUNT(*) AS cases, COALESCE(SUM(json_array_length(json, '$.requests')), 0) AS requests FROM cases",
    );
    return parseRows(countsRow, counted)[0] ?? { cases: 0, requests: 0 };
  }

  /** Returns the id before the first case that waits for a client, empty if it is the first of all; null if none waits. */
  findIdBeforeFirstClientCase(): string | null {
    const waiting = "SELECT MIN(id) AS first FROM cases WHERE waits = 'client'";
    const before = "SELECT COALESCE(MAX(cases.id), '') FROM cases WHERE cases.id < first";
    const rows = this.#sql.readUncounted(`SELECT (${before}) AS id FROM (${waiting}) WHERE first IS NOT NULL`);
    return parseRows(idRow, rows)[0]?.id ?? null;
  }

  listTools(): Tool[] {
    return parseRows(toolRow, this.#sql.readUncounted('SELECT json FROM tools ORDER BY name')).map((row) => row.json);
  }

  /** Returns everything that results need to know about the tools, or about one. */
  listToolTraitsForResults(name: string | null = null): ResultsBasis['tools'] {
    const rows = this.#sql.readUncounted(
      `SELECT name, server, json_extract(json, '$.domain') AS domain, json_extract(json, '$.category') AS category
       FROM tools ${name === null ? '' : 'WHERE name = ?'} ORDER BY name`,
      ...(name === null ? [] : [name]),
    );
    return parseRows(traitsRow, rows);
  }

  /** Returns the tools with these names, in this order. */
  listToolsWithNames(names: readonly string[]): Tool[] {
    return names.flatMap((name) =>
      parseRows(toolRow, this.#sql.readUncounted('SELECT json FROM tools WHERE name = ?', name)).map((row) => row.json),
    );
  }

  /** Tools by name, after one, until they are `chars` long; at least one, if there is any. */
  listToolsUpToChars(after: string, chars: number): ToolPage {
    const tools: Tool[] = [];
    let taken = 0;
    const rows = this.#sql.readUncounted(
      'SELECT json, length(json) AS chars FROM tools WHERE name > ? ORDER BY name',
      after,
    );
    for (const row of rows) {
      const { json, chars: length } = sizedToolRow.parse(row);
      if (taken >= chars) return { tools, isLast: false };
      tools.push(json);
      taken += length;
    }
    return { tools, isLast: true };
  }

  /** What mountings need to know about the tools; holds one tool at a time. */
  *iterateMountableTools(): Generator<MountableTool> {
    for (const row of this.#sql.readUncounted('SELECT json FROM tools ORDER BY name'))
      yield makeMountableTool(toolRow.parse(row).json);
  }

  /** By id. */
  listUnitsForResultsWithoutTexts(): ChainOfUnit[] {
    return parseRows(chainRow, this.#sql.readUncounted(chainQuery));
  }

  /** Where each unit comes from, by id. */
  listUnitOrigins(): UnitOrigin[] {
    const rows = this.#sql.readUncounted(
      "SELECT id, json_extract(json, '$.provenance') AS provenance FROM units ORDER BY id",
    );
    return parseRows(originRow, rows).map(originOfUnit);
  }

  getUnitAndSubIntentPlanOrThrow(id: string): { unit: BenchmarkUnit; plan: SubIntentPlan | null } {
    const [row] = parseRows(unitRow, this.#sql.readUncounted('SELECT json, plan FROM units WHERE id = ?', id));
    if (row === undefined) throw new Error(`there is no unit ${id}`);
    return { unit: row.json, plan: row.plan };
  }

  writeSubIntentPlan(unit: string, plan: SubIntentPlan): void {
    this.#sql.write('UPDATE units SET plan = ? WHERE id = ?', JSON.stringify(plan), unit);
  }

  /** `place` is that of its unit in the order in which units are taken. */
  storeNewCase(each: EvaluationCase, waits: CaseWorker, place: number): void {
    this.#sql.write(
      'INSERT OR IGNORE INTO cases (id, unit, agent, waits, place, json) VALUES (?, ?, ?, ?, ?, ?)',
      each.id,
      each.unit,
      each.agent,
      waits,
      place,
      JSON.stringify(each),
    );
  }

  /** Writes a case, and who works on it; null if that has not changed. */
  updateCase(each: EvaluationCase, waits: CaseWorker | null): void {
    const json = JSON.stringify(each);
    this.#sql.write('UPDATE cases SET json = ?, waits = COALESCE(?, waits) WHERE id = ?', json, waits, each.id);
  }

  setCaseWorker(id: string, waits: CaseWorker): void {
    this.#sql.write('UPDATE cases SET waits = ? WHERE id = ?', waits, id);
  }

  /** Counts the cases that lanes work on. */
  countTakenCases(): number {
    return (
      parseRows(countRow, this.#sql.readUncounted("SELECT COUNT(*) AS n FROM cases WHERE waits = 'taken'"))[0]?.n ?? 0
    );
  }

  /** Returns everything that lanes had taken to the queue. */
  releaseTakenCases(): void {
    this.#sql.write("UPDATE cases SET waits = 'lane' WHERE waits = 'taken'");
  }

  /** Returns what the lanes of an instance had taken and not finished to the queue. Idempotent. */
  releaseCasesOfInstance(instance: string): void {
    // Its lanes are called `instance/1`, `instance/2`; they sort between these two.
    const [from, to] = [`${instance}/`, `${instance}0`];
    this.#sql.write(
      `UPDATE cases SET waits = 'lane' WHERE waits = 'taken'
        AND id IN (SELECT evaluated FROM lanes WHERE lane > ? AND lane < ?)`,
      from,
      to,
    );
    this.#sql.write('DELETE FROM lanes WHERE lane > ? AND lane < ?', from, to);
  }

  /** Cases that a lane could take, at most `limit`. */
  listCaseIdsFreeForLanes(limit: number): string[] {
    return parseRows(idRow, this.#sql.readUncounted(laneCasesSql, limit)).map(({ id }) => id);
  }

  /** Returns the next case for a lane; cases whose attempt would call one of these servers come last. */
  findNextLaneCaseId(resting: readonly string[]): string | null {
    if (resting.length === 0) return this.listCaseIdsFreeForLanes(1)[0] ?? null;
    return parseRows(idRow, this.#sql.readUncounted(nextLaneCaseSql, JSON.stringify(resting)))[0]?.id ?? null;
  }

  /** Returns whether a lane could take this case. */
  canLaneTakeCase(id: string): boolean {
    const rows = this.#sql.readUncounted("SELECT id FROM cases WHERE waits = 'lane' AND id = ?", id);
    return parseRows(idRow, rows).length > 0;
  }

  /** Returns whether lanes have anything to do, or are working. */
  hasUnfinishedLaneWork(): boolean {
    return this.#queryBoolean(
      `SELECT EXISTS (SELECT 1 FROM cases WHERE waits = 'lane') OR EXISTS (SELECT 1 FROM cases WHERE waits = 'taken') AS holds`,
    );
  }

  /**
   * Returns the next case that a client could claim for this agent, or null. Cases whose attempt would call one of the `resting` servers
   * come last.
   */
  findNextClientCaseId(agent: string, resting: readonly string[] = []): string | null {
    const sql = nextClientCaseSql(resting.length > 0);
    return parseRows(idRow, this.#sql.readUncounted(sql, agent, JSON.stringify(resting)))[0]?.id ?? null;
  }

  /** Returns what a lane took in this turn, or null. */
  findCaseIdTakenInLaneTurn(lane: string, turn: number): string | null {
    const [row] = parseRows(turnRow, this.#sql.readUncounted('SELECT turn, evaluated FROM lanes WHERE lane = ?', lane));
    return row?.turn === turn ? row.evaluated : null;
  }

  storeCaseIdTakenInLaneTurn(lane: string, turn: number, id: string): void {
    this.#sql.write('INSERT OR REPLACE INTO lanes (lane, turn, evaluated) VALUES (?, ?, ?)', lane, turn, id);
  }

  findCase(id: string): EvaluationCase | null {
    return parseRows(caseRow, this.#sql.readUncounted('SELECT json FROM cases WHERE id = ?', id))[0]?.json ?? null;
  }

  getCaseOrThrow(id: string): EvaluationCase {
    const found = this.findCase(id);
    if (found === null) throw new Error(`there is no case ${id}`);
    return found;
  }

  /** Counts the unfinished cases of a unit, apart from those of agents that it was not drawn for. */
  countUnfinishedCasesOfUnit(unit: string): number {
    const rows = this.#sql.readUncounted(
      "SELECT COUNT(*) AS n FROM cases WHERE unit = ? AND waits NOT IN ('nobody', 'undrawn')",
      unit,
    );
    return parseRows(countRow, rows)[0]?.n ?? 0;
  }

  /** Returns the units whose cases wait for their leaderboard, in their order, once everything else is done; none before. */
  listHeldUnitIdsIfRestDone(): string[] {
    // One by one, because each worker has an index of its own.
    const noneFor = (worker: CaseWorker): string => `NOT EXISTS (SELECT 1 FROM cases WHERE waits = '${worker}')`;
    const rows = this.#sql.readUncounted(
      `SELECT DISTINCT unit, place FROM cases WHERE waits = 'leaderboard'
        AND ${noneFor('lane')} AND ${noneFor('taken')} AND ${noneFor('client')} AND ${noneFor('claimed')} ORDER BY place, unit`,
    );
    return parseRows(dueRow, rows).map(({ unit }) => unit);
  }

  /** Gives the cases of these units that wait for their leaderboard to lanes or clients. */
  giveHeldCasesToWorker(units: readonly string[], worker: 'lane' | 'client'): void {
    this.#sql.write(
      "UPDATE cases SET waits = ? WHERE waits = 'leaderboard' AND unit IN (SELECT value FROM json_each(?))",
      worker,
      JSON.stringify(units),
    );
  }

  /** Returns whether a client still has to make an attempt of this agent, or will have to. */
  hasUnfinishedClientWork(agent: string): boolean {
    return this.#queryBoolean(
      `SELECT EXISTS (SELECT 1 FROM cases WHERE waits = 'client' AND agent = ?)
        OR EXISTS (SELECT 1 FROM cases WHERE waits = 'claimed' AND agent = ?)
        OR EXISTS (SELECT 1 FROM cases WHERE waits = 'leaderboard' AND agent = ?)
        OR EXISTS (SELECT 1 FROM cases WHERE waits = 'undrawn' AND agent = ?) AS holds`,
      agent,
      agent,
      agent,
      agent,
    );
  }

  /** Finished cases by id, after `after`, at most `limit`. */
  listFinishedCases(after: string, limit: number): EvaluationCase[] {
    const rows = this.#sql.readUncounted(
      "SELECT json FROM cases WHERE waits = 'nobody' AND id > ? ORDER BY id LIMIT ?",
      after,
      limit,
    );
    return parseRows(caseRow, rows).map((row) => row.json);
  }

  /** Cases with an attempt that an infrastructure fault broke for good, by id, one at a time. */
  *iterateCasesBrokenByFaults(): Generator<EvaluationCase> {
    const rows = this.#sql.readUncounted(
      `SELECT json FROM cases WHERE EXISTS (SELECT 1 FROM json_each(cases.json, '$.attempts') AS attempt
         WHERE json_type(attempt.value, '$.fault') = 'object') ORDER BY id`,
    );
    for (const row of rows) yield caseRow.parse(row).json;
  }

  /** By id, after `after`, at most `limit`. */
  listCases(after: string, limit: number): EvaluationCase[] {
    const rows = this.#sql.readUncounted('SELECT json FROM cases WHERE id > ? ORDER BY id LIMIT ?', after, limit);
    return parseRows(caseRow, rows).map((row) => row.json);
  }

  /** The JSON of cases by id, after `after`, at most `limit`. */
  listCaseJsons(after: string, limit: number): string[] {
    const rows = this.#sql.readUncounted('SELECT json FROM cases WHERE id > ? ORDER BY id LIMIT ?', after, limit);
    return parseRows(textRow, rows).map(({ json }) => json);
  }

  /** The ids of the units of a split. */
  unitIdsOfSplit(split: Split): Set<string> {
    const rows = this.#sql.readUncounted("SELECT id FROM units WHERE json_extract(json, '$.split') = ?", split);
    return new Set(parseRows(idRow, rows).map(({ id }) => id));
  }

  /** Finished cases of public units by id, after `after`, at most `limit`. */
  listFinishedPublicCases(after: string, limit: number): EvaluationCase[] {
    const rows = this.#sql.readUncounted(
      `SELECT cases.json FROM cases JOIN units ON units.id = cases.unit
       WHERE cases.id > ? AND cases.waits = 'nobody' AND json_extract(units.json, '$.split') = 'public'
       ORDER BY cases.id LIMIT ?`,
      after,
      limit,
    );
    return parseRows(caseRow, rows).map((row) => row.json);
  }

  /** The cases of an agent by id, after `after`, at most `limit`, of these units or of all. */
  listCasesOfAgent(agent: string, after: string, units: ReadonlySet<string> | null, limit: number): EvaluationCase[] {
    const rows = this.#sql.readUncounted('SELECT json FROM cases WHERE agent = ? AND id > ? ORDER BY id', agent, after);
    const found: EvaluationCase[] = [];
    for (const row of rows) {
      const { json } = caseRow.parse(row);
      if (units !== null && !units.has(json.unit)) continue;
      found.push(json);
      if (found.length >= limit) break;
    }
    return found;
  }

  storeNewClaim(claim: Claim, key: string | null): void {
    const { attempt, evaluated, side, deadline, state } = claim;
    this.#sql.write(
      'INSERT INTO claims (attempt, evaluated, side, key, deadline, state, lease) VALUES (?, ?, ?, ?, ?, ?, ?)',
      attempt,
      evaluated,
      side,
      key,
      deadline,
      state,
      claim.lease === null ? null : JSON.stringify(claim.lease),
    );
  }

  getClaimOrThrow(attempt: string): Claim {
    const rows = this.#sql.readUncounted(
      'SELECT attempt, evaluated, side, deadline, state, lease FROM claims WHERE attempt = ?',
      attempt,
    );
    const [found] = parseRows(claimRow, rows);
    if (found === undefined) throw new Error(`there is no claim ${attempt}`);
    return found;
  }

  findClaimByKey(key: string): Claim | null {
    const rows = this.#sql.readUncounted(
      'SELECT attempt, evaluated, side, deadline, state, lease FROM claims WHERE key = ?',
      key,
    );
    return parseRows(claimRow, rows)[0] ?? null;
  }

  /** Open claims. */
  listOpenClaims(): Claim[] {
    const rows = this.#sql.readUncounted(
      "SELECT attempt, evaluated, side, deadline, state, lease FROM claims WHERE state = 'open'",
    );
    return parseRows(claimRow, rows);
  }

  setClaimState(attempt: string, state: Claim['state']): void {
    this.#sql.write('UPDATE claims SET state = ? WHERE attempt = ?', state, attempt);
  }

  /** Ends a claim with the accepted response. */
  endClaimWithAcceptedResponse(attempt: string, taken: AcceptedResponse): void {
    this.#sql.write(
      "UPDATE claims SET state = 'answered', taken = ? WHERE attempt = ?",
      JSON.stringify(taken),
      attempt,
    );
  }

  /** Returns the response that ended a claim; null if there is none, or if version 0.2.0 accepted it. */
  findAcceptedResponse(attempt: string): AcceptedResponse | null {
    const rows = this.#sql.readUncounted(
      'SELECT taken AS json FROM claims WHERE attempt = ? AND taken IS NOT NULL',
      attempt,
    );
    return parseRows(takenRow, rows)[0]?.json ?? null;
  }

  /** Counts the expired claims of an attempt. */
  countExpiredClaims(id: string, side: RequestName): number {
    const rows = this.#sql.readUncounted(
      "SELECT COUNT(*) AS n FROM claims WHERE evaluated = ? AND side = ? AND state = 'expired'",
      id,
      side,
    );
    return parseRows(countRow, rows)[0]?.n ?? 0;
  }

  writeTrace(id: string, side: RequestName, of: Trace): void {
    const json = JSON.stringify(of);
    this.#sql.write('INSERT OR REPLACE INTO traces (evaluated, side, json) VALUES (?, ?, ?)', id, side, json);
  }

  /** The traces of a case's attempts, by request. */
  readTracesOfCase(id: string): Record<RequestName, Trace> {
    const rows = parseRows(traceRow, this.#sql.readUncounted('SELECT side, json FROM traces WHERE evaluated = ?', id));
    return Object.fromEntries(rows.map(({ side, json }) => [side, json]));
  }

  #queryBoolean(question: string, ...bindings: string[]): boolean {
    return parseRows(truthRow, this.#sql.readUncounted(question, ...bindings))[0]?.holds === 1;
  }
}
