import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { serverConnection, type ServerConnection } from '#core/catalog/server.ts';
import { serverOf, type Tool } from '#core/catalog/tool.ts';
import { ok, refuse, type Result } from '#core/errors.ts';
import { placeOfTransition, transitionsOf } from '#core/evaluation/agent-transitions.ts';
import type { ResultsBasis } from '#core/evaluation/basis.ts';
import { breakdownBy } from '#core/evaluation/breakdown.ts';
import type { AgentTransition, BreakdownBy, BreakdownGroup, UnitResult } from '#core/evaluation/breakdown-record.ts';
import { advanceCase, type AttemptRecord, type CaseResult, type EvaluationCase } from '#core/evaluation/case.ts';
import { compareAgents } from '#core/evaluation/compare.ts';
import { evaluationConfig, storedAgent, type StoredAgent } from '#core/evaluation/config.ts';
import { casesOf } from '#core/evaluation/opening.ts';
import type { SubIntentPlan } from '#core/evaluation/plan.ts';
import { evaluationProgress, type EvaluationProgress } from '#core/evaluation/progress-record.ts';
import type {
  CaseDetail,
  Comparison,
  EvaluationRecord,
  EvaluationResults,
  NewEvaluation,
} from '#core/evaluation/record.ts';
import { reportOf } from '#core/evaluation/report/report.ts';
import { resultOf } from '#core/evaluation/results.ts';
import { placeOfUnitResult, unitResults } from '#core/evaluation/unit-results.ts';
import type { EventBody } from '#core/events.ts';
import { storedModel, type StoredModel } from '#core/exploration/models.ts';
import { exhausted } from '#core/exploration/stop.ts';
import { harnessVersion } from '#core/harness.ts';
import { isOver, runStatus, type RunStatus } from '#core/runs.ts';
import type { ModelCall } from '#core/ports.ts';
import type { Trace } from '#core/traces/trace.ts';
import { addUsage, noUsage, usage, usageOf, type RequestSide } from '#core/units/unit.ts';
import type { Directory } from './directory.ts';
import { EvaluationStore } from './evaluation-store.ts';
import { EventLog } from './event-log.ts';
import { EventStream } from './event-stream.ts';
import type { Stop } from './exploration-run.ts';

interface Env {
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly EVALUATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
}

const birth = z.object({
  id: z.string(),
  workspace: z.string(),
  config: evaluationConfig,
  agents: z.array(storedAgent),
  judge: storedModel,
  embedder: storedModel,
  servers: z.array(serverConnection),
  offline: z.boolean(),
  at: z.string(),
});
type Birth = z.infer<typeof birth>;

const standing = z.object({
  status: runStatus,
  reason: z.string().nullable(),
  driver: z.number(),
  progress: evaluationProgress,
  usage,
  judgeUsage: usage,
  endedAt: z.string().nullable(),
});
type Standing = z.infer<typeof standing>;

/** What is the same for all units of an evaluation. */
export interface EvaluationContext {
  readonly seed: number;
  readonly judges: boolean;
  readonly concurrency: number;
  readonly agents: readonly StoredAgent[];
  readonly judge: StoredModel;
  readonly embedder: StoredModel;
  readonly servers: readonly ServerConnection[];
}

/** A unit to evaluate, as it stands. */
export interface EvaluationWork {
  readonly kind: 'work';
  readonly unit: BenchmarkUnit;
  readonly plan: SubIntentPlan | null;
  /** The mounted tools. */
  readonly tools: readonly Tool[];
  readonly cases: readonly EvaluationCase[];
}

const unborn = refuse('not-found', 'there is no such evaluation');
const silentMs = 10 * 60_000;
const allMade = 'all attempts were made';

