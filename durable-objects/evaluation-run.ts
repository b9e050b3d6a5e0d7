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
import {
  advanceCase,
  type AttemptRecord,
  type AttemptResult,
  type CaseResult,
  type EvaluationCase,
} from '#core/evaluation/case.ts';
import type { ClaimAnswer } from '#core/evaluation/claim.ts';
import { compareAgents } from '#core/evaluation/compare.ts';
import { evaluationConfig, shown, storedAgent, type StoredAgent } from '#core/evaluation/config.ts';
import { casesOf, placeOf } from '#core/evaluation/opening.ts';
import type { SubIntentPlan } from '#core/evaluation/plan.ts';
import { evaluationProgress, type EvaluationProgress } from '#core/evaluation/progress-record.ts';
import {
  provenance,
  type CaseDetail,
  type Comparison,
  type EvaluationRecord,
  type EvaluationResults,
  type NewEvaluation,
} from '#core/evaluation/record.ts';
import { reportOf } from '#core/evaluation/report/report.ts';
import { resultOf } from '#core/evaluation/results.ts';
import { placeOfUnitResult, unitResults } from '#core/evaluation/unit-results.ts';
import { shardInstance, shardsOf, type Shard, type ShardParams } from '#core/evaluation/shards.ts';
import type { EventBody } from '#core/events.ts';
import { storedModel, type StoredModel } from '#core/exploration/models.ts';
import { exhausted } from '#core/exploration/stop.ts';
import { isOver } from '#core/runs.ts';
import type { ModelCall } from '#core/ports.ts';
import { withClasses, type JudgedFailure } from '#core/traces/classify-trace.ts';
import type { Trace } from '#core/traces/trace.ts';
import { addUsage, noUsage, usage, usageOf, type RequestSide } from '#core/units/unit.ts';
import type { Attempt } from './attempt.ts';
import type { Directory } from './directory.ts';
import { EvaluationStore, type Claim, type Waits } from './evaluation-store.ts';
import { provenanceOf } from './provenance.ts';
import { newborn, RunLifecycle, runStanding, type Stop } from './run-lifecycle.ts';

interface Env {
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly ATTEMPT: DurableObjectNamespace<Attempt>;
  readonly EVALUATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
  readonly EVALUATION_SHARD_WORKFLOW: Workflow<ShardParams>;
}

const birth = z.object({
  id: z.string(),
  workspace: z.string(),
  config: evaluationConfig,
  agents: z.array(storedAgent).readonly(),
  judge: storedModel,
  embedder: storedModel,
  servers: z.array(serverConnection).readonly(),
  offline: z.boolean(),
  provenance,
  at: z.string(),
});

const standing = runStanding.extend({
  progress: evaluationProgress,
  usage,
  judgeUsage: usage,
  rowsWritten: z.number(),
  steps: z.number(),
});
type Standing = z.infer<typeof standing>;

/** What is the same for all cases of an evaluation. */
export interface EvaluationContext {
  readonly id: string;
  readonly seed: number;
  readonly judges: boolean;
  readonly recording: Pick<z.infer<typeof evaluationConfig>, 'recording' | 'recordingId'>;
  readonly agents: readonly StoredAgent[];
  readonly judge: StoredModel;
  readonly embedder: StoredModel;
  readonly servers: readonly ServerConnection[];
}

/** A case to work on, as it stands. */
export interface EvaluationWork {
  readonly kind: 'work';
  readonly case: EvaluationCase;
  readonly unit: BenchmarkUnit;
  readonly plan: SubIntentPlan | null;
  /** Servers whose tools are mounted; null for all. */
  readonly mounted: readonly string[] | null;
}

/** Where a lane stands: the shard's instance, the lane in it, and how often it has taken a case. */
export interface LaneTurn {
  readonly driver: number;
  readonly lane: string;
  readonly turn: number;
}

