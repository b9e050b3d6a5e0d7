import type { TransitionRecord } from '#core/exploration/counts.ts';
import { DurableObject } from 'cloudflare:workers';
import type { Sight } from '#core/access/access.ts';
import type { AcceptedUnit } from '#core/benchmarks/benchmark.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { makeExplorationRecord } from '#core/exploration/make-records.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import type { ExplorationRecord, NewExploration } from '#core/exploration/record.ts';
import { noUsage } from '#core/models/usage.ts';
import { ok, type Result } from '#core/values/result.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import { strategies } from '#core/exploration/strategies.ts';
import { noFailures } from '#core/traces/failure-counts.ts';
import { noGrounding } from '#core/units/grounding-counts.ts';
import type { UnitShardParams } from '#core/units/shards.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import { makeSharedUnitContext, type RunContext } from './run-context.ts';
import type { NumberedWrite } from '#core/traces/writes.ts';
import { WritesTable } from '#durable-objects/shared/writes-table.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import { makeToolReportFromTraces, tracesOfUnits } from '#durable-objects/shared/tool-report.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { initialStanding, RunLifecycle } from '#durable-objects/shared/run-lifecycle.ts';
import { showsEveryEvent } from '#durable-objects/shared/logged-events.ts';
import { EvolutionStore } from './evolution-store.ts';
import { Evolutions, EvolutionsByNumber } from './evolutions.ts';
import { creation, standing, type ExplorationLife } from './exploration-life.ts';
import { ExplorationReader } from './exploration-reader.ts';
import { ExplorationTexts } from './exploration-texts.ts';
import { ExplorationStore } from './exploration-store.ts';
import { CommittedState } from './committed-state.ts';
import { MaterialTable } from './material-table.ts';
import { ReviewedUnits } from './reviewed-units.ts';
import { Reviews } from './reviews.ts';
import { Rounds } from './rounds.ts';
import { explorationRunSchema } from './schema.ts';
import { UnitDesk } from './unit-desk.ts';
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
  readonly #byNumber: EvolutionsByNumber;
  readonly #evolutions: Evolutions;
  readonly #reader: ExplorationReader;
  readonly #texts: ExplorationTexts;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, explorationRunSchema);
    this.#store = new ExplorationStore(state.storage.sql);
    this.#material = new MaterialTable(state.storage.sql);
    this.#unwritable = new UnwritableTable(state.storage.sql);
    this.#life = this.#makeLife(state.storage);
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
    const evolutionStore = new EvolutionStore(state.storage.sql);
    this.#byNumber = new EvolutionsByNumber(host, evolutionStore);
    this.#evolutions = new Evolutions(host, evolutionStore, this.#byNumber);
    this.#reader = new ExplorationReader({ ...host, isKept: (unit) => this.#byNumber.kept.hasUnit(unit) });
    this.#texts = new ExplorationTexts({ ...host, reader: this.#reader });
    this.#reviews = new Reviews({
      ...host,
      reader: this.#reader,
      directory: env.DIRECTORY,
      workspace: () => this.#life.creation.workspace,
      evolution: (number) => this.#byNumber.getOrMake(number),
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

  // Its parts.

  /** Its units and reviews, for those who may see them. */
  get units(): ExplorationReader {
    return this.#reader;
  }

  /** Deletes the texts of attempts at units. */
  get texts(): ExplorationTexts {
    return this.#texts;
  }

  /** The rounds that its workflow drives. */
  get rounds(): Rounds {
    return this.#rounds;
  }

  /** People's decisions, which reviewers make and a workflow carries out. */
  get reviews(): Reviews {
    return this.#reviews;
  }

  get evolutions(): Evolutions {
    return this.#evolutions;
  }

  /** What its workflows run on. */
  context(): RunContext {
    return makeSharedUnitContext(this.#life.creation);
  }

  /** The time limit of a decision that a round waits for has passed, or texts are kept no longer. */
  override async alarm(): Promise<void> {
    if (!this.#life.exists) return;
    const { status, driver } = this.#life.standing;
    if (isOver(status)) await this.#texts.deleteDueTexts(Date.now());
    if (status === 'running') await this.#rounds.startInstanceIfRoundIsDone(driver, this.#committed.state.round + 1);
  }

  fail(driver: number, reason: string): Promise<void> {
    return this.#life.failUnlessDriverMustStop(driver, reason);
  }

  /** Returns the calls that may have changed a server's state, after a number, at most `limit`. */
  listWrites(after: number, limit: number): Result<NumberedWrite[]> {
    return this.#life.callReaderIfExists(() => this.#writes.list(after, limit));
  }

  /** Returns what the attempts at its units say about the tools. */
  async reportOnTools(sight: Sight): Promise<Result<ToolReport>> {
    const created = this.#life.callReaderIfExists(() => null);
    if (!created.ok) return created;
    const { sql } = this.ctx.storage;
    const run = { offline: this.#life.creation.offline, final: isOver(this.#life.standing.status) };
    return ok(await makeToolReportFromTraces(sql, { tools: 'catalog', traces: tracesOfUnits, only: sight, run }));
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
    return this.#byNumber.has(number)
      ? this.#byNumber.getOrMake(number).life.makeEventStreamResponse(request, shows)
      : new Response(null, { status: 404 });
  }

  #makeLife(storage: DurableObjectStorage): ExplorationLife {
    return new RunLifecycle({
      kind: 'exploration',
      storage,
      creation,
      standing,
      directory: this.env.DIRECTORY,
      workspace: ({ workspace }) => workspace,
      // createBatch skips existing instances; create would throw.
      start: async (run, driver) =>
        void (await this.env.EXPLORATION_WORKFLOW.createBatch([{ id: `${run}-${driver}`, params: { run, driver } }])),
      reportEnd: () => this.#texts.schedule(),
    });
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