/** One evaluation: its cases, traces, scores and events. The workflow drives it; it alone writes. */
export class EvaluationRun extends DurableObject<Env> {
  readonly #storage: DurableObjectStorage;
  readonly #store: EvaluationStore;
  readonly #log: EventLog;
  readonly #stream: EventStream;
  // Read once and then kept: this object is the only writer.
  #birthRead: Birth | null = null;
  #standingRead: Standing | null = null;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#store = new EvaluationStore(state.storage.sql);
    this.#log = new EventLog(state.storage.sql);
    this.#stream = new EventStream({
      events: (after, limit) => this.#log.read(after, limit),
      isComplete: () => isOver(this.#standing().status),
    });
  }

  /** Gives birth to the run and starts its first driver; again for the same id, it returns the run as it stands. */
  async create(evaluation: NewEvaluation): Promise<EvaluationRecord> {
    const { tools, units, ...rest } = evaluation;
    if (!this.#exists()) {
      const { agents, config } = evaluation;
      const cases = units.flatMap(({ id }) =>
        casesOf(
          id,
          agents.map(({ name }) => name),
          config.trials,
        ),
      );
      const progress = {
        attempts: cases.length * 2,
        made: 0,
        notEvaluated: 0,
        relaunched: 0,
        units: units.length,
        unitsDone: 0,
      };
      this.#storage.transactionSync(() => {
        this.#store.setFact('birth', rest);
        this.#store.writeBasis(tools, units, cases);
        this.#setStanding({
          status: 'running',
          reason: null,
          driver: 1,
          progress,
          usage: noUsage,
          judgeUsage: noUsage,
          endedAt: null,
        });
        this.#tell([{ type: 'run.created' }]);
      });
    }
    await this.#begin();
    return this.#record();
  }

  get(): Result<EvaluationRecord> {
    return this.#exists() ? ok(this.#record()) : unborn;
  }

  pause(): Result<EvaluationRecord> {
    if (!this.#exists()) return unborn;
    const now = this.#standing();
    if (now.status === 'paused') return ok(this.#record());
    if (now.status !== 'running') return refuse('wrong-state', `the evaluation is ${now.status}`);
    this.#storage.transactionSync(() => {
      this.#setStanding({ ...now, status: 'paused' });
      this.#tell([{ type: 'run.paused' }]);
    });
    return ok(this.#record());
  }

  async resume(): Promise<Result<EvaluationRecord>> {
    if (!this.#exists()) return unborn;
    const now = this.#standing();
    if (now.status === 'running') return ok(this.#record());
    if (now.status !== 'paused') return refuse('wrong-state', `the evaluation is ${now.status}`);
    this.#storage.transactionSync(() => {
      this.#setStanding({ ...now, status: 'running', driver: now.driver + 1 });
      this.#tell([{ type: 'run.resumed' }]);
    });
    await this.#begin();
    return ok(this.#record());
  }

  async cancel(): Promise<Result<EvaluationRecord>> {
    if (!this.#exists()) return unborn;
    const now = this.#standing();
    if (now.status === 'cancelled') return ok(this.#record());
    if (isOver(now.status)) return refuse('wrong-state', `the evaluation is ${now.status}`);
    await this.#end('cancelled', 'cancelled by its owner');
    return ok(this.#record());
  }

  /** Gives the run a new driver if it should be driven and has been silent, or whatever it has been where `force` says so. */
  async wake(force: boolean): Promise<void> {
    if (!this.#exists()) return;
    const now = this.#standing();
    if (isOver(now.status)) return this.#directory().runEnded(this.#birth().id);
    if (now.status !== 'running') return;
    const last = this.#log.lastAt();
    const longestMs = Math.max(...this.#birth().agents.map(({ limits }) => limits.timeMs));
    if (!force && last !== null && Date.now() - Date.parse(last) < Math.max(silentMs, 2 * longestMs)) return;
    this.#drivenAnew(now);
    await this.#begin();
  }

  // What the workflow calls.

  context(): EvaluationContext {
    const { config, agents, judge, embedder, servers } = this.#birth();
    return {
      seed: config.seed,
      judges: config.judges,
      concurrency: config.concurrency,
      agents,
      judge,
      embedder,
      servers,
    };
  }

  /** Units that are not done, at most `limit`; or that there is nothing to drive. */
  async openUnits(
    driver: number,
    limit: number,
  ): Promise<{ kind: 'units'; units: string[]; concurrency: number } | Stop> {
    const stop = this.#stopFor(driver);
    if (stop !== null) return stop;
    const units = this.#store.openUnits(limit);
    if (units.length > 0) return { kind: 'units', units, concurrency: this.#birth().config.concurrency };
    await this.#end('completed', allMade);
    return { kind: 'stop', why: 'over' };
  }

  openUnit(driver: number, id: string): EvaluationWork | Stop {
    const stop = this.#stopFor(driver);
    if (stop !== null) return stop;
    const { unit, plan } = this.#unit(id);
    const { mounting } = this.#birth().config;
    const servers = [...new Set(unit.chain.map(serverOf))];
    const tools =
      mounting === 'oracle' ? servers.flatMap((server) => this.#store.toolsOfServer(server)) : this.#store.tools();
    return { kind: 'work', unit, plan, tools, cases: this.#store.casesOfUnit(id) };
  }

  /** Keeps a unit's plan; the first one counts. */
  commitPlan(id: string, plan: SubIntentPlan, calls: readonly ModelCall[]): SubIntentPlan {
    const known = this.#unit(id).plan;
    if (known !== null) return known;
    const now = this.#standing();
    if (isOver(now.status)) return plan;
    this.#storage.transactionSync(() => {
      this.#store.writePlan(id, plan);
      this.#setStanding({ ...now, judgeUsage: addUsage(now.judgeUsage, usageOf(calls)) });
    });
    return plan;
  }

  /** Commits a stage's result, unless the revision was committed before, and returns the case as it stands. */
  commitCase(
    driver: number,
    id: string,
    revision: number,
    result: CaseResult,
  ): { case: EvaluationCase; stop: Stop | null } {
    const before = this.#case(id);
    if (before.revision !== revision || isOver(this.#standing().status))
      return { case: before, stop: this.#stopFor(driver) };
    const { unit } = this.#unit(before.unit);
    const after = advanceCase(before, result, { chain: unit.chain, judges: this.#birth().config.judges });
    this.#storage.transactionSync(() => {
      this.#store.writeCase(after);
      if (result.kind === 'attempt') this.#store.writeTrace(id, result.side, result.trace);
      this.#count(result, after);
      this.#tell(eventsOf(result, after));
    });
    return { case: after, stop: this.#stopFor(driver) };
  }

  /** The trace of an attempt that was made. (The platform keeps the name `trace` to itself.) */
  attemptTrace(id: string, side: RequestSide): Trace {
    const found = this.#store.traces(id)[side];
    if (found === null) throw new Error(`case ${id} has no trace of its ${side}`);
    return found;
  }

  /** Closes a unit all of whose cases are done, and ends the evaluation where the budget says so. */
  async closeUnit(driver: number, id: string): Promise<void> {
    if (this.#stopFor(driver) !== null) return;
    if (!this.#store.casesOfUnit(id).every(({ stage }) => stage.kind === 'done')) return;
    const now = this.#standing();
    const progress = { ...now.progress, unitsDone: now.progress.unitsDone + 1 };
    this.#storage.transactionSync(() => {
      if (!this.#store.markDone(id)) return;
      this.#setStanding({ ...now, progress });
      this.#tell([{ type: 'unit.evaluated', unit: id, progress, usage: now.usage, judgeUsage: now.judgeUsage }]);
    });
    const { config, at } = this.#birth();
    const spent = addUsage(now.usage, now.judgeUsage);
    const part = exhausted(
      { ...config.budget, rounds: Number.MAX_SAFE_INTEGER },
      {
        rounds: 0,
        tokens: spent.promptTokens + spent.completionTokens,
        costUsd: spent.costUsd,
        wallMs: Date.now() - Date.parse(at),
      },
    );
    if (part !== null) await this.#end('completed', `budget: ${part} used up`);
  }

  async handOver(driver: number): Promise<void> {
    const now = this.#standing();
    if (now.status !== 'running' || now.driver > driver + 1) return;
    if (this.#store.openUnits(1).length === 0) return this.#end('completed', allMade);
    if (now.driver === driver) this.#drivenAnew(now);
    await this.#begin();
  }

  async fail(driver: number, reason: string): Promise<void> {
    if (this.#stopFor(driver) === null) await this.#end('failed', reason);
  }

  // What readers call.

  results(): EvaluationResults {
    const basis = this.#basis();
    return { agents: this.#agentNames().map((name) => resultOf(name, basis)) };
  }

  unitResults(after: string, limit: number): UnitResult[] {
    const [from = ''] = after.split('\n');
    const tools = this.#store.tools();
    const found: UnitResult[] = [];
    for (const unit of this.#store.units()) {
      if (found.length >= limit) break;
      if (unit.id < from) continue;
      const results = unitResults(unit, this.#store.casesOfUnit(unit.id), { tools });
      found.push(...results.filter((each) => placeOfUnitResult(each) > after));
    }
    return found.slice(0, limit);
  }

  breakdown(by: BreakdownBy): BreakdownGroup[] {
    return breakdownBy(by, this.#agentNames(), this.#basis());
  }

  agentTransitions(after: string, limit: number): AgentTransition[] {
    const basis = this.#basis();
    return this.#agentNames()
      .toSorted()
      .flatMap((name) => transitionsOf(name, basis))
      .filter((each) => placeOfTransition(each) > after)
      .slice(0, limit);
  }

  report(): string {
    return reportOf(this.#record(), this.#basis());
  }

  compare(a: string, b: string): Result<Comparison> {
    const names = this.#agentNames();
    const unknown = [a, b].filter((name) => !names.includes(name));
    if (unknown.length > 0) {
      return refuse('not-found', `there is no agent ${unknown.join(', ')} in it; it has ${names.join(', ')}`);
    }
    return ok(compareAgents(a, b, this.#basis()));
  }

  listCases(after: string, limit: number): EvaluationCase[] {
    return this.#store.cases(after, limit);
  }

  getCase(id: string): Result<CaseDetail> {
    const found = this.#store.case(id);
    return found === null
      ? refuse('not-found', `there is no case ${id}`)
      : ok({ case: found, traces: this.#store.traces(id) });
  }

  /** The stream of events; the query's `after` is the last event that the client has. */
  override fetch(request: Request): Response {
    if (!this.#exists()) return new Response(null, { status: 404 });
    const after = Number(new URL(request.url).searchParams.get('after') ?? '0');
    return this.#stream.response(after, request.signal);
  }

  #agentNames(): string[] {
    return this.#birth().agents.map(({ name }) => name);
  }

  #basis(): ResultsBasis {
    return {
      units: this.#store.units(),
      tools: this.#store.tools(),
      cases: this.#store.cases('', -1),
      trials: this.#birth().config.trials,
      seed: this.#birth().config.seed,
    };
  }

  /** Adds a result to the counts, inside the transaction that writes it. */
  #count(result: CaseResult, after: EvaluationCase): void {
    const now = this.#standing();
    if (result.kind === 'judgement') {
      this.#setStanding({ ...now, judgeUsage: addUsage(now.judgeUsage, usageOf(result.calls)) });
      return;
    }
    const attempt = after.attempts[result.side];
    this.#setStanding({
      ...now,
      usage: addUsage(now.usage, usageOf(result.calls)),
      progress:
        attempt === null
          ? { ...now.progress, relaunched: now.progress.relaunched + 1 }
          : counted(now.progress, attempt),
    });
  }

  #unit(id: string): { unit: BenchmarkUnit; plan: SubIntentPlan | null } {
    const found = this.#store.unit(id);
    if (found === null) throw new Error(`there is no unit ${id}`);
    return found;
  }

  #case(id: string): EvaluationCase {
    const found = this.#store.case(id);
    if (found === null) throw new Error(`there is no case ${id}`);
    return found;
  }

  #stopFor(driver: number): Stop | null {
    const now = this.#standing();
    if (isOver(now.status)) return { kind: 'stop', why: 'over' };
    if (now.status === 'paused') return { kind: 'stop', why: 'paused' };
    return driver < now.driver ? { kind: 'stop', why: 'superseded' } : null;
  }

  #drivenAnew(now: Standing): void {
    const driver = now.driver + 1;
    this.#storage.transactionSync(() => {
      this.#setStanding({ ...now, driver });
      this.#tell([{ type: 'run.driven', driver }]);
    });
  }

  async #begin(): Promise<void> {
    const { id } = this.#birth();
    const now = this.#standing();
    if (now.status !== 'running') return;
    await this.#directory().runStarted(id, 'evaluation');
    // createBatch passes over instances that exist; create would throw.
    await this.env.EVALUATION_WORKFLOW.createBatch([
      { id: `${id}-${now.driver}`, params: { run: id, driver: now.driver } },
    ]);
  }

  async #end(status: RunStatus, reason: string): Promise<void> {
    const now = this.#standing();
    this.#storage.transactionSync(() => {
      this.#setStanding({ ...now, status, reason, endedAt: new Date().toISOString() });
      this.#tell([{ type: 'run.ended', status, reason }]);
    });
    await this.#directory().runEnded(this.#birth().id);
  }

  #directory() {
    return this.env.DIRECTORY.getByName('directory');
  }

  #tell(events: readonly EventBody[]): void {
    if (events.length === 0) return;
    this.#log.append(events, new Date().toISOString());
    this.#stream.wake();
  }

  #exists(): boolean {
    this.#birthRead ??= this.#store.fact('birth', birth);
    return this.#birthRead !== null;
  }

  #birth(): Birth {
    if (!this.#exists() || this.#birthRead === null) throw new Error('the evaluation has not been created');
    return this.#birthRead;
  }

  #standing(): Standing {
    this.#standingRead ??= this.#store.fact('standing', standing);
    if (this.#standingRead === null) throw new Error('the evaluation has not been created');
    return this.#standingRead;
  }

  /** Inside a transaction that also does whatever the new standing says; where it fails, the old one is read again. */
  #setStanding(value: Standing): void {
    this.#standingRead = null;
    this.#store.setFact('standing', value);
  }

  #record(): EvaluationRecord {
    const { id, config, agents, judge, offline, at } = this.#birth();
    const { status, reason, progress, usage: spent, judgeUsage, endedAt } = this.#standing();
    return {
      id,
      status,
      reason,
      offline,
      config,
      agents: agents.map(({ name, loop, model, limits }) => ({
        name,
        loop,
        model: model.model,
        baseUrl: model.baseUrl,
        limits,
      })),
      judge: { model: judge.model, baseUrl: judge.baseUrl },
      harness: harnessVersion,
      progress,
      usage: spent,
      judgeUsage,
      createdAt: at,
      endedAt,
    };
  }
}

const counted = (progress: EvaluationProgress, attempt: AttemptRecord): EvaluationProgress => ({
  ...progress,
  made: progress.made + 1,
  notEvaluated: progress.notEvaluated + (attempt.evaluated ? 0 : 1),
});

function eventsOf(result: CaseResult, after: EvaluationCase): EventBody[] {
  const { id, agent, unit } = after;
  const { side } = result;
  const attempt = after.attempts[side];
  if (result.kind === 'judgement') {
    return [{ type: 'attempt.judged', case: id, side, ar: result.ar.value, uic: result.uic.value }];
  }
  if (attempt === null) {
    const { code = '', detail = '' } = result.fault ?? {};
    return [{ type: 'attempt.relaunched', case: id, side, code, detail }];
  }
  const { evaluated, calls, end } = attempt;
  return [{ type: 'attempt.ended', case: id, agent, unit, side, evaluated, calls: calls.length, end }];
}
