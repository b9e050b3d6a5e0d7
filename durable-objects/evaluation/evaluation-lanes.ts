import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { askedModelAndFaultOfResult, type CaseResult, type EvaluationCase } from '#core/evaluation/case.ts';
import type { UndoneStage } from '#core/models/governor/undone-stage.ts';
import type { SubIntentPlan } from '#core/evaluation/sub-intent-plan.ts';
import { shardInstanceId, splitLanesIntoShards, type Shard, type ShardParams } from '#core/evaluation/shards.ts';
import { mayLaneTakeCase } from '#core/evaluation/tally.ts';
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

/** What lanes need from their evaluation. */
interface Host {
  readonly store: EvaluationStore;
  readonly life: EvaluationLife;
  readonly cases: EvaluationCases;
  readonly rests: EvaluationRests;
  readonly mountings: EvaluationMountings;
  readonly shardWorkflow: Workflow<ShardParams>;
}

/** The lanes of an evaluation, which take cases one after another, and their shards. */
export class EvaluationLanes {
  readonly #host: Host;
  readonly #beginnings: StageStarts;

  constructor(host: Host, singletons: SingletonTable) {
    this.#host = host;
    this.#beginnings = new StageStarts(singletons, (id) => host.store.getCaseOrThrow(id).revision);
  }

