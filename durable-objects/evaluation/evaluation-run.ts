import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { maySee, type Sight } from '#core/access.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { serverConnection, type ServerConnection } from '#core/catalog/server.ts';
import { serverOf, type Tool } from '#core/catalog/tool.ts';
import { refuse } from '#core/errors.ts';
import { ok, type Result } from '#core/result.ts';
import type {
  AgentTransition,
  BreakdownBy,
  BreakdownGroup,
  ExportFormat,
  UnitResult,
} from '#core/evaluation/breakdown-record.ts';
import { announceResult } from '#core/announcements/case.ts';
import {
  advanceCase,
  isAtAttempt,
  setAside,
  type AttemptResult,
  type CaseResult,
  type EvaluationCase,
} from '#core/evaluation/case.ts';
import type { AttemptEnd, ClaimAnswer } from '#core/evaluation/claim.ts';
import {
  configurationOf,
  evaluationConfig,
  shown,
  storedAgent,
  withoutKey,
  type StoredAgent,
} from '#core/evaluation/config.ts';
import { commonFaults } from '#core/evaluation/common-faults.ts';
import type { BasisPage } from '#core/evaluation/creation.ts';
import { caseId, casesOf } from '#core/evaluation/opening.ts';
import type { SubIntentPlan } from '#core/evaluation/plan.ts';
import { evaluationProgress } from '#core/evaluation/progress-record.ts';
import {
  provenance,
  type CaseDetail,
  type Comparison,
  type EvaluationRecord,
  type EvaluationResults,
  type NewEvaluation,
} from '#core/evaluation/record.ts';
import { shardInstance, shardsOf, type Shard, type ShardParams } from '#core/evaluation/shards.ts';
import { storedModel, type StoredModel } from '#core/models/choices.ts';
import { exhausted } from '#core/budget.ts';
import { abandonedMs, isOver } from '#core/runs.ts';
import { attemptsOf } from '#core/evaluation/size.ts';
import { tallied } from '#core/evaluation/tally.ts';
import { waitsAfter } from '#core/evaluation/waits.ts';
import type { ScoredSubmission } from '#core/leaderboards/scored.ts';
import type { ModelCall } from '#core/ports.ts';
import { internalFault } from '#core/set-aside.ts';
import { broughtAttempt } from '#core/submissions/brought.ts';
import type { TraceHeader, TraceLine } from '#core/submissions/trace-file.ts';
import { withClasses, type JudgedFailure } from '#core/traces/classify-trace.ts';
import type { Trace } from '#core/traces/trace.ts';
import { addUsage, noUsage, usage, usageOf } from '#core/models/usage.ts';
import type { RequestSide } from '#core/units/unit.ts';
import type { Attempt } from '#durable-objects/attempt/attempt.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import { Beginnings, endsItsProcess } from '#durable-objects/shared/beginnings.ts';
import { EvaluationClaims } from './evaluation-claims.ts';
import { Facts } from '#durable-objects/shared/facts.ts';
import { exportStream } from './evaluation-export.ts';
import { EvaluationFigures } from './evaluation-figures.ts';
import { EvaluationReader } from './evaluation-reader.ts';
import { EvaluationStore } from './evaluation-store.ts';
import { provenanceOf } from '#durable-objects/shared/provenance.ts';
import type { Submission } from '#durable-objects/submission/submission.ts';
import { EvaluationTraces } from './evaluation-traces.ts';
import { newborn, RunLifecycle, runStanding, type Stop } from '#durable-objects/shared/run-lifecycle.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import { evaluationRunSchema } from './schema.ts';

interface Env {
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly ATTEMPT: DurableObjectNamespace<Attempt>;
  readonly SUBMISSION: DurableObjectNamespace<Submission>;
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
  /** The submission that it scores; evaluations of earlier versions scored none. */
  submission: z.string().nullable().default(null),
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
  /** The one case that the lane is for, where it is not for whatever waits. */
  readonly only?: string | undefined;
}

/** All that the recording gateway needs for an attempt. */
export interface AttemptBasis {
  readonly servers: readonly ServerConnection[];
  readonly tools: readonly Tool[];
}

const allMade = 'all attempts were made';
/** How long a case waits for another one's plan of their unit before it asks again. */
const planPatienceMs = 60_000;

