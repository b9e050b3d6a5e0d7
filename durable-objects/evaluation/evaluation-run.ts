import { DurableObject } from 'cloudflare:workers';
import { charsPerCall } from '#core/evaluation/chars-per-call.ts';
import { agentWithoutOwnKeys } from '#core/evaluation/config.ts';
import type { BasisPage } from '#core/evaluation/create-on-basis.ts';
import { makeEvaluationContext, makeEvaluationRecord, type EvaluationContext } from '#core/evaluation/client-view.ts';
import type { EvaluationRecord, NewEvaluation } from '#core/evaluation/record.ts';
import type { ShardParams } from '#core/evaluation/shards.ts';
import { abandonedMs } from '#core/exploration/runs.ts';
import { noUsage } from '#core/models/usage.ts';
import { ok, type Result } from '#core/values/result.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import type { Recording } from '#durable-objects/recording/recording.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import type {
  AttemptedEvaluation,
  ClaimedAttempt,
  EvaluatedSubmission,
  ScoringEvaluation,
} from '#durable-objects/shared/objects.ts';
import { makeEvaluationProvenance } from '#durable-objects/shared/provenance.ts';
import type { Answers, ObjectsOf } from '#durable-objects/shared/rpc.ts';
import { initialStanding, RunLifecycle } from '#durable-objects/shared/run-lifecycle.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import { WritesTable } from '#durable-objects/shared/writes-table.ts';
import { readToolsAndCountAttemptsOrThrow, storeToolsUnitsAndCases } from './evaluation-basis.ts';
import { EvaluationCases } from './evaluation-cases.ts';
import { EvaluationClaims } from './evaluation-claims.ts';
import { EvaluationDraws } from './evaluation-draws.ts';
import { EvaluationEmbedding } from './evaluation-embedding.ts';
import { EvaluationFigures } from './evaluation-figures.ts';
import { EvaluationImport } from './evaluation-import.ts';
import { EvaluationLabels } from './evaluation-labels.ts';
import { EvaluationLanes } from './evaluation-lanes.ts';
import { creation, refuseUnlessSeesUnits, standing, type EvaluationLife } from './evaluation-life.ts';
import { EvaluationModels } from './evaluation-models.ts';
import { EvaluationMountings } from './evaluation-mountings.ts';
import { EvaluationPlans } from './evaluation-plans.ts';
import { EvaluationReader } from './evaluation-reader.ts';
import { EvaluationRejudging } from './evaluation-rejudging.ts';
import { EvaluationRests } from './evaluation-rests.ts';
import { EvaluationScoring } from './evaluation-scoring.ts';
import { EvaluationStore, type ToolPage } from './evaluation-store.ts';
import { EvaluationTexts } from './evaluation-texts.ts';
import { EvaluationTurns } from './evaluation-turns.ts';
import { reportFloorMeasureAndErrors, type ReportedObjects } from './report-end.ts';
import { evaluationRunSchema } from './schema.ts';
import { SeenCases } from './seen-cases.ts';
import { SeenResults } from './seen-results.ts';

interface Env extends ReportedObjects {
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly RECORDING: DurableObjectNamespace<Recording>;
  readonly ATTEMPT: ObjectsOf<ClaimedAttempt>;
  readonly SUBMISSION: ObjectsOf<EvaluatedSubmission>;
  readonly EVALUATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
  readonly EVALUATION_SHARD_WORKFLOW: Workflow<ShardParams>;
}

/** Delay before texts whose deletion failed are deleted again: the platform gives up an alarm after six failures. */
const retryMs = 60_000;

/**
 * One evaluation: its cases, traces, scores and events. Its workflows and the recording gateway drive it. What can be done with it is in
 * its parts.
 */