/** All that the recording gateway needs for an attempt. */
export interface AttemptBasis {
  readonly servers: readonly ServerConnection[];
  readonly tools: readonly Tool[];
}

const allMade = 'all attempts were made';
/** Claims of one attempt that may run out before its agent is taken to be too slow. */
const claimsPerAttempt = 3;
/** How long a case waits for another one's plan of their unit before it asks again. */
const planPatienceMs = 60_000;

/** One evaluation: its cases, traces, scores and events. Its workflows and the recording gateway drive it; it alone writes. */
export class EvaluationRun extends DurableObject<Env> {
  readonly #storage: DurableObjectStorage;
  readonly #store: EvaluationStore;
  readonly #life: RunLifecycle<z.infer<typeof birth>, Standing>;
  /** Who is planning a unit, and who wants to know when it is done. */
  readonly #planning = new Map<string, { readonly by: string; readonly done: PromiseWithResolvers<void> }>();
  /** How many of the rows that store and lifecycle have written are in the standing already. */
  #rowsCounted = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#store = new EvaluationStore(state.storage.sql);
    this.#life = new RunLifecycle({
      kind: 'evaluation',
      storage: state.storage,
      birth,
      standing,
      directory: env.DIRECTORY,
      // createBatch passes over instances that exist; create would throw.
      start: async (run, driver) =>
        void (await env.EVALUATION_WORKFLOW.createBatch([{ id: `${run}-${driver}`, params: { run, driver } }])),
      driven: () => this.#store.releaseTaken(),
    });
  }

  /** Gives birth to the run and starts its first driver; again for the same id, it returns the run as it stands. */
  async create({ tools, units, ...rest }: NewEvaluation): Promise<EvaluationRecord> {
    const { agents, config } = rest;
    const attempts = units.length * agents.length * config.trials * 2;
    const progress = { attempts, made: 0, notEvaluated: 0, relaunched: 0, units: units.length, unitsDone: 0 };
    const begun = { progress, usage: noUsage, judgeUsage: noUsage, rowsWritten: 0, steps: 0 };
    const made = await provenanceOf(tools, agents, config.judges);
    await this.#life.beBorn({ ...rest, provenance: made }, { ...newborn, ...begun }, () => {
      this.#store.writeBasis(tools, units);
      for (const { id } of units) {
        for (const { name, loop } of agents) {
          for (const each of casesOf(id, [name], config.trials))
            this.#store.addCase(each, loop === 'external' ? 'client' : 'lane');
        }
      }
    });
    return this.#record();
  }

  get(): Result<EvaluationRecord> {
    return this.#life.shown(() => this.#record());
  }

  pause(): Result<EvaluationRecord> {
    return this.#after(this.#life.pause());
  }

  async resume(): Promise<Result<EvaluationRecord>> {
    return this.#after(await this.#life.resume());
  }

  async cancel(): Promise<Result<EvaluationRecord>> {
    return this.#after(await this.#life.cancel());
  }

  /** Gives the run new drivers if it has work for them and has been silent, or whatever it has been where `force` says so. */
  async wake(force: boolean): Promise<void> {
    if (!this.#life.exists) return;
    // One that waits for its clients is not silent for want of a driver.
    if (!force && !this.#store.hasLaneWork()) return;
    await this.#life.wake(force, Math.max(...this.#life.birth.agents.map(({ limits }) => limits.timeMs)));
  }

  // What the workflows call.

  context(): EvaluationContext {
    const { id, config, agents, judge, embedder, servers } = this.#life.birth;
    const { seed, judges, recording, recordingId } = config;
    return {
      id,
      seed,
      judges,
      recording: recordingId === undefined ? { recording } : { recording, recordingId },
      agents,
      judge,
      embedder,
      servers,
    };
  }

  /** The tools of one server, or all. */
  mountedTools(server: string | null): Tool[] {
    return server === null ? this.#store.tools() : this.#store.toolsOfServer(server);
  }

  /** The shards that the present work is to be done in; none where all of it is a client's. */
  async open(driver: number): Promise<{ kind: 'shards'; shards: Shard[] } | Stop> {
    // What was cut off between the last commit and the end of the run.
    if (this.#life.standing.status === 'running') await this.#endIfDue();
    const stop = this.#life.stopFor(driver);
    if (stop !== null) return stop;
    const { concurrency } = this.#life.birth.config;
    const shards = shardsOf(this.#store.forLanes(concurrency).length);
    // Opening them, starting them, and what their lanes end with.
    this.#change((now) => ({ ...now, steps: now.steps + 2 }));
    return { kind: 'shards', shards };
  }

  /** The next case for a lane; the same one when asked again for the same turn. */
  take({ driver, lane, turn }: LaneTurn): EvaluationWork | Stop {
    const stop = this.#life.stopFor(driver);
    if (stop !== null) return stop;
    const id = this.#store.turnOf(lane, turn) ?? this.#takeNext(lane, turn);
    return id === null ? { kind: 'stop', why: 'nothing-left' } : this.#work(this.#case(id));
  }

  /** A unit's plan; null where it is for this case to make. Waits while another case is at it. */
  async planFor(unit: string, by: string): Promise<SubIntentPlan | null> {
    for (;;) {
      const { plan } = this.#unit(unit);
      const planner = this.#planning.get(unit);
      if (plan !== null) return plan;
      if (planner === undefined || planner.by === by) {
        if (planner === undefined) this.#planning.set(unit, { by, done: Promise.withResolvers() });
        return null;
      }
      // One who was cut off never tells: then it is for the next to make.
      const patience = setTimeout(() => this.#planned(unit), planPatienceMs);
      await planner.done.promise;
      clearTimeout(patience);
    }
  }

  /** Keeps a unit's plan; the first one counts. */
  commitPlan(id: string, plan: SubIntentPlan, calls: readonly ModelCall[]): SubIntentPlan {
    const known = this.#unit(id).plan;
    if (known !== null) return known;
    if (!isOver(this.#life.standing.status)) {
      this.#storage.transactionSync(() => {
        this.#store.writePlan(id, plan);
        this.#change((now) => ({ ...now, judgeUsage: addUsage(now.judgeUsage, usageOf(calls)) }));
      });
    }
    this.#planned(id);
    return plan;
  }

  /**
   * Commits a stage's result, unless the revision was committed before, and returns the case as it stands. `kept` says whether it
   * was this result that counts.
   */
  async commitCase(
    driver: number,
    id: string,
    revision: number,
    result: CaseResult,
  ): Promise<{ case: EvaluationCase; kept: boolean; stop: Stop | null }> {
    const before = this.#case(id);
    if (before.revision !== revision || isOver(this.#life.standing.status))
      return { case: before, kept: false, stop: this.#life.stopFor(driver) };
    const after = await this.#commit(before, result);
    return { case: after, kept: true, stop: this.#life.stopFor(driver) };
  }

  /** The trace of an attempt that was made. (The platform keeps the name `trace` to itself.) */
  attemptTrace(id: string, side: RequestSide): Trace {
    const found = this.#store.traces(id)[side];
    if (found === null) throw new Error(`case ${id} has no trace of its ${side}`);
    return found;
  }

  /** Starts the next instance for a shard whose present one has no steps left. */
  async relay(params: ShardParams): Promise<void> {
    if (this.#life.stopFor(params.driver) !== null) return;
    this.#change((now) => ({ ...now, steps: now.steps + 1 }));
    await this.#startShards([params]);
  }

  fail(driver: number, reason: string): Promise<void> {
    return this.#life.fail(driver, reason);
  }

  // What the recording gateway and those who claim attempts call.

  /**
   * Hands an attempt of an external agent out, under the id that the caller made for it; again for the same `key`, the same one.
   */
  async claim(request: { agent: string; attempt: string; key: string | null }): Promise<Result<ClaimAnswer>> {
    const { agents } = this.#life.birth;
    const agent = agents.find(({ name }) => name === request.agent);
    if (agent?.loop !== 'external') {
      const external = agents.filter(({ loop }) => loop === 'external').map(({ name }) => name);
      return refuse(
        'not-found',
        `there is no external agent ${request.agent} in it; it has ${external.join(', ') || 'none'}`,
      );
    }
    const { status } = this.#life.standing;
    const known = request.key === null ? null : this.#store.claimOfKey(request.key);
    if (known !== null) return ok(await this.#handOut(known));
    if (isOver(status)) return ok({ kind: 'finished' });
    const id = status === 'running' ? this.#store.forClient(request.agent) : null;
    if (id === null) return ok({ kind: this.#store.unmadeCases(request.agent) === 0 ? 'finished' : 'wait' });
    const { stage } = this.#case(id);
    if (stage.kind !== 'attempt') throw new Error(`case ${id} is not at an attempt`);
    const { attempt, key } = request;
    const deadline = new Date(Date.now() + agent.limits.timeMs).toISOString();
    const claim: Claim = { attempt, evaluated: id, side: stage.side, deadline, state: 'open' };
    this.#storage.transactionSync(() => {
      this.#store.addClaim(claim, key);
      this.#store.setWaits(id, 'claimed');
      this.#life.tell([{ type: 'attempt.claimed', attempt, case: id, side: stage.side, deadline }]);
    });
    return ok(await this.#handOut(claim));
  }

  /** The tools that an attempt sees and how to reach their servers. */
  attemptBasis(attempt: string): AttemptBasis {
    const { evaluated } = this.#claim(attempt);
    const { mounted } = this.#work(this.#case(evaluated));
    const tools = mounted === null ? this.#store.tools() : mounted.flatMap((name) => this.#store.toolsOfServer(name));
    return { servers: this.#life.birth.servers, tools };
  }

  /** Takes what came of an attempt that a client answered. Once: later answers, and those after the deadline, are refused. */
  async endAttempt(attempt: string, result: AttemptResult): Promise<Result<{ evaluated: boolean; again: boolean }>> {
    const claim = this.#claim(attempt);
    if (claim.state !== 'open') {
      const why =
        claim.state === 'answered' ? 'was answered already' : 'ran out, and its attempt is in the queue again';
      return refuse('attempt-over', `the claim ${why}`);
    }
    if (isOver(this.#life.standing.status)) {
      return refuse('attempt-over', `the evaluation is ${this.#life.standing.status}`);
    }
    const before = this.#case(claim.evaluated);
    const after = await this.#commit(before, result, () => this.#store.setClaimState(attempt, 'answered'));
    await this.#judgeSoon(attempt, after);
    const made = after.attempts[result.side];
    return ok({ evaluated: made?.evaluated === true, again: made === null });
  }

  /** Puts an attempt whose claim ran out back into the queue; at the third time the agent has used up its time. */
  async claimExpired(attempt: string, result: AttemptResult): Promise<void> {
    const claim = this.#claim(attempt);
    if (claim.state !== 'open') return;
    const { evaluated, side } = claim;
    const expire = (): void => {
      this.#store.setClaimState(attempt, 'expired');
      this.#life.tell([{ type: 'attempt.expired', attempt, case: evaluated, side }]);
    };
    if (isOver(this.#life.standing.status)) return this.#store.setClaimState(attempt, 'expired');
    if (this.#store.expiredClaims(evaluated, side) + 1 >= claimsPerAttempt) {
      const after = await this.#commit(this.#case(evaluated), { ...result, fault: null }, expire);
      return this.#judgeSoon(attempt, after);
    }
    this.#storage.transactionSync(() => {
      expire();
      this.#store.setWaits(evaluated, 'client');
    });
  }

  /** Logs that somebody came to an attempt's endpoint without its token. */
  intruded(attempt: string): void {
    if (isOver(this.#life.standing.status)) return;
    this.#life.tell([{ type: 'attempt.intruded', attempt }]);
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

  override fetch(request: Request): Response {
    return this.#life.follow(request);
  }

  #after(result: Result<null>): Result<EvaluationRecord> {
    return result.ok ? ok(this.#record()) : result;
  }

  #takeNext(lane: string, turn: number): string | null {
    const [id] = this.#store.forLanes(1);
    if (id === undefined) return null;
    this.#storage.transactionSync(() => {
      this.#store.setWaits(id, 'taken');
      this.#store.writeTurn(lane, turn, id);
      this.#change((now) => ({ ...now, steps: now.steps + 1 }));
    });
    return id;
  }

  #work(each: EvaluationCase): EvaluationWork {
    const { unit, plan } = this.#unit(each.unit);
    const oracle = this.#life.birth.config.mounting === 'oracle';
    return { kind: 'work', case: each, unit, plan, mounted: oracle ? [...new Set(unit.chain.map(serverOf))] : null };
  }

  /** Commits a result, with what else belongs to it, and ends what ends with it: the case, its unit, the run. */
  async #commit(
    before: EvaluationCase,
    result: CaseResult,
    more: () => void = () => undefined,
  ): Promise<EvaluationCase> {
    const { unit } = this.#unit(before.unit);
    const { config } = this.#life.birth;
    const after = advanceCase(before, result, { chain: unit.chain, judges: config.judges });
    const external = this.#isExternal(after.agent);
    this.#storage.transactionSync(() => {
      more();
      this.#store.writeCase(after);
      if (result.kind === 'attempt') this.#store.writeTrace(after.id, result.side, result.trace);
      else if (result.classes.length > 0) this.#writeClasses(after.id, result.side, result.classes);
      this.#change((now) => counted(now, result, after));
      this.#life.tell(eventsOf(result, after));
      const waits = waitsAfter(after, result.kind, external);
      if (waits !== null) this.#store.setWaits(after.id, waits);
      if (waits === 'nobody') this.#closeUnit(after.unit);
    });
    await this.#endIfDue();
    return after;
  }

  #writeClasses(id: string, side: RequestSide, classes: readonly JudgedFailure[]): void {
    this.#store.writeTrace(id, side, withClasses(this.attemptTrace(id, side), classes));
  }

  #closeUnit(unit: string): void {
    if (this.#store.openCases(unit) > 0) return;
    this.#change((now) => ({ ...now, progress: { ...now.progress, unitsDone: now.progress.unitsDone + 1 } }));
    const { progress, usage: spent, judgeUsage } = this.#life.standing;
    this.#life.tell([{ type: 'unit.evaluated', unit, progress, usage: spent, judgeUsage }]);
  }

  async #endIfDue(): Promise<void> {
    const { progress, usage: spentByAgents, judgeUsage } = this.#life.standing;
    if (progress.unitsDone === progress.units) return this.#life.end('completed', allMade);
    const { config, at } = this.#life.birth;
    const spent = addUsage(spentByAgents, judgeUsage);
    const part = exhausted(
      { ...config.budget, rounds: Number.MAX_SAFE_INTEGER },
      {
        rounds: 0,
        tokens: spent.promptTokens + spent.completionTokens,
        costUsd: spent.costUsd,
        wallMs: Date.now() - Date.parse(at),
      },
    );
    if (part !== null) await this.#life.end('completed', `budget: ${part} used up`);
  }

  /** What a client brought in is judged by a lane of its own. */
  async #judgeSoon(attempt: string, { stage }: EvaluationCase): Promise<void> {
    const { status, driver } = this.#life.standing;
    if (status !== 'running' || stage.kind !== 'judgement') return;
    const shard = { name: attempt, lanes: 1 };
    await this.#startShards([{ run: this.#life.birth.id, driver, shard, leg: 1 }]);
  }

  async #startShards(shards: readonly ShardParams[]): Promise<void> {
    await this.env.EVALUATION_SHARD_WORKFLOW.createBatch(
      shards.map((params) => ({ id: shardInstance(params), params })),
    );
  }

  async #handOut({ attempt, evaluated, side, deadline, state }: Claim): Promise<ClaimAnswer> {
    const { id, workspace, config } = this.#life.birth;
    const { unit, agent } = this.#case(evaluated);
    const { limits } = this.#external(agent);
    if (state === 'open') {
      const { recording, recordingId = null } = config;
      await this.env.ATTEMPT.getByName(attempt).open({
        id: attempt,
        run: id,
        workspace,
        unit,
        side,
        place: placeOf(this.#case(evaluated), side),
        deadline,
        callTimeoutMs: limits.callTimeoutMs,
        recording,
        recordingId,
        at: new Date().toISOString(),
      });
    }
    return { kind: 'claimed', attempt, request: this.#unit(unit).unit[side], deadline };
  }

  #external(name: string) {
    const agent = this.#life.birth.agents.find((each) => each.name === name);
    if (agent?.loop !== 'external') throw new Error(`there is no external agent ${name}`);
    return agent;
  }

  #isExternal(name: string): boolean {
    return this.#life.birth.agents.some((agent) => agent.name === name && agent.loop === 'external');
  }

  #claim(attempt: string): Claim {
    const found = this.#store.claim(attempt);
    if (found === null) throw new Error(`there is no claim ${attempt}`);
    return found;
  }

  #planned(unit: string): void {
    this.#planning.get(unit)?.done.resolve();
    this.#planning.delete(unit);
  }

  /** Changes the standing, and counts in it the rows that were written since it last changed. */
  #change(change: (now: Standing) => Standing): void {
    const written = this.#store.rowsWritten + this.#life.rowsWritten;
    const now = this.#life.standing;
    this.#life.standing = { ...change(now), rowsWritten: now.rowsWritten + written - this.#rowsCounted };
    this.#rowsCounted = written;
  }

  #agentNames(): string[] {
    return this.#life.birth.agents.map(({ name }) => name);
  }

  #basis(): ResultsBasis {
    return {
      units: this.#store.units(),
      tools: this.#store.tools(),
      cases: this.#store.cases('', -1),
      trials: this.#life.birth.config.trials,
      seed: this.#life.birth.config.seed,
    };
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

  #record(): EvaluationRecord {
    const { id, config, agents, judge, offline, provenance: made, at } = this.#life.birth;
    const { status, reason, progress, usage: spent, judgeUsage, rowsWritten, steps, endedAt } = this.#life.standing;
    return {
      id,
      status,
      reason,
      offline,
      config,
      agents: agents.map(shown),
      judge: { model: judge.model, baseUrl: judge.baseUrl },
      provenance: made,
      progress,
      usage: spent,
      judgeUsage,
      rowsWritten,
      steps,
      createdAt: at,
      endedAt,
    };
  }
}

/** Whose turn a case is after a commit; null where that has not changed. */
function waitsAfter({ stage }: EvaluationCase, ended: CaseResult['kind'], external: boolean): Waits | null {
  if (stage.kind === 'done') return 'nobody';
  if (!external || ended === 'judgement') return null;
  return stage.kind === 'attempt' ? 'client' : 'lane';
}

function counted(now: Standing, result: CaseResult, after: EvaluationCase): Standing {
  if (result.kind === 'judgement') return { ...now, judgeUsage: addUsage(now.judgeUsage, usageOf(result.calls)) };
  const attempt = after.attempts[result.side];
  return {
    ...now,
    usage: addUsage(now.usage, usageOf(result.calls)),
    progress:
      attempt === null
        ? { ...now.progress, relaunched: now.progress.relaunched + 1 }
        : withAttempt(now.progress, attempt),
  };
}

const withAttempt = (progress: EvaluationProgress, attempt: AttemptRecord): EvaluationProgress => ({
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