/** One evaluation: its cases, traces, scores and events. Its workflows and the recording gateway drive it; it alone writes. */
export class EvaluationRun extends DurableObject<Env> {
  readonly #store: EvaluationStore;
  readonly #figures: EvaluationFigures;
  readonly #life: RunLifecycle<z.infer<typeof birth>, Standing>;
  readonly #claims: EvaluationClaims;
  readonly #beginnings: Beginnings;
  /** Who is planning a unit, and who wants to know when it is done. */
  readonly #planning = new Map<string, { readonly by: string; readonly done: PromiseWithResolvers<void> }>();
  /** How many of the rows that store, figures and lifecycle have written are in the standing already. */
  #rowsCounted = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, evaluationRunSchema);
    this.#store = new EvaluationStore(state.storage.sql);
    this.#beginnings = new Beginnings(new Facts(state.storage.sql), (id) => this.#store.mustHaveCase(id).revision);
    this.#figures = new EvaluationFigures(state.storage, this.#store);
    this.#life = new RunLifecycle({
      kind: 'evaluation',
      storage: state.storage,
      birth,
      standing,
      directory: env.DIRECTORY,
      workspace: ({ workspace }) => workspace,
      // createBatch passes over instances that exist; create would throw.
      start: async (run, driver) =>
        void (await env.EVALUATION_WORKFLOW.createBatch([{ id: `${run}-${driver}`, params: { run, driver } }])),
      driven: () => this.#store.releaseTaken(),
      ended: async () => {
        this.#forgetKeys();
        await this.#submission?.evaluated();
      },
    });
    this.#claims = new EvaluationClaims({
      store: this.#store,
      birth: () => this.#life.birth,
      status: () => this.#life.standing.status,
      quietMs: () => this.#life.quietMs ?? 0,
      tell: (events) => this.#life.tell(events),
      transaction: (change) => this.#life.transaction(change),
      open: (attempt) => env.ATTEMPT.getByName(attempt.id).open(attempt),
      commit: async ({ attempt, evaluated }, result, more) => {
        const after = await this.#commit(this.#store.mustHaveCase(evaluated), result, more);
        await this.#judgeSoon(attempt, after);
        return after;
      },
    });
  }

  /** Stores a part of the basis of a run to be; again, and once the run exists, it changes nothing. */
  async prepare({ tools, units, agents, trials }: BasisPage): Promise<void> {
    if (this.#life.exists) return;
    await this.ctx.storage.setAlarm(Date.now() + abandonedMs);
    this.#life.transaction(() => {
      // The run may have been created meanwhile.
      if (this.#life.exists) return;
      this.#store.writeBasis(tools, units);
      for (const { id } of units) {
        for (const { name, loop } of agents) {
          for (const each of casesOf(id, [name], trials))
            this.#store.addCase(each, isMadeElsewhere({ loop }) ? 'client' : 'lane');
        }
      }
    });
  }

  /** Creates the run on the basis that was prepared, and starts its first driver; again for the same id, it returns the run as it stands. */
  async create({ tools, units, ...rest }: NewEvaluation): Promise<EvaluationRecord> {
    const { agents, config } = rest;
    if (!this.#life.exists) {
      const names = new Set(tools);
      const attempts = attemptsOf({ units, agents: agents.length, trials: config.trials });
      const own = this.#store.tools().filter(({ name }) => names.has(name));
      if (own.length < names.size || this.#store.caseCount() * 2 !== attempts)
        throw new Error('the evaluation cannot be created: not all of its tools and units are stored');
      const progress = { attempts, made: 0, notEvaluated: 0, relaunched: 0, units, unitsDone: 0 };
      const begun = { progress, usage: noUsage, judgeUsage: noUsage, rowsWritten: 0, steps: 0 };
      const made = await provenanceOf(own, agents, config.judges);
      // Tools that an earlier try stored and that its servers list no longer are not part of the run.
      await this.#life.beBorn({ ...rest, provenance: made }, { ...newborn, ...begun }, () =>
        this.#store.keepTools(names),
      );
      await this.ctx.storage.deleteAlarm();
    } else await this.#life.begin();
    return this.#record();
  }

  /** Forgets the basis of a run that was never created; it may be prepared again. */
  override async alarm(): Promise<void> {
    if (!this.#life.exists) this.#life.transaction(() => this.#store.clearBasis());
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
    await this.#claims.reopen(force);
    // One that waits for its clients is not silent for want of a driver. One that is over may still have to say so.
    const waits = this.#life.standing.status === 'running' && !this.#store.hasLaneWork();
    if (!force && waits) return;
    await this.#life.wake(
      force,
      Math.max(...this.#life.birth.agents.map((agent) => ('limits' in agent ? agent.limits.timeMs : 0))),
    );
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
  async take(place: LaneTurn): Promise<EvaluationWork | Stop> {
    const stop = this.#life.stopFor(place.driver);
    if (stop !== null) return stop;
    const id = this.#store.turnOf(place.lane, place.turn) ?? this.#takeNext(place);
    if (id === null) return { kind: 'stop', why: 'nothing-left' };
    // A stage that ends process after process is not begun again.
    if (!this.#beginnings.mayBegin(id)) await this.#setStageAside(id, endsItsProcess);
    return this.#work(this.#store.mustHaveCase(id));
  }

  /** A unit's plan; null where it is for this case to make. Waits while another case is at it. */
  async planFor(unit: string, by: string): Promise<SubIntentPlan | null> {
    for (;;) {
      const { plan } = this.#store.mustHaveUnit(unit);
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
    const known = this.#store.mustHaveUnit(id).plan;
    if (known !== null) return known;
    if (!isOver(this.#life.standing.status)) {
      this.#life.transaction(() => {
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
    const before = this.#store.mustHaveCase(id);
    if (before.revision !== revision || isOver(this.#life.standing.status))
      return { case: before, kept: false, stop: this.#life.stopFor(driver) };
    const after = await this.#commit(before, result);
    return { case: after, kept: true, stop: this.#life.stopFor(driver) };
  }

  /**
   * Ends the case that a lane took, where it stands, for a reason of ours. Again, it changes nothing. False where the lane has
   * taken no case at this turn.
   */
  async setAside(place: LaneTurn, reason: string): Promise<boolean> {
    const id = this.#store.turnOf(place.lane, place.turn);
    if (id === null) return false;
    while (this.#life.stopFor(place.driver) === null && (await this.#setStageAside(id, reason)));
    return true;
  }

  /** The trace of an attempt that was made. (The platform keeps the name `trace` to itself.) */
  attemptTrace(id: string, side: RequestSide): Trace {
    const found = this.#store.traces(id)[side];
    if (found === null) throw new Error(`case ${id} has no trace of its ${side}`);
    return found;
  }

  /** Starts the next instance for a shard whose present one has no steps or requests left, which may have left cases half done. */
  async relay(params: ShardParams): Promise<void> {
    if (this.#life.stopFor(params.driver) !== null) return;
    this.#life.transaction(() => {
      this.#store.releaseLanes(shardInstance({ ...params, leg: params.leg - 1 }));
      this.#change((now) => ({ ...now, steps: now.steps + 1 }));
    });
    await this.#startShards([params]);
  }

  fail(driver: number, reason: string): Promise<void> {
    return this.#life.fail(driver, reason);
  }

  // What the recording gateway and those who claim attempts call.

  /** Hands an attempt of an external agent out; again for the same `key`, the same one. */
  async claim(
    request: { agent: string; attempt: string; key: string | null },
    sight: Sight,
  ): Promise<Result<ClaimAnswer>> {
    const readable = this.#unitsReadable(sight);
    return readable.ok ? this.#claims.claim(request) : readable;
  }

  /** The tools that an attempt sees and how to reach their servers. */
  attemptBasis(attempt: string): AttemptBasis {
    const { evaluated } = this.#store.mustHaveClaim(attempt);
    const { mounted } = this.#work(this.#store.mustHaveCase(evaluated));
    const tools = mounted === null ? this.#store.tools() : mounted.flatMap((name) => this.#store.toolsOfServer(name));
    return { servers: this.#life.birth.servers, tools };
  }

  /** Takes what came of an attempt that a client answered with a response of this digest. */
  endAttempt(attempt: string, result: AttemptResult, sha256: string): Promise<Result<AttemptEnd>> {
    return this.#claims.answered(attempt, result, sha256);
  }

  /** What an attempt counts as that ended with a response of this digest; null where it did not. */
  endedBefore(attempt: string, sha256: string): AttemptEnd | null {
    return this.#claims.takenBefore(attempt, sha256);
  }

  /** Takes an attempt back whose claim ran out. */
  claimExpired(attempt: string, result: AttemptResult): Promise<void> {
    return this.#claims.expired(attempt, result);
  }

  /** Logs that somebody came to an attempt's endpoint without its token. */
  intruded(attempt: string): void {
    if (isOver(this.#life.standing.status)) return;
    this.#life.tell([{ type: 'attempt.intruded', attempt }]);
  }

  // What the scoring of a submission calls.

  /**
   * Takes attempts that were made elsewhere; those that are here already are passed over. With `settingAside`, one that cannot be
   * taken is not evaluated.
   */
  async bring(lines: readonly TraceLine[], settingAside: boolean): Promise<void> {
    const [agent] = this.#life.birth.agents;
    if (agent === undefined) throw new Error('an evaluation has an agent');
    const configuration = configurationOf(agent);
    for (const line of lines) {
      const { unit, trial, side } = line;
      const present = this.#store.mustHaveCase(caseId({ unit, agent: agent.name, trial }));
      if (isOver(this.#life.standing.status)) return;
      if (!isAtAttempt(present, side)) continue;
      const taken = this.#commit(present, broughtAttempt(line, configuration));
      await (settingAside ? taken.catch((error: unknown) => this.#setBroughtAside(present, error)) : taken);
    }
  }

  /** Goes on without an attempt that could not be taken. What failed after that was taken comes again. */
  async #setBroughtAside({ id, revision }: EvaluationCase, error: unknown): Promise<void> {
    const isPoisoned = this.#store.mustHaveCase(id).revision === revision;
    if (!isPoisoned || findPlatformError(error) !== undefined) throw error;
    await this.#setStageAside(id, error instanceof Error ? error.message : String(error));
  }

  /** Has what was brought judged. */
  judgeBrought(): Promise<void> {
    return this.#life.handOver(newborn.driver);
  }

  /** What broke attempts for good, the commonest first. */
  faults(): string[] {
    return commonFaults(this.#store.brokenCases());
  }

  /** What an entry is made of, once the evaluation is over and everything in it was done. */
  async scored(): Promise<Result<ScoredSubmission>> {
    const { status, reason, progress } = this.#life.standing;
    // What went wrong on our side is not told to whoever submitted.
    if (status === 'failed') return refuse('wrong-state', 'its evaluation failed on our side; submit it anew');
    if (status !== 'completed' || progress.unitsDone < progress.units)
      return refuse('wrong-state', `its evaluation is ${status}: ${reason ?? 'not all attempts were made'}`);
    const [agent] = this.#life.birth.agents;
    if (agent === undefined) throw new Error('the evaluation has no agent');
    return ok(await this.#traces(agent).scored(await this.#reader.scored(agent.name)));
  }

  traceHeader(name: string, sight: Sight): Result<TraceHeader> {
    const agent = this.#traced(name, sight);
    return agent.ok ? ok(this.#traces(agent.value).header()) : agent;
  }

  /** An agent's attempts at public units after one of them, both of some cases. */
  async traceLines(
    name: string,
    after: Pick<TraceLine, 'unit' | 'trial'> | null,
    sight: Sight,
  ): Promise<Result<TraceLine[]>> {
    const agent = this.#traced(name, sight);
    return agent.ok ? ok(await this.#traces(agent.value).lines(after)) : agent;
  }

  #traced(name: string, sight: Sight): Result<StoredAgent> {
    const readable = this.#unitsReadable(sight);
    if (!readable.ok) return readable;
    const { agents } = this.#life.birth;
    const agent = agents.find((each) => each.name === name);
    if (agent === undefined)
      return refuse(
        'not-found',
        `there is no agent ${name} in it; it has ${agents.map((each) => each.name).join(', ')}`,
      );
    const { status } = this.#life.standing;
    return isOver(status)
      ? ok(agent)
      : refuse('wrong-state', `the evaluation is ${status}; its traces can be taken when it is over`);
  }

  #traces(agent: StoredAgent): EvaluationTraces {
    const { endedAt } = this.#life.standing;
    const { birth } = this.#life;
    return new EvaluationTraces(this.#store, { ...birth, endedAt: endedAt ?? birth.at }, agent);
  }

  // What readers call.

  async results(): Promise<Result<EvaluationResults>> {
    return this.#read(this.#readable(), () => this.#reader.results());
  }

  async unitResults(after: string, limit: number, sight: Sight): Promise<Result<UnitResult[]>> {
    return this.#read(this.#unitsReadable(sight), () => this.#reader.unitResults(after, limit));
  }

  async breakdown(by: BreakdownBy, sight: Sight): Promise<Result<BreakdownGroup[]>> {
    return this.#read(this.#unitsReadable(sight), () => this.#reader.breakdown(by));
  }

  async agentTransitions(after: string, limit: number, sight: Sight): Promise<Result<AgentTransition[]>> {
    return this.#read(this.#unitsReadable(sight), () => this.#reader.transitions(after, limit));
  }

  async report(sight: Sight): Promise<Result<string>> {
    return this.#read(this.#unitsReadable(sight), () => this.#reader.report(this.#record()));
  }

  async compare(a: string, b: string): Promise<Result<Comparison>> {
    const readable = this.#readable();
    return readable.ok ? this.#reader.compare(a, b) : readable;
  }

  async export(format: ExportFormat, sight: Sight): Promise<Result<ReadableStream<Uint8Array>>> {
    return this.#read(this.#unitsReadable(sight), () => exportStream(format, this.#store));
  }

  async listCases(after: string, limit: number, sight: Sight): Promise<Result<EvaluationCase[]>> {
    return this.#read(this.#unitsReadable(sight), () => this.#store.cases(after, limit));
  }

  getCase(id: string, sight: Sight): Result<CaseDetail> {
    const readable = this.#unitsReadable(sight);
    if (!readable.ok) return readable;
    const found = this.#store.case(id);
    return found === null
      ? refuse('not-found', `there is no case ${id}`)
      : ok({ case: found, traces: this.#store.traces(id) });
  }

  override fetch(request: Request): Response {
    const sight = new URL(request.url).searchParams.get('sight') === 'everything' ? 'everything' : 'public';
    const readable = this.#unitsReadable(sight);
    if (!readable.ok && readable.problem.code === 'forbidden') return new Response(null, { status: 403 });
    return this.#life.follow(request);
  }

  #readable(): Result<null> {
    return this.#life.shown(() => null);
  }

  /** Whether a reader may see single units, their chains or their tools. */
  #unitsReadable(sight: Sight): Result<null> {
    const readable = this.#readable();
    return readable.ok ? maySee(sight, this.#life.birth.config.split) : readable;
  }

  async #read<T>(readable: Result<null>, read: () => T | Promise<T>): Promise<Result<T>> {
    return readable.ok ? ok(await read()) : readable;
  }

  #after(result: Result<null>): Result<EvaluationRecord> {
    return result.ok ? ok(this.#record()) : result;
  }

  #takeNext({ lane, turn, only }: LaneTurn): string | null {
    const [next] = this.#store.forLanes(1);
    const id = only === undefined ? next : this.#store.isForLanes(only) ? only : undefined;
    if (id === undefined) return null;
    this.#life.transaction(() => {
      this.#store.setWaits(id, 'taken');
      this.#store.writeTurn(lane, turn, id);
      this.#change((now) => ({ ...now, steps: now.steps + 1 }));
    });
    return id;
  }

  #work(each: EvaluationCase): EvaluationWork {
    const { unit, plan } = this.#store.mustHaveUnit(each.unit);
    const oracle = this.#life.birth.config.mounting === 'oracle';
    return { kind: 'work', case: each, unit, plan, mounted: oracle ? [...new Set(unit.chain.map(serverOf))] : null };
  }

  /** Commits a result, with what else belongs to it, and ends what ends with it: the case, its unit, the run. */
  async #commit(
    before: EvaluationCase,
    result: CaseResult,
    more: (after: EvaluationCase) => void = () => undefined,
  ): Promise<EvaluationCase> {
    const { unit } = this.#store.mustHaveUnit(before.unit);
    const { config } = this.#life.birth;
    const after = advanceCase(before, result, { chain: unit.chain, judges: config.judges });
    const waits = waitsAfter(after, result.kind, this.#isMadeElsewhere(after.agent));
    let endsUnit = false;
    this.#life.transaction(() => {
      more(after);
      this.#store.writeCase(after, waits);
      this.#figures.keep(after, unit.chain);
      if (result.kind === 'attempt') this.#store.writeTrace(after.id, result.side, result.trace);
      else if (result.classes.length > 0) this.#writeClasses(after.id, result.side, result.classes);
      endsUnit = waits === 'nobody' && this.#store.openCases(after.unit) === 0;
      this.#change((now) => ({ ...now, ...tallied(now, result, after, endsUnit) }));
      this.#life.tell(announceResult(result, after));
      if (endsUnit) this.#tellOfUnit(after.unit);
    });
    await this.#endIfDue();
    if (endsUnit) await this.#submission?.progressed(this.#life.standing.progress);
    return after;
  }

  /** Ends the open stage of a case for a reason of ours. False where the case is done. */
  async #setStageAside(id: string, reason: string): Promise<boolean> {
    const before = this.#store.mustHaveCase(id);
    const result = setAside(before, reason);
    if (result === null) return false;
    const { kind: stage, side } = result;
    const { detail } = internalFault(stage, reason);
    await this.#commit(before, result, () =>
      this.#life.tell([{ type: 'case.set-aside', case: id, side, stage, detail }]),
    );
    return true;
  }

  get #submission(): RpcOf<Submission, 'progressed' | 'evaluated'> | null {
    const { submission } = this.#life.birth;
    return submission === null ? null : this.env.SUBMISSION.getByName(submission);
  }

  /** Keys that a submitter gave were given for this run only. */
  #forgetKeys(): void {
    const { birth } = this.#life;
    if (birth.submission === null) return;
    const agents = birth.agents.map(withoutKey);
    this.#life.birth = { ...birth, agents };
  }

  #writeClasses(id: string, side: RequestSide, classes: readonly JudgedFailure[]): void {
    this.#store.writeTrace(id, side, withClasses(this.attemptTrace(id, side), classes));
  }

  #tellOfUnit(unit: string): void {
    const { progress, usage: spent, judgeUsage } = this.#life.standing;
    this.#life.tell([{ type: 'unit.evaluated', unit, progress, usage: spent, judgeUsage }]);
  }

  async #endIfDue(): Promise<void> {
    const { progress, usage: spentByAgents, judgeUsage } = this.#life.standing;
    if (progress.unitsDone === progress.units) return this.#life.end('completed', allMade);
    const { config, at } = this.#life.birth;
    const spent = addUsage(spentByAgents, judgeUsage);
    const part = exhausted(config.budget, {
      tokens: spent.promptTokens + spent.completionTokens,
      costUsd: spent.costUsd,
      wallMs: Date.now() - Date.parse(at),
    });
    if (part !== null) await this.#life.end('completed', `budget: ${part} used up`);
  }

  /** What a client brought in is judged by a lane of its own, which does nothing else: `concurrency` is for the others. */
  async #judgeSoon(attempt: string, { id, stage }: EvaluationCase): Promise<void> {
    const { status, driver } = this.#life.standing;
    if (status !== 'running' || stage.kind !== 'judgement') return;
    const shard = { name: attempt, lanes: 1, only: id };
    await this.#startShards([{ run: this.#life.birth.id, driver, shard, leg: 1 }]);
  }

  async #startShards(shards: readonly ShardParams[]): Promise<void> {
    await this.env.EVALUATION_SHARD_WORKFLOW.createBatch(
      shards.map((params) => ({ id: shardInstance(params), params })),
    );
  }

  #isMadeElsewhere(name: string): boolean {
    return this.#life.birth.agents.some((agent) => agent.name === name && isMadeElsewhere(agent));
  }

  #planned(unit: string): void {
    this.#planning.get(unit)?.done.resolve();
    this.#planning.delete(unit);
  }

  /** Changes the standing, and counts in it the rows that were written since it last changed. */
  #change(change: (now: Standing) => Standing): void {
    const written = this.#store.rowsWritten + this.#figures.rowsWritten + this.#life.rowsWritten;
    const now = this.#life.standing;
    this.#life.standing = { ...change(now), rowsWritten: now.rowsWritten + written - this.#rowsCounted };
    this.#rowsCounted = written;
  }

  get #reader(): EvaluationReader {
    return new EvaluationReader(this.#figures, this.#store, this.#life.birth);
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

/** Whether somebody else than a lane makes an agent's attempts. */
const isMadeElsewhere = ({ loop }: Pick<StoredAgent, 'loop'>): boolean => loop === 'external' || loop === 'uploaded';
