import type { TransitionRecord } from '#core/exploration/counts.ts';
import { DurableObject } from 'cloudflare:workers';
import type { Sight } from '#core/access/access.ts';
import type { AcceptedUnit } from '#core/benchmarks/benchmark.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { refuse } from '#core/values/errors.ts';
import type { EvolutionRecord, NewEvolution, OrderedEvolution } from '#core/exploration/evolution/record.ts';
import { makeExplorationRecord } from '#core/exploration/make-records.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import type {
  Agreement,
  DomainTransition,
  ExplorationRecord,
  NewExploration,
  ReviewDetail,
  ReviewFilter,
  Reviewer,
  SeenUnits,
  UnitDetail,
  UnitFilter,
} from '#core/exploration/record.ts';
import { noUsage } from '#core/models/usage.ts';
import { ok, type Result } from '#core/values/result.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import { strategies } from '#core/exploration/strategies.ts';
import { noFailures } from '#core/traces/failure-counts.ts';
import { noGrounding } from '#core/units/grounding-counts.ts';
import type { DeletedUnitTexts } from '#core/units/delete-texts.ts';
import type { Verdict } from '#core/units/review.ts';
import type { UnitShardParams, VariantPhase } from '#core/units/shards.ts';
import type { RequestSide } from '#core/units/unit.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import { makeSharedUnitContext, type RunContext } from './run-context.ts';
import type { NumberedWrite } from '#core/traces/writes.ts';
import { WritesTable } from '#durable-objects/shared/writes-table.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { initialStanding, RunLifecycle, type Stop } from '#durable-objects/shared/run-lifecycle.ts';
import { showsEveryEvent } from '#durable-objects/shared/logged-events.ts';
import type { Compared, EvolutionTurn, ExploredPart, ToCompare } from './evolution-turn.ts';
import { EvolutionStore } from './evolution-store.ts';
import { Evolutions } from './evolutions.ts';
import { creation, standing, type ExplorationLife } from './exploration-life.ts';
import { ExplorationReader, withheldUnitRefusal } from './exploration-reader.ts';
import { ExplorationTexts } from './exploration-texts.ts';
import { makeExplorationToolReport } from './exploration-tool-report.ts';
import { ExplorationStore } from './exploration-store.ts';
import { CommittedState } from './committed-state.ts';
import { MaterialTable } from './material-table.ts';
import { ReviewedUnits } from './reviewed-units.ts';
import { Reviews } from './reviews.ts';
import { Rounds, type OpenGroup, type OpenRound } from './rounds.ts';
import { explorationRunSchema } from './schema.ts';
import { UnitDesk, type CatalogPairsOutcome, type StageOutput, type WorkOrStop } from './unit-desk.ts';
import { UnwritableTable } from './unwritable-table.ts';

export type { UnitWork } from './unit-desk.ts';

interface Env {
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly EXPLORATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
  readonly EVOLUTION_WORKFLOW: Workflow<{ run: string; evolution: number; driver: number }>;
  readonly UNIT_SHARD_WORKFLOW: Workflow<UnitShardParams>;
  readonly REVIEW_WORKFLOW: Workflow<{ run: string; unit: string; driver: number }>;
}

/**
 * One exploration: its units, what it has learned, its events. The workflow drives it; only this object writes. Every
 * commit is one transaction with its events, and repeating a call changes nothing.
 */