export class EvaluationRun
  extends DurableObject<Env>
  implements Answers<AttemptedEvaluation>, Answers<ScoringEvaluation>
{
  readonly #store: EvaluationStore;
  readonly #figures: EvaluationFigures;
  readonly #life: EvaluationLife;
  readonly #cases: EvaluationCases;
  readonly #mountings: EvaluationMountings;
  readonly #labels: EvaluationLabels;
  readonly #texts: EvaluationTexts;
  readonly #lanes: EvaluationLanes;
  readonly #plans: EvaluationPlans;
  readonly #embedding: EvaluationEmbedding;
  readonly #claims: EvaluationClaims;
  readonly #models: EvaluationModels;
  readonly #scoring: EvaluationScoring;
  readonly #rejudging: EvaluationRejudging;
  readonly #imports: EvaluationImport;
  readonly #seenResults: SeenResults;
  readonly #seenCases: SeenCases;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    const { storage } = state;
    migrate(storage, evaluationRunSchema);
    const store = new EvaluationStore(storage.sql);
    this.#store = store;
    this.#figures = new EvaluationFigures(storage, store, () => ({
      protocol: this.#life.creation.protocol,
      scoring: this.#life.creation.config.scoring,
    }));
    const life = this.#makeLife(storage);
    this.#life = life;
    const mountings = new EvaluationMountings(store, () => life.creation);
    this.#mountings = mountings;
    const singletons = new SingletonTable(storage.sql);
    const rests = new EvaluationRests(singletons);
    const writes = new WritesTable(storage.sql);
    const submission = (): EvaluatedSubmission | null => this.#submission;
    const draws = new EvaluationDraws(store, this.#figures, life);
    const cases = new EvaluationCases({ store, figures: this.#figures, rests, life, writes, draws, submission });
    this.#cases = cases;
    const shardWorkflow = env.EVALUATION_SHARD_WORKFLOW;
    const lanes = new EvaluationLanes({ store, life, cases, rests, mountings, shardWorkflow, singletons });
    this.#lanes = lanes;
    const plans = new EvaluationPlans(store, life, cases);
    this.#plans = plans;
    this.#embedding = new EvaluationEmbedding(store, life, cases);
    const turns = new EvaluationTurns(() => life.creation, mountings, env.WORKSPACE);
    this.#claims = new EvaluationClaims({ store, life, cases, lanes, rests, mountings, turns, attempts: env.ATTEMPT });
    this.#models = new EvaluationModels(store, life);
    const texts = new EvaluationTexts(store, life, storage, (id) => env.RECORDING.getByName(id));
    this.#texts = texts;
    const labels = new EvaluationLabels(storage, life);
    this.#labels = labels;
    this.#rejudging = new EvaluationRejudging({ store, life, cases, plans, labels, texts });
    this.#imports = new EvaluationImport(store, life, cases);
    const openReader = (): EvaluationReader => this.#openReader();
    this.#scoring = new EvaluationScoring({ store, life, cases, texts, openReader });
    this.#seenResults = new SeenResults(life, openReader, { labels, texts });
    this.#seenCases = new SeenCases({ store, life, openReader, mountings, writes, sql: storage.sql });
  }

  // Its parts.

  /** The results, for those who may see them. */
  get results(): SeenResults {
    return this.#seenResults;
  }

  /** The cases and their attempts, for those who may see them. */
  get cases(): SeenCases {
    return this.#seenCases;
  }

  /** What people and other judges say of the attempts. */
  get labels(): EvaluationLabels {
    return this.#labels;
  }

  /** Deletes the texts of attempts. */
  get texts(): EvaluationTexts {
    return this.#texts;
  }

  /** Attempts that were made elsewhere. */
  get imports(): EvaluationImport {
    return this.#imports;
  }

  /** Attempts of external agents. */
  get claims(): EvaluationClaims {
    return this.#claims;
  }

  /** The models that external agents may ask. */
  get models(): EvaluationModels {
    return this.#models;
  }

  /** What a submission needs that it scores. */
  get scoring(): EvaluationScoring {
    return this.#scoring;
  }

  /** What an evaluation needs that judges this one again, or that this one judges again. */
  get rejudging(): EvaluationRejudging {
    return this.#rejudging;
  }

  /** The lanes of its workflow, which take cases. */
  get lanes(): EvaluationLanes {
    return this.#lanes;
  }

  /** The plans of units. */
  get plans(): EvaluationPlans {
    return this.#plans;
  }

  /** The vectors of tools. */
  get embedding(): EvaluationEmbedding {
    return this.#embedding;
  }

  // Its life.

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
      const begun = { progress, usage: noUsage, judgeUsage: noUsage, endpointFaults: 0, rowsWritten: 0, steps: 0 };
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

  /** What its workflows run on. */
  context(): EvaluationContext {
    return makeEvaluationContext(this.#life.creation);
  }

  /** Returns tools after one (empty: from the first), by name, as many as one call carries. */
  listTools(after: string): ToolPage {
    return this.#store.listToolsUpToChars(after, charsPerCall);
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

  fail(driver: number, reason: string): Promise<void> {
    return this.#life.failUnlessDriverMustStop(driver, reason);
  }

  /** Starts new drivers if the run has work for them and has been silent too long, or with `force`. */
  async wake(force: boolean): Promise<void> {
    if (!this.#life.exists) return;
    await this.#claims.reopenAttemptObjects(force);
    await this.#cases.startNextUnitsIfRestDone();
    // A run that waits for its clients does not lack a driver. A run that is over may still have to report that.
    const { standing: now, creation: made } = this.#life;
    const waits = now.status === 'running' && made.rejudges === null && !this.#store.hasUnfinishedLaneWork();
    if (!force && waits) return;
    await this.#life.restartLostDriverOrReportEnd(
      force,
      Math.max(...this.#life.creation.agents.map((agent) => ('limits' in agent ? agent.limits.timeMs : 0))),
    );
  }

  /** Deletes the basis of a run that was never created, which can be prepared again, or texts that are kept no longer. */
  override async alarm(): Promise<void> {
    if (!this.#life.exists) return this.#life.transaction(() => this.#store.deleteBasisAndCases());
    try {
      await this.#texts.deleteSomeDueAndSetAlarm(Date.now());
    } catch (error) {
      console.error(JSON.stringify({ textsNotDeleted: this.#life.creation.id, error: String(error) }));
      await this.ctx.storage.setAlarm(Date.now() + retryMs);
    }
  }

  override async fetch(request: Request): Promise<Response> {
    const sight = new URL(request.url).searchParams.get('sight') === 'everything' ? 'everything' : 'public';
    const readable = refuseUnlessSeesUnits(this.#life, sight);
    if (!readable.ok && readable.problem.code === 'forbidden') return new Response(null, { status: 403 });
    return this.#life.makeEventStreamResponse(request);
  }

  #makeLife(storage: DurableObjectStorage): EvaluationLife {
    return new RunLifecycle({
      kind: 'evaluation',
      storage,
      creation,
      standing,
      directory: this.env.DIRECTORY,
      workspace: ({ workspace }) => workspace,
      // createBatch skips existing instances; create would throw.
      start: async (run, driver) =>
        void (await this.env.EVALUATION_WORKFLOW.createBatch([{ id: `${run}-${driver}`, params: { run, driver } }])),
      onNewDriver: () => this.#store.releaseTakenCases(),
      reportEnd: async () => {
        this.#removeSubmittedModelKeys();
        await this.#texts.schedule();
        await this.#submission?.continueAfterEvaluation();
        await reportFloorMeasureAndErrors(this.env, this.#life, this.#openReader(), this.#labels);
        await this.#claims.abandonOpenAttempts();
      },
    });
  }

  #mapOkToRecord(result: Result<null>): Result<EvaluationRecord> {
    return result.ok ? ok(this.#makeRecord()) : result;
  }

  get #submission(): EvaluatedSubmission | null {
    const { submission } = this.#life.creation;
    return submission === null ? null : this.env.SUBMISSION.getByName(submission);
  }

  /** Keys that a submitter gave were given for this run only. */
  #removeSubmittedModelKeys(): void {
    const made = this.#life.creation;
    if (made.submission === null) return;
    this.#life.creation = { ...made, agents: made.agents.map(agentWithoutOwnKeys) };
  }

  /** A new one each time, because it keeps what a report has read. */
  #openReader(): EvaluationReader {
    return new EvaluationReader(this.#figures, this.#store, this.#mountings, this.#life);
  }

  #makeRecord(): EvaluationRecord {
    return makeEvaluationRecord(this.#life.creation, this.#life.standing);
  }
}