  /** Returns the shards for the present work; none if only clients have work. */
  async planShardsOrStop(driver: number): Promise<OpenedShards | Stop> {
    // Completes what was interrupted between the last commit and the end of the run.
    if (this.#host.life.standing.status === 'running') await this.#host.cases.endRunIfFinishedOrSpent();
    const stop = this.#host.life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    const { config, rejudges } = this.#host.life.creation;
    const after = rejudges === null ? null : this.#host.store.findIdBeforeFirstClientCase();
    if (rejudges !== null && after !== null) return { kind: 'import', from: rejudges, after };
    const { concurrency } = config;
    const shards = splitLanesIntoShards(this.#host.store.listCaseIdsFreeForLanes(concurrency).length);
    // Opening them, starting them, and what their lanes end with.
    this.#host.cases.changeStandingAndCountWrittenRows((now) => ({ ...now, steps: now.steps + 2 }));
    return { kind: 'shards', shards };
  }

  /** Returns the next case for a lane; the same one for the same turn. */
  async takeCaseOrStop(place: LaneTurn): Promise<EvaluationWork | Stop> {
    const stop = this.#host.life.findReasonToStopDriver(place.driver);
    if (stop !== null) return stop;
    const id = this.#host.store.findCaseIdTakenInLaneTurn(place.lane, place.turn) ?? this.#takeNextCase(place);
    if (id === null) {
      await this.#host.cases.startPrivateUnitsIfPublicDone();
      return this.#host.life.findReasonToStopDriver(place.driver) ?? { kind: 'stop', why: 'nothing-left' };
    }
    // A stage that kills process after process is not started again.
    if (!this.#beginnings.recordStartUnlessTooOften(id))
      await this.#host.cases.failOpenStage(id, keepsEndingItsProcess);
    return this.makeWorkOfCase(this.#host.store.getCaseOrThrow(id));
  }

  /**
   * Commits a stage's result, unless the revision was committed before or an endpoint refused so often that the run
   * pauses, and returns the case. A stage that stays undone changes only what the case took.
   */
  async commitStageOutcomeOnce(
    driver: number,
    id: string,
    revision: number,
    result: CaseOutcome,
  ): Promise<CommittedCase> {
    const before = this.#host.store.getCaseOrThrow(id);
    const { life } = this.#host;
    const { submission, floorOf } = life.creation;
    // Nobody could resume these; a submission ends by itself once it is clear that its attempts break.
    const mayPause = submission === null && floorOf === null;
    const isNew = before.revision === revision && !isOver(life.standing.status);
    const commit = async (): Promise<Pick<CommittedCase, 'case' | 'kept'>> => {
      if (!isNew) return { case: before, kept: false };
      if (result.kind === 'undone') return { case: this.#host.cases.recordUndoneStage(before, result), kept: false };
      if (mayPause && life.pauseIfEndpointRefuses(askedModelAndFaultOfResult(before, result)))
        return { case: before, kept: false };
      return { case: await this.#host.cases.commitResultAndEndWhatIsDone(before, result), kept: true };
    };
    const committed = await commit();
    return {
      ...committed,
      stop: life.findReasonToStopDriver(driver),
      waitMs: this.#waitMsForRestingServers(committed.case),
    };
  }

  /**
   * Ends the case that a lane took, for a reason of ours. Idempotent. Returns false if the lane has taken no case in
   * this turn.
   */
  async failTakenCase(place: LaneTurn, reason: string): Promise<boolean> {
    const id = this.#host.store.findCaseIdTakenInLaneTurn(place.lane, place.turn);
    if (id === null) return false;
    while (
      this.#host.life.findReasonToStopDriver(place.driver) === null &&
      (await this.#host.cases.failOpenStage(id, reason))
    );
    return true;
  }

  /** Starts the next instance for a shard that has no steps or requests left; cases may be half done. */
  async releaseCasesAndStartNextInstance(params: ShardParams): Promise<void> {
    if (this.#host.life.findReasonToStopDriver(params.driver) !== null) return;
    this.#host.life.transaction(() => {
      this.#host.store.releaseCasesOfInstance(shardInstanceId({ ...params, leg: params.leg - 1 }));
      this.#host.cases.changeStandingAndCountWrittenRows((now) => ({ ...now, steps: now.steps + 1 }));
    });
    await this.#startShards([params]);
  }

  /** A response from a client is judged by its own lane, which does nothing else; `concurrency` limits the others. */
  async startJudgingShardOfAttemptIfDue(attempt: string, { id, stage }: EvaluationCase): Promise<void> {
    const { status, driver } = this.#host.life.standing;
    if (status !== 'running' || stage.kind !== 'judgement') return;
    const shard = { name: attempt, lanes: 1, only: id };
    await this.#startShards([{ run: this.#host.life.creation.id, driver, shard, leg: 1 }]);
  }

  makeWorkOfCase(each: EvaluationCase): EvaluationWork {
    const { unit, plan } = this.#host.store.getUnitAndSubIntentPlanOrThrow(each.unit);
    const mounted = this.#host.mountings.listMountedToolNames(each.agent, unit);
    return { kind: 'work', case: each, unit, plan, mounted, waitMs: this.#waitMsForRestingServers(each) };
  }

  #waitMsForRestingServers({ unit, stage }: EvaluationCase): number {
    return stage.kind === 'attempt'
      ? this.#host.rests.computeChainWaitMs(this.#host.store.getUnitAndSubIntentPlanOrThrow(unit).unit.chain)
      : 0;
  }

  #takeNextCase({ lane, turn, only }: LaneTurn): string | null {
    const { store, rests, life } = this.#host;
    // Lanes that find no room end; the last one takes whatever the budget still has room for.
    if (only === undefined && !mayLaneTakeCase(life.standing, life.creation, store.countTakenCases())) return null;
    const id =
      only === undefined
        ? store.findNextLaneCaseId(rests.listRestingServers())
        : store.canLaneTakeCase(only)
          ? only
          : null;
    if (id === null) return null;
    this.#host.life.transaction(() => {
      this.#host.store.setCaseWorker(id, 'taken');
      this.#host.store.storeCaseIdTakenInLaneTurn(lane, turn, id);
      this.#host.cases.changeStandingAndCountWrittenRows((now) => ({ ...now, steps: now.steps + 1 }));
    });
    return id;
  }

  async #startShards(shards: readonly ShardParams[]): Promise<void> {
    await this.#host.shardWorkflow.createBatch(shards.map((params) => ({ id: shardInstanceId(params), params })));
  }
}