export class ExplorationRun extends DurableObject<Env> {
  readonly #store: ExplorationStore;
  readonly #material: MaterialTable;
  readonly #writes = new WritesTable(this.ctx.storage.sql);
  readonly #unwritable: UnwritableTable;
  readonly #life: ExplorationLife;
  readonly #committed: CommittedState;
  readonly #rounds: Rounds;
  readonly #reviews: Reviews;
  readonly #evolutions: Evolutions;
  readonly #reader: ExplorationReader;
  readonly #texts: ExplorationTexts;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, explorationRunSchema);
    this.#store = new ExplorationStore(state.storage.sql);
    this.#material = new MaterialTable(state.storage.sql);
    this.#unwritable = new UnwritableTable(state.storage.sql);
    this.#life = new RunLifecycle({
      kind: 'exploration',
      storage: state.storage,
      creation,
      standing,
      directory: env.DIRECTORY,
      workspace: ({ workspace }) => workspace,
      // createBatch skips existing instances; create would throw.
      start: async (run, driver) =>
        void (await env.EXPLORATION_WORKFLOW.createBatch([{ id: `${run}-${driver}`, params: { run, driver } }])),
      reportEnd: () => this.#texts.schedule(),
    });
    this.#committed = new CommittedState(this.#store, () => this.#life.creation.config);
    const singletons = new SingletonTable(state.storage.sql);
    const tables = { store: this.#store, material: this.#material, writes: this.#writes, singletons };
    const desk = new UnitDesk({ ...tables, onTrace: () => void this.#texts.schedule() }, () => ({
      ...this.#life.creation.config,
      ...strategies[this.#life.creation.config.strategy],
      grounding: this.#life.creation.knowledge !== null,
    }));
    const reviewed = new ReviewedUnits(state.storage.sql);
    const host = {
      ...tables,
      storage: state.storage,
      unwritable: this.#unwritable,
      life: this.#life,
      desk,
      committed: this.#committed,
      reviewed,
      env,
    };
    this.#rounds = new Rounds({ ...host, reviews: () => this.#reviews });
    this.#evolutions = new Evolutions(host, new EvolutionStore(state.storage.sql));
    this.#reader = new ExplorationReader({ ...host, isKept: (unit) => this.#evolutions.kept.hasUnit(unit) });
    this.#texts = new ExplorationTexts({ ...host, reader: () => this.#reader });
    this.#reviews = new Reviews({
      ...host,
      directory: env.DIRECTORY,
      workspace: () => this.#life.creation.workspace,
      evolution: (number) => this.#evolutions.getOrMakeEvolution(number),
      isCounted: ({ round }) => round <= this.#committed.state.round,
      count: (unit, unpaid) => this.#rounds.recountReviewedUnit(unit, unpaid),
      start: async (unit, driver) => {
        const run = this.#life.creation.id;
        await env.REVIEW_WORKFLOW.createBatch([
          {
            id: `${run}-${unit}-${desk.getUnitOrThrow(unit).decisions.length}-${driver}`,
            params: { run, unit, driver },
          },
        ]);
      },
      resumeUnit: (unit) => this.#rounds.resumeDecidedUnit(unit),
      longestStageMs: () => this.#longestStageMs(),
    });
  }

  /** Creates the run and starts its first driver; again for the same id, it returns the run as it stands. */
  async create({ tools, surveys, ...rest }: NewExploration): Promise<ExplorationRecord> {
    await this.#life.createIfAbsentAndStartDriver(
      rest,
      { ...initialStanding, usage: noUsage, grounding: noGrounding, failures: noFailures, rowsWritten: 0 },
      () => {
        this.#store.writeCatalog(tools);
        this.#material.storeSurveys(surveys);
        if (rest.knowledge === null)
          this.#life.emit([{ type: 'grounding.unavailable', reason: 'the run was given no knowledge index' }]);
      },
    );
    return this.#makeRecord();
  }

  get(): Result<ExplorationRecord> {
    return this.#life.callReaderIfExists(() => this.#makeRecord());
  }

  pause(): Result<ExplorationRecord> {
    return this.#mapOkToRecord(this.#life.pause());
  }

  async resume(): Promise<Result<ExplorationRecord>> {
    return this.#mapOkToRecord(await this.#life.resume());
  }

  async cancel(): Promise<Result<ExplorationRecord>> {
    return this.#mapOkToRecord(await this.#life.cancel());
  }

  /** Starts a new driver if the run needs one and has been silent too long; `force` skips the check for silence. */
  async wake(force: boolean): Promise<void> {
    if (!this.#life.exists || (!force && this.#rounds.isWaitingOnlyForDecisions())) return;
    await this.#life.restartLostDriverOrReportEnd(force, this.#longestStageMs());
  }

  /** The same for decisions that are being carried out. */
  async wakeReviews(force: boolean): Promise<void> {
    await this.#reviews.startNewDriversIfSilent(force);
  }

  /** The same for one of its evolutions. */
  async wakeEvolution(number: number, force: boolean): Promise<void> {
    await this.#evolutions.getOrMakeEvolution(number).life.restartLostDriverOrReportEnd(force, this.#longestStageMs());
  }

  // What the workflow calls.

  context(): RunContext {
    return makeSharedUnitContext(this.#life.creation);
  }

  /** Returns the current round or a new one, or that there is nothing to drive. */
  openRound(driver: number): Promise<OpenRound | Stop> {
    return this.#rounds.openRound(driver);
  }

  openCatalogPairWriting(driver: number, units: readonly string[]): OpenGroup | Stop {
    return this.#rounds.gatherCatalogPairWritingInput(driver, units);
  }

  commitWrittenCatalogPairs(units: readonly string[], answer: CatalogPairsOutcome): void {
    this.#rounds.commitWrittenCatalogPairs(units, answer);
  }

  takeUnitWork(driver: number, id: string): WorkOrStop {
    return this.#rounds.takeUnitWork(driver, id);
  }

  commitStage(driver: number, id: string, revision: number, result: StageOutput): WorkOrStop {
    return this.#rounds.commitStage(driver, id, revision, result);
  }

  setUnitAside(driver: number, id: string, reason: string): void {
    this.#rounds.dropFailedUnit(driver, id, reason);
  }

  startInstanceIfRoundIsDone(driver: number, round: number): Promise<void> {
    return this.#rounds.startInstanceIfRoundIsDone(driver, round);
  }

  commitRound(driver: number, round: number): Promise<{ kind: 'next' } | Stop> {
    return this.#rounds.commitRoundAndEndIfDue(driver, round);
  }

  /** The time limit of a decision that a round waits for has passed, or texts are kept no longer. */
  override async alarm(): Promise<void> {
    if (!this.#life.exists) return;
    const { status, driver } = this.#life.standing;
    if (isOver(status)) await this.#texts.deleteDueTexts(Date.now());
    if (status === 'running') await this.startInstanceIfRoundIsDone(driver, this.#committed.state.round + 1);
  }

  fail(driver: number, reason: string): Promise<void> {
    return this.#life.failUnlessDriverMustStop(driver, reason);
  }

  // Called by reviewers, and by the workflow that carries out their decisions.

  async recordDecision(id: string, verdict: Verdict, reviewer: Reviewer): Promise<Result<ReviewDetail>> {
    if (!this.#life.exists) return refuse('not-found', 'there is no such exploration');
    if (this.#reader.isUnitHidden(id, reviewer.sight)) return withheldUnitRefusal();
    const decided = await this.#reviews.recordDecision(id, verdict, reviewer.key);
    return decided.ok ? ok(this.#reader.makeReviewDetail(decided.value)) : decided;
  }

  takeReviewedUnitWork(driver: number, id: string): WorkOrStop {
    return this.#reviews.takeReviewedUnitWork(driver, id);
  }

  setReviewedUnitAside(driver: number, id: string, reason: string): void {
    this.#reviews.dropFailedReviewedUnit(driver, id, reason);
  }

  commitReviewedStage(driver: number, id: string, revision: number, result: StageOutput): WorkOrStop {
    return this.#reviews.commitReviewedStage(driver, id, revision, result);
  }

  getReviewedVariantToCompareOrStop(driver: number, id: string): ToCompare | Stop {
    return this.#reviews.getVariantToCompareOrStop(driver, id);
  }

  keepReviewedOrMarkDuplicates(units: readonly string[], compared: Compared): void {
    this.#reviews.keepReviewedOrMarkDuplicates(units, compared);
  }

  async closeReviewAndCount(driver: number, id: string): Promise<void> {
    await this.#reviews.closeReviewAndCountUnitOnce(id, driver);
  }

  listReviews(filter: ReviewFilter, after: string, limit: number, sight: Sight): Result<SeenUnits> {
    return this.#life.callReaderIfExists(() => this.#reader.listUnitsByReviewState(filter, after, limit, sight));
  }

  getReview(id: string, sight: Sight): Result<ReviewDetail> {
    return this.#reader.getReview(id, sight);
  }

  measureAgreementWithCritic(): Result<Agreement> {
    return this.#life.callReaderIfExists(() => this.#reader.measureAgreementWithCritic());
  }

  // Evolutions.

  /** Starts an evolution of what the run has found, one at a time, or estimates it. The same key returns the existing one. */
  startEvolution(order: NewEvolution, dryRun: boolean): Promise<Result<OrderedEvolution>> {
    return this.#evolutions.startOrEstimateEvolution(order, dryRun);
  }

  listEvolutions(): Result<EvolutionRecord[]> {
    return this.#life.callReaderIfExists(() => this.#evolutions.list());
  }

  getEvolution(number: number): Result<EvolutionRecord> {
    return this.#evolutions.get(number);
  }

  controlEvolution(number: number, verb: 'pause' | 'resume' | 'cancel'): Promise<Result<EvolutionRecord>> {
    return this.#evolutions.pauseResumeOrCancel(number, verb);
  }

  takeVariantWork(evolution: number, driver: number, id: string): WorkOrStop {
    return this.#evolutions.takeVariantWork(evolution, driver, id);
  }

  commitVariantStage(evolution: number, driver: number, id: string, revision: number, result: StageOutput): WorkOrStop {
    return this.#evolutions.commitVariantStage(evolution, driver, id, revision, result);
  }

  setVariantAside(evolution: number, driver: number, id: string, reason: string): void {
    this.#evolutions.dropFailedVariant(evolution, driver, id, reason);
  }

  openEvolutionWorkOrEnd(evolution: number, driver: number): Promise<EvolutionTurn | Stop> {
    return this.#evolutions.getOrMakeEvolution(evolution).openNextWorkOrEnd(driver);
  }

  openExploredUnitsToCompare(evolution: number, driver: number): ExploredPart | Stop {
    return this.#evolutions.getOrMakeEvolution(evolution).openExploredUnitsToCompare(driver);
  }

  startInstanceIfPhaseIsDone(evolution: number, driver: number, batch: number, phase: VariantPhase): Promise<void> {
    return this.#evolutions.getOrMakeEvolution(evolution).startInstanceIfPhaseIsDone(driver, batch, phase);
  }

  keepExploredOrMarkDuplicates(
    evolution: number,
    driver: number,
    part: { units: readonly string[]; to: string | null },
    compared: Compared,
  ): void {
    this.#evolutions.getOrMakeEvolution(evolution).keepExploredOrMarkDuplicates(driver, part, compared);
  }

  openVariantsToCompare(evolution: number, driver: number, batch: number): ToCompare | Stop {
    return this.#evolutions.getOrMakeEvolution(evolution).openVariantsToCompare(driver, batch);
  }

  keepVariantsOrMarkDuplicates(evolution: number, units: readonly string[], compared: Compared): void {
    this.#evolutions.getOrMakeEvolution(evolution).keepVariantsOrMarkDuplicates(units, compared);
  }

  commitEvolutionBatch(evolution: number, driver: number, batch: number): Promise<{ kind: 'next' } | Stop> {
    return this.#evolutions.getOrMakeEvolution(evolution).commitBatchAndEndIfDue(driver, batch);
  }

  startNextEvolutionDriver(evolution: number, driver: number): Promise<void> {
    return this.#evolutions.getOrMakeEvolution(evolution).life.startNextDriver(driver);
  }

  failEvolution(evolution: number, driver: number, reason: string): Promise<void> {
    return this.#evolutions.getOrMakeEvolution(evolution).life.failUnlessDriverMustStop(driver, reason);
  }

  // What readers call.

  listUnits(filter: UnitFilter, after: string, limit: number, sight: Sight): Result<SeenUnits> {
    return this.#life.callReaderIfExists(() => this.#reader.listUnits(filter, after, limit, sight));
  }

  getUnit(id: string, sight: Sight): Result<UnitDetail> {
    return this.#reader.getUnitWithTraces(id, sight);
  }

  domainTransitions(): Result<DomainTransition[]> {
    return this.#life.callReaderIfExists(() => this.#reader.countDomainTransitions());
  }

  /** Returns the calls that may have changed a server's state, after a number, at most `limit`. */
  listWrites(after: number, limit: number): Result<NumberedWrite[]> {
    return this.#life.callReaderIfExists(() => this.#writes.list(after, limit));
  }

  /** Returns what the attempts at its units say about the tools. */
  reportOnTools(sight: Sight): Promise<Result<ToolReport>> {
    return makeExplorationToolReport(this.ctx.storage.sql, this.#life, sight);
  }

  /** Deletes the texts of the attempts at a unit, or of the one at a request; counts stay. Idempotent. */
  deleteTexts(unit: string, request: RequestSide | null, sight: Sight): Result<DeletedUnitTexts> {
    return this.#texts.deleteUnitTextsOrRefuse(unit, request, sight);
  }

  /**
   * Returns units for a benchmark after a cursor (an id), at most `limit`, fewer if they are large; none only at the
   * end.
   */
  listUnitsForBenchmark(after: string, limit: number): Promise<AcceptedUnit[]> {
    return this.#reader.listUnitsForBenchmark(after, limit);
  }

  /** Returns which units were evolved from which, without those that were turned down and never a seed. */
  listVariantSeedPairs(): { unit: string; seed: string }[] {
    return this.#store.listVariantSeedPairs();
  }

  /** Holds units out for a benchmark permanently; returns all held-out units. Idempotent. */
  withholdUnitsAndTheirVariants(units: readonly string[]): string[] {
    this.#life.transaction(() => this.#store.withholdUnitsAndTheirVariants(units));
    this.#material.dropCache();
    return [...this.#store.readWithheldUnitIds()];
  }

  listTransitions(after: string, limit: number): Result<TransitionRecord[]> {
    return this.#life.callReaderIfExists(() => this.#store.listTransitionCounts(after, limit));
  }

  listReadings(after: number, limit: number): Result<RoundReading[]> {
    return this.#life.callReaderIfExists(() => this.#store.listReadings(after, limit));
  }

  listCatalogTools(): Tool[] {
    return this.#store.listCatalogTools();
  }

  override async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const number = Number(searchParams.get('evolution') ?? '0');
    const shows = searchParams.get('sight') === 'everything' ? showsEveryEvent : this.#reader.isEventPublic;
    if (number === 0) return this.#life.makeEventStreamResponse(request, shows);
    return this.#evolutions.has(number)
      ? this.#evolutions.getOrMakeEvolution(number).life.makeEventStreamResponse(request, shows)
      : new Response(null, { status: 404 });
  }

  #longestStageMs(): number {
    return this.#life.creation.config.agent.timeMs;
  }

  #mapOkToRecord(result: Result<null>): Result<ExplorationRecord> {
    return result.ok ? ok(this.#makeRecord()) : result;
  }

  #makeRecord(): ExplorationRecord {
    return makeExplorationRecord(
      this.#life.creation,
      this.#life.standing,
      this.#committed.state,
      this.#store.readLastReading(),
      this.#unwritable.listUnwritableTools(),
    );
  }
}
