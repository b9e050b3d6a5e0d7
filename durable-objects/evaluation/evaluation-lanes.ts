import { RpcTarget } from 'cloudflare:workers';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { askedModelAndFaultOfResult, type CaseResult, type EvaluationCase } from '#core/evaluation/case.ts';
import type { UndoneStage } from '#core/models/governor/undone-stage.ts';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import type { SubIntentPlan } from '#core/evaluation/sub-intent-plan.ts';
import { shardInstanceId, splitLanesIntoShards, type Shard, type ShardParams } from '#core/evaluation/shards.ts';
import { mayLaneTakeCase } from '#core/evaluation/tally.ts';
import type { Trace } from '#core/traces/trace.ts';
import { isOver } from '#core/exploration/runs.ts';
import { StageStarts, keepsEndingItsProcess } from '#durable-objects/shared/stage-starts.ts';
import type { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';
import type { EvaluationCases } from './evaluation-cases.ts';
import type { EvaluationLife } from './evaluation-life.ts';
import type { EvaluationMountings } from './evaluation-mountings.ts';
import type { EvaluationRests } from './evaluation-rests.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** A case to work on, as it stands. */
export interface EvaluationWork {
  readonly kind: 'work';
  readonly case: EvaluationCase;
  readonly unit: BenchmarkUnit;
  readonly plan: SubIntentPlan | null;
  /** The names of the tools that are mounted, in their order. */
  readonly mounted: readonly string[];
  /** How long to wait before the attempt, because a server of its chain rests. */
  readonly waitMs: number;
}

/** The shards for the present work, or the evaluation whose attempts have to be imported, after this case, before they are judged again. */
export type OpenedShards =
  | { readonly kind: 'shards'; readonly shards: Shard[] }
  | { readonly kind: 'import'; readonly from: string; readonly after: string };

/** A committed case. */
export interface CommittedCase {
  readonly case: EvaluationCase;
  /** Whether the result counted. */
  readonly kept: boolean;
  readonly stop: Stop | null;
  readonly waitMs: number;
}

/** What became of a stage. */
export type CaseOutcome = CaseResult | UndoneStage;

/** The turn of a lane: the shard's instance, the lane in it, and how many cases it has taken. */
export interface LaneTurn {
  readonly driver: number;
  readonly lane: string;
  readonly turn: number;
  /** The only case for this lane; absent if it takes any. */
  readonly only?: string | undefined;
}

/** The lanes of an evaluation, which take cases one after another, and their shards. */
export class EvaluationLanes extends RpcTarget {
  readonly #store: EvaluationStore;
  readonly #life: EvaluationLife;
  readonly #cases: EvaluationCases;
  readonly #rests: EvaluationRests;
  readonly #mountings: EvaluationMountings;
  readonly #shardWorkflow: Workflow<ShardParams>;
  readonly #beginnings: StageStarts;

  constructor({
    store,
    life,
    cases,
    rests,
    mountings,
    shardWorkflow,
    singletons,
  }: {
    readonly store: EvaluationStore;
    readonly life: EvaluationLife;
    readonly cases: EvaluationCases;
    readonly rests: EvaluationRests;
    readonly mountings: EvaluationMountings;
    readonly shardWorkflow: Workflow<ShardParams>;
    readonly singletons: SingletonTable;
  }) {
    super();
    this.#store = store;
    this.#life = life;
    this.#cases = cases;
    this.#rests = rests;
    this.#mountings = mountings;
    this.#shardWorkflow = shardWorkflow;
    this.#beginnings = new StageStarts(singletons, (id) => store.getCaseOrThrow(id).revision);
  }

  /** Returns the shards for the present work; none if only clients have work. */
  async planShards(driver: number): Promise<OpenedShards | Stop> {
    // Completes what was interrupted between the last commit and the end of the run.
    if (this.#life.standing.status === 'running') await this.#cases.endRunIfFinishedOrSpent();
    if (this.#life.findReasonToStopDriver(driver) === null) await this.#cases.releaseNextUnitsIfRestDone();
    const stop = this.#life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    const { config, rejudges } = this.#life.creation;
    const after = rejudges === null ? null : this.#store.findIdBeforeFirstClientCase();
    if (rejudges !== null && after !== null) return { kind: 'import', from: rejudges, after };
    const { concurrency } = config;
    const shards = splitLanesIntoShards(this.#store.listCaseIdsFreeForLanes(concurrency).length);
    // Opening them, starting them, and what their lanes end with.
    this.#cases.changeStandingAndCountWrittenRows((now) => ({ ...now, steps: now.steps + 2 }));
    return { kind: 'shards', shards };
  }

  /** Returns the next case for a lane; the same one for the same turn. */
  async takeCase(place: LaneTurn): Promise<EvaluationWork | Stop> {
    const stop = this.#life.findReasonToStopDriver(place.driver);
    if (stop !== null) return stop;
    const id = this.#store.findCaseIdTakenInLaneTurn(place.lane, place.turn) ?? this.#takeNextCase(place);
    if (id === null) {
      await this.#cases.startNextUnitsIfRestDone();
      return this.#life.findReasonToStopDriver(place.driver) ?? { kind: 'stop', why: 'nothing-left' };
    }
    // A stage that kills process after process is not started again.
    if (!this.#beginnings.recordStartUnlessTooOften(id)) await this.#cases.failOpenStage(id, keepsEndingItsProcess);
    return this.#makeWork(this.#store.getCaseOrThrow(id));
  }

  /**
   * Commits a stage's result, unless the revision was committed before or an endpoint refused so often that the run
   * pauses, and returns the case. A stage that stays undone changes only what the case took.
   */
  async commit(driver: number, id: string, revision: number, result: CaseOutcome): Promise<CommittedCase> {
    const before = this.#store.getCaseOrThrow(id);
    const { submission, floorOf } = this.#life.creation;
    // Nobody could resume these; a submission ends by itself once it is clear that its attempts break.
    const mayPause = submission === null && floorOf === null;
    const isNew = before.revision === revision && !isOver(this.#life.standing.status);
    const take = async (): Promise<Pick<CommittedCase, 'case' | 'kept'>> => {
      if (!isNew) return { case: before, kept: false };
      if (result.kind === 'undone') return { case: this.#cases.recordUndoneStage(before, result), kept: false };
      if (mayPause && this.#life.pauseIfEndpointRefuses(askedModelAndFaultOfResult(before, result)))
        return { case: before, kept: false };
      return { case: await this.#cases.commitResultAndEndWhatIsDone(before, result), kept: true };
    };
    const committed = await take();
    return {
      ...committed,
      stop: this.#life.findReasonToStopDriver(driver),
      waitMs: this.#waitMsForRestingServers(committed.case),
    };
  }

  /**
   * Ends the case that a lane took, for a reason of ours. Idempotent. Returns false if the lane has taken no case in
   * this turn.
   */
  async setCaseAside(place: LaneTurn, reason: string): Promise<boolean> {
    const id = this.#store.findCaseIdTakenInLaneTurn(place.lane, place.turn);
    if (id === null) return false;
    while (this.#life.findReasonToStopDriver(place.driver) === null && (await this.#cases.failOpenStage(id, reason)));
    return true;
  }

  /** Returns the trace of a finished attempt. */
  readTrace(id: string, side: RequestName): Trace {
    return this.#cases.getTraceOrThrow(id, side);
  }

  /** Starts the next instance for a shard that has no steps or requests left; cases may be half done. */
  async startNextInstance(params: ShardParams): Promise<void> {
    if (this.#life.findReasonToStopDriver(params.driver) !== null) return;
    this.#life.transaction(() => {
      this.#store.releaseCasesOfInstance(shardInstanceId({ ...params, leg: params.leg - 1 }));
      this.#cases.changeStandingAndCountWrittenRows((now) => ({ ...now, steps: now.steps + 1 }));
    });
    await this.#startShards([params]);
  }

  /** A response from a client is judged by its own lane, which does nothing else; `concurrency` limits the others. */
  async startJudgingShardOfAttemptIfDue(attempt: string, { id, stage }: EvaluationCase): Promise<void> {
    const { status, driver } = this.#life.standing;
    if (status !== 'running' || stage.kind !== 'judgement') return;
    const shard = { name: attempt, lanes: 1, only: id };
    await this.#startShards([{ run: this.#life.creation.id, driver, shard, leg: 1 }]);
  }

  #makeWork(each: EvaluationCase): EvaluationWork {
    const { unit, plan } = this.#store.getUnitAndSubIntentPlanOrThrow(each.unit);
    const mounted = this.#mountings.listMountedToolNames(each.agent, unit);
    return { kind: 'work', case: each, unit, plan, mounted, waitMs: this.#waitMsForRestingServers(each) };
  }

  #waitMsForRestingServers({ unit, stage }: EvaluationCase): number {
    return stage.kind === 'attempt'
      ? this.#rests.computeChainWaitMs(this.#store.getUnitAndSubIntentPlanOrThrow(unit).unit.chain)
      : 0;
  }

  #takeNextCase({ lane, turn, only }: LaneTurn): string | null {
    // Lanes that find no room end; the last one takes whatever the budget still has room for.
    if (only === undefined && !mayLaneTakeCase(this.#life.standing, this.#life.creation, this.#store.countTakenCases()))
      return null;
    const id =
      only === undefined
        ? this.#store.findNextLaneCaseId(this.#rests.listRestingServers())
        : this.#store.canLaneTakeCase(only)
          ? only
          : null;
    if (id === null) return null;
    this.#life.transaction(() => {
      this.#store.setCaseWorker(id, 'taken');
      this.#store.storeCaseIdTakenInLaneTurn(lane, turn, id);
      this.#cases.changeStandingAndCountWrittenRows((now) => ({ ...now, steps: now.steps + 1 }));
    });
    return id;
  }

  async #startShards(shards: readonly ShardParams[]): Promise<void> {
    await this.#shardWorkflow.createBatch(shards.map((params) => ({ id: shardInstanceId(params), params })));
  }
}
