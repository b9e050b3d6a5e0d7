import { charsPerCall } from '#core/evaluation/chars-per-call.ts';
import type { Sight } from '#core/access/access.ts';
import type {
  AgentTransition,
  BreakdownBy,
  BreakdownGroup,
  MountedInAttempt,
  UnitResult,
} from '#core/evaluation/breakdown-record.ts';
import type { CaseFilter, PageOfCases } from '#core/evaluation/case-filter.ts';
import { threeMostFrequentFaultTexts } from '#core/evaluation/common-fault-texts.ts';
import { agentWithoutOwnKeys } from '#core/evaluation/config.ts';
import type { BasisPage } from '#core/evaluation/create-on-basis.ts';
import type { ExplainedCase } from '#core/evaluation/explained-case.ts';
import type { SubIntentPlan } from '#core/evaluation/sub-intent-plan.ts';
import { makeEvaluationContext, makeEvaluationRecord, type EvaluationContext } from '#core/evaluation/client-view.ts';
import type { CaseDetail, EvaluationRecord, EvaluationResults, NewEvaluation } from '#core/evaluation/record.ts';
import type { ShardParams } from '#core/evaluation/shards.ts';
import type { BenchmarkFloor } from '#core/evaluation/floor.ts';
import type { ScoredSubmission } from '#core/leaderboards/scored-submission.ts';
import { noUsage } from '#core/models/usage.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { ok, type Result } from '#core/values/result.ts';
import { abandonedMs } from '#core/exploration/runs.ts';
import type { TraceHeader, TraceLine } from '#core/leaderboards/submissions/trace-file.ts';
import type { Trace } from '#core/traces/trace.ts';
import { type RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import type { Attempt } from '#durable-objects/attempt/attempt.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import type { NumberedWrite } from '#core/traces/writes.ts';
import { WritesTable } from '#durable-objects/shared/writes-table.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { makeEvaluationProvenance } from '#durable-objects/shared/provenance.ts';
import { initialStanding, RunLifecycle, type Stop } from '#durable-objects/shared/run-lifecycle.ts';
import type { Submission } from '#durable-objects/submission/submission.ts';
import { readToolsAndCountAttemptsOrThrow, storeToolsUnitsAndCases } from './evaluation-basis.ts';
import { EvaluationCases, type SubmissionOfRun } from './evaluation-cases.ts';
import { EvaluationClaims } from './evaluation-claims.ts';
import { EvaluationEmbedding, type TextsToEmbed } from './evaluation-embedding.ts';
import { EvaluationFigures } from './evaluation-figures.ts';
import type { JudgedParts } from './judged-evaluation.ts';
import {
  type CaseOutcome,
  EvaluationLanes,
  type CommittedCase,
  type EvaluationWork,
  type LaneTurn,
  type OpenedShards,
} from './evaluation-lanes.ts';
import { creation, standing, type EvaluationLife } from './evaluation-life.ts';
import { EvaluationPlans } from './evaluation-plans.ts';
import { EvaluationMountings } from './evaluation-mountings.ts';
import { EvaluationReader } from './evaluation-reader.ts';
import { EvaluationRests } from './evaluation-rests.ts';
import { EvaluationScoring } from './evaluation-scoring.ts';
import { EvaluationTurns } from './evaluation-turns.ts';
import { EvaluationStore, type ToolPage } from './evaluation-store.ts';
import { reportFloorAndServerErrors, type ReportedObjects } from './report-end.ts';
import { evaluationRunSchema } from './schema.ts';
import { ExternalEvaluation } from './external-evaluation.ts';
import type { RecordingObjects } from './text-deleting-evaluation.ts';
import type { NamedVector, VectorPage } from './tool-vectors.ts';

interface Env extends ReportedObjects, RecordingObjects {
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly ATTEMPT: DurableObjectNamespace<Attempt>;
  readonly SUBMISSION: DurableObjectNamespace<Submission>;
  readonly EVALUATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
  readonly EVALUATION_SHARD_WORKFLOW: Workflow<ShardParams>;
}

/** One evaluation: its cases, traces, scores and events. Its workflows and the recording gateway drive it. */
export class EvaluationRun extends ExternalEvaluation<Env> {
  readonly #store: EvaluationStore;
  readonly #figures: EvaluationFigures;
  readonly #life: EvaluationLife;
  readonly #claims: EvaluationClaims;
  readonly #cases: EvaluationCases;
  readonly #lanes: EvaluationLanes;
  readonly #mountings: EvaluationMountings;
  readonly #writes = new WritesTable(this.ctx.storage.sql);
  readonly #plans: EvaluationPlans;
  readonly #embedding: EvaluationEmbedding;
  readonly #scoring: EvaluationScoring;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, evaluationRunSchema);
    this.#store = new EvaluationStore(state.storage.sql);
    this.#figures = new EvaluationFigures(state.storage, this.#store, () => ({
      protocol: this.#life.creation.protocol,
      scoring: this.#life.creation.config.scoring,
    }));
    this.#life = new RunLifecycle({
      kind: 'evaluation',
      storage: state.storage,
      creation,
      standing,
      directory: env.DIRECTORY,
      workspace: ({ workspace }) => workspace,
      // createBatch skips existing instances; create would throw.
      start: async (run, driver) =>
        void (await env.EVALUATION_WORKFLOW.createBatch([{ id: `${run}-${driver}`, params: { run, driver } }])),
      onNewDriver: () => this.#store.releaseTakenCases(),
      reportEnd: async () => {
        this.#removeSubmittedModelKeys();
        await this.scheduleTextDeletion();
        await this.#submission?.continueAfterEvaluation();
        await reportFloorAndServerErrors(env, this.#life, this.#reader);
        await this.#claims.abandonOpenAttempts();
      },
    });
    this.#mountings = new EvaluationMountings(this.#store, () => this.#life.creation);
    const singletons = new SingletonTable(state.storage.sql);
    const rests = new EvaluationRests(singletons);
    const host = { store: this.#store, life: this.#life, rests, writes: this.#writes };
    this.#cases = new EvaluationCases({ ...host, figures: this.#figures, submission: () => this.#submission });
    this.#lanes = new EvaluationLanes(
      { ...host, cases: this.#cases, mountings: this.#mountings, shardWorkflow: env.EVALUATION_SHARD_WORKFLOW },
      singletons,
    );
    this.#plans = new EvaluationPlans({ ...host, cases: this.#cases });
    this.#embedding = new EvaluationEmbedding({ ...host, cases: this.#cases });
    this.#scoring = new EvaluationScoring({ ...host, cases: this.#cases, reader: () => this.#reader });
    this.#claims = new EvaluationClaims({
      store: this.#store,
      creation: () => this.#life.creation,
      status: () => this.#life.standing.status,
      progress: () => this.#life.standing.progress,
      quietMs: () => this.#life.quietMs ?? 0,
      resting: () => rests.listRestingServers(),
      startPrivateUnitsIfPublicDone: () => this.#cases.startPrivateUnitsIfPublicDone(),
      mountings: this.#mountings,
      turns: new EvaluationTurns(() => this.#life.creation, this.#mountings, env.WORKSPACE),
      emit: (events) => this.#life.emit(events),
      transaction: (change) => this.#life.transaction(change),
      attempts: env.ATTEMPT,
      commit: async ({ attempt, evaluated }, result, more) => {
        const found = this.#store.getCaseOrThrow(evaluated);
        const after = await this.#cases.commitResultAndEndWhatIsDone(found, result, more);
        await this.#lanes.startJudgingShardOfAttemptIfDue(attempt, after);
        return after;
      },
    });
  }

  /** Stores a part of the basis of a new run. Idempotent, and ignored once the run exists. */
  async storeBasisAndAddCases(page: BasisPage): Promise<void> {
    if (this.#life.exists) return;
    await this.ctx.storage.setAlarm(Date.now() + abandonedMs);
    this.#life.transaction(() => {
      // The run may have been created meanwhile.
      if (!this.#life.exists) storeToolsUnitsAndCases(this.#store, page);
    });
  }

  /** Creates the run on the prepared basis and starts its first driver. Repeating it returns the run as it is. */
  async createOnStoredBasis(evaluation: NewEvaluation): Promise<EvaluationRecord> {
    if (!this.#life.exists) {
      const { tools, units, ...rest } = evaluation;
      const { own, attempts } = readToolsAndCountAttemptsOrThrow(this.#store, evaluation);
      const progress = { attempts, made: 0, notEvaluated: 0, relaunched: 0, units, unitsDone: 0, madeByAgent: {} };
      const begun = { progress, usage: noUsage, judgeUsage: noUsage, rowsWritten: 0, steps: 0 };
      const made = await makeEvaluationProvenance(own, rest.agents, rest.config, rest.protocol);
      // Removes tools that an earlier try stored and that the servers no longer list.
      await this.#life.createIfAbsentAndStartDriver(
        { ...rest, provenance: made },
        { ...initialStanding, ...begun },
        () => this.#store.deleteToolsExcept(new Set(tools)),
      );
      await this.ctx.storage.deleteAlarm();
    } else await this.#life.registerAndStartDriverIfRunning();
    return this.#makeRecord();
  }

  get(): Result<EvaluationRecord> {
    return this.#life.callReaderIfExists(() => this.#makeRecord());
  }

  pause(): Result<EvaluationRecord> {
    return this.#mapOkToRecord(this.#life.pause());
  }

  async resume(): Promise<Result<EvaluationRecord>> {
    return this.#mapOkToRecord(await this.#life.resume());
  }

  async cancel(): Promise<Result<EvaluationRecord>> {
    return this.#mapOkToRecord(await this.#life.cancel());
  }

  /** Starts new drivers if the run has work for them and has been silent too long, or with `force`. */
  async wake(force: boolean): Promise<void> {
    if (!this.#life.exists) return;
    await this.#claims.reopenAttemptObjects(force);
    await this.#cases.startPrivateUnitsIfPublicDone();
    // A run that waits for its clients does not lack a driver. A run that is over may still have to report that.
    const { standing: now, creation: made } = this.#life;
    const waits = now.status === 'running' && made.rejudges === null && !this.#store.hasUnfinishedLaneWork();
    if (!force && waits) return;
    await this.#life.restartLostDriverOrReportEnd(
      force,
      Math.max(...this.#life.creation.agents.map((agent) => ('limits' in agent ? agent.limits.timeMs : 0))),
    );
  }

  // What the workflows call.

  context(): EvaluationContext {
    return makeEvaluationContext(this.#life.creation);
  }

  /** Returns tools after one (empty: from the first), by name, as many as one call carries. */
  listTools(after: string): ToolPage {
    return this.#store.listToolsUpToChars(after, charsPerCall);
  }

  /** Returns texts of servers and tools whose vectors are missing; null if there are none. */
  findToolTextsToEmbedOrNull(driver: number, broken: readonly string[]): TextsToEmbed | null {
    return this.#embedding.findToolTextsToEmbedOrNull(driver, broken);
  }

  storeVectors(embedder: string, vectors: readonly NamedVector[], calls: readonly ModelCall[]): void {
    this.#embedding.storeVectorsAndCountUsage(embedder, vectors, calls);
  }

  /** Returns vectors of an embedder after a name (empty: from the first), as many as one call carries. */
  listVectors(embedder: string, after: string): VectorPage {
    return this.#store.vectors.readVectorPage(embedder, after);
  }

  /** Returns the shards for the present work; none if only clients have work. */
  planShardsOrStop(driver: number): Promise<OpenedShards | Stop> {
    return this.#lanes.planShardsOrStop(driver);
  }

  /** Returns the next case for a lane; the same one for the same turn. */
  takeCase(turn: LaneTurn): Promise<EvaluationWork | Stop> {
    return this.#lanes.takeCaseOrStop(turn);
  }

  /** Returns a unit's plan; null if this case must make it. Waits while another case is making it. */
  awaitPlanOrBecomePlanner(unit: string, by: string): Promise<SubIntentPlan | null> {
    return this.#plans.awaitPlanOrBecomePlanner(unit, by);
  }

  storeFirstPlan(id: string, plan: SubIntentPlan, calls: readonly ModelCall[]): SubIntentPlan {
    return this.#plans.storeFirstPlan(id, plan, calls);
  }

  commitStageOutcomeOnce(driver: number, id: string, revision: number, result: CaseOutcome): Promise<CommittedCase> {
    return this.#lanes.commitStageOutcomeOnce(driver, id, revision, result);
  }

  setCaseAside(turn: LaneTurn, reason: string): Promise<boolean> {
    return this.#lanes.failTakenCase(turn, reason);
  }

  /** Returns the trace of a finished attempt. (The platform reserves the name `trace`.) */
  attemptTrace(id: string, side: RequestName): Trace {
    return this.#cases.getTraceOrThrow(id, side);
  }

  startNextShardInstance(params: ShardParams): Promise<void> {
    return this.#lanes.releaseCasesAndStartNextInstance(params);
  }

  fail(driver: number, reason: string): Promise<void> {
    return this.#life.failUnlessDriverMustStop(driver, reason);
  }

  // Called by the scoring of a submission.

  importTraceLines(lines: readonly TraceLine[], settingAside: boolean): Promise<void> {
    return this.#scoring.commitImportedAttempts(lines, settingAside);
  }

  /** Has the imported attempts judged. */
  judgeImported(): Promise<void> {
    return this.#life.startNextDriver(initialStanding.driver);
  }

  /** Returns what broke attempts for good, most frequent first. */
  listCommonFaultTexts(): string[] {
    return threeMostFrequentFaultTexts(this.#store.iterateCasesBrokenByFaults());
  }

  makeScoredSubmissionIfComplete(): Promise<Result<ScoredSubmission>> {
    return this.#scoring.makeScoredSubmissionIfComplete();
  }

  traceHeader(name: string, sight: Sight): Result<TraceHeader> {
    const readable = this.refuseUnlessSeesUnits(sight);
    return readable.ok
      ? this.readUnlessTextsAreDeleted(name, () => this.#scoring.makeTraceHeaderIfOver(name))
      : readable;
  }

  /** Returns an agent's attempts at public units after a cursor, both attempts of each case. */
  async listPublicTraceLines(
    name: string,
    after: Pick<TraceLine, 'unit' | 'trial'> | null,
    sight: Sight,
  ): Promise<Result<TraceLine[]>> {
    const readable = this.refuseUnlessSeesUnits(sight);
    return readable.ok ? this.#scoring.listPublicTraceLines(name, after) : readable;
  }

  async results(): Promise<Result<EvaluationResults>> {
    return this.#readIfAllowed(this.#refuseUnlessCreated(), () => this.#reader.computeResults());
  }

  async listUnitResults(after: string, limit: number, sight: Sight): Promise<Result<UnitResult[]>> {
    return this.#readIfAllowed(this.refuseUnlessSeesUnits(sight), () => this.#reader.listUnitResults(after, limit));
  }

  async breakdown(by: BreakdownBy, sight: Sight): Promise<Result<BreakdownGroup[]>> {
    return this.#readIfAllowed(this.refuseUnlessSeesUnits(sight), () => this.#reader.computeBreakdown(by));
  }

  async listAgentTransitions(after: string, limit: number, sight: Sight): Promise<Result<AgentTransition[]>> {
    return this.#readIfAllowed(this.refuseUnlessSeesUnits(sight), () =>
      this.#reader.listAgentTransitions(after, limit),
    );
  }

  async renderReport(sight: Sight, floor: BenchmarkFloor | null): Promise<Result<string>> {
    return this.#readIfAllowed(this.refuseUnlessSeesUnits(sight), async () =>
      this.withJudgesAndDeletedTextsSections(await this.#reader.renderReport(this.#makeRecord(), floor)),
    );
  }

  async listCases(filter: CaseFilter, after: string, limit: number, sight: Sight): Promise<Result<PageOfCases>> {
    const readable = this.refuseUnlessSeesUnits(sight);
    return readable.ok ? this.#reader.listCases(filter, after, limit) : readable;
  }

  /** Returns finished cases of public units after a cursor. */
  async listFinishedPublicCases(after: string, limit: number): Promise<Result<ExplainedCase[]>> {
    return this.#readIfAllowed(this.#refuseUnlessCreated(), () =>
      this.#reader.explainFinishedPublicCases(after, limit),
    );
  }

  async listWrites(after: number, limit: number, sight: Sight): Promise<Result<NumberedWrite[]>> {
    return this.#readIfAllowed(this.refuseUnlessSeesUnits(sight), () => this.#writes.list(after, limit));
  }

  getCaseDetail(id: string, sight: Sight): Result<CaseDetail> {
    const readable = this.refuseUnlessSeesUnits(sight);
    return readable.ok ? this.#reader.getCaseDetail(id) : readable;
  }

  override async fetch(request: Request): Promise<Response> {
    const sight = new URL(request.url).searchParams.get('sight') === 'everything' ? 'everything' : 'public';
    const readable = this.refuseUnlessSeesUnits(sight);
    if (!readable.ok && readable.problem.code === 'forbidden') return new Response(null, { status: 403 });
    return this.#life.makeEventStreamResponse(request);
  }

  protected override countMounted(agent: string, unit: string): MountedInAttempt {
    return this.#mountings.countMountedToolsAndSchemaTokens(agent, unit);
  }

  protected override openReader(): EvaluationReader {
    return this.#reader;
  }

  protected override getClaimsPart(): EvaluationClaims {
    return this.#claims;
  }

  protected override getEvaluationParts(): JudgedParts {
    return { store: this.#store, life: this.#life, cases: this.#cases, plans: this.#plans };
  }

  #refuseUnlessCreated(): Result<null> {
    return this.#life.callReaderIfExists(() => null);
  }

  async #readIfAllowed<T>(readable: Result<null>, read: () => T | Promise<T>): Promise<Result<T>> {
    return readable.ok ? ok(await read()) : readable;
  }

  #mapOkToRecord(result: Result<null>): Result<EvaluationRecord> {
    return result.ok ? ok(this.#makeRecord()) : result;
  }

  get #submission(): SubmissionOfRun | null {
    const { submission } = this.#life.creation;
    return submission === null ? null : this.env.SUBMISSION.getByName(submission);
  }

  /** Keys that a submitter gave were given for this run only. */
  #removeSubmittedModelKeys(): void {
    const { creation } = this.#life;
    if (creation.submission === null) return;
    this.#life.creation = { ...creation, agents: creation.agents.map(agentWithoutOwnKeys) };
  }

  get #reader(): EvaluationReader {
    return new EvaluationReader(this.#figures, this.#store, this.#mountings, this.#life);
  }

  #makeRecord(): EvaluationRecord {
    return makeEvaluationRecord(this.#life.creation, this.#life.standing);
  }
}
