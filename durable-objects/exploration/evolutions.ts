import { RpcTarget } from 'cloudflare:workers';
import { refuse } from '#core/values/errors.ts';
import type { CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { estimateEvolution } from '#core/exploration/estimates/estimate-evolution.ts';
import { defaultTargetUnits, type EvolutionConfig } from '#core/exploration/evolution/config.ts';
import { KeptUnits } from '#core/exploration/evolution/kept-units.ts';
import type { EvolutionRecord, NewEvolution, OrderedEvolution } from '#core/exploration/evolution/record.ts';
import { refuseBudgetWithoutPrices } from '#core/models/unpriced.ts';
import { tokensAndCostOfUsage, sumUnitCountsOfAllStates, meanCostPerUnit } from '#core/exploration/reservation.ts';
import { ok, type Result } from '#core/values/result.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { VariantPhase } from '#core/units/shards.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import { Mutex } from '#durable-objects/shared/mutex.ts';
import { Evolution } from './evolution.ts';
import type { Compared, EvolutionTurn, ExploredPart, ToCompare } from './evolution-turn.ts';
import type { EvolutionStore } from './evolution-store.ts';
import type { ExplorationLife } from './exploration-life.ts';
import { acceptedUnit, type ExplorationStore } from './exploration-store.ts';
import type { CommittedState } from './committed-state.ts';
import type { ReviewedUnits } from './reviewed-units.ts';
import type { StageOutput, UnitDesk, WorkOrStop } from './unit-desk.ts';

/** What evolutions need from their exploration. */
interface Host {
  readonly storage: DurableObjectStorage;
  readonly store: ExplorationStore;
  readonly life: ExplorationLife;
  readonly desk: UnitDesk;
  readonly committed: CommittedState;
  readonly reviewed: ReviewedUnits;
  readonly env: {
    readonly DIRECTORY: DurableObjectNamespace<Directory>;
    readonly EVOLUTION_WORKFLOW: Workflow<{ run: string; evolution: number; driver: number }>;
  };
}

/** The evolutions of an exploration by number, and the units that they keep. */
export class EvolutionsByNumber {
  readonly #host: Host;
  readonly #store: EvolutionStore;
  readonly #evolutions = new Map<number, Evolution>();
  #kept: KeptUnits | null = null;

  constructor(host: Host, store: EvolutionStore) {
    this.#host = host;
    this.#store = store;
  }

  getOrMake(number: number): Evolution {
    const known = this.#evolutions.get(number);
    if (known !== undefined) return known;
    const made = new Evolution(
      {
        storage: this.#host.storage,
        store: this.#host.store,
        evolutions: this.#store,
        desk: this.#host.desk,
        reviewed: this.#host.reviewed,
        directory: this.#host.env.DIRECTORY,
        workspace: () => this.#host.life.creation.workspace,
        kept: () => this.kept,
        committed: () => this.#host.committed.state,
        meanExplored: () =>
          meanCostPerUnit(
            tokensAndCostOfUsage(this.#host.life.standing.usage),
            sumUnitCountsOfAllStates(this.#host.committed.state.units),
          ),
        start: async (evolution, driver, after) => {
          const run = this.#host.life.creation.id;
          const id = `${run}-e${evolution}-${driver}${after === undefined ? '' : `-after-${after}`}`;
          await this.#host.env.EVOLUTION_WORKFLOW.createBatch([{ id, params: { run, evolution, driver } }]);
        },
      },
      number,
    );
    this.#evolutions.set(number, made);
    return made;
  }

  has(number: number): boolean {
    return this.#store.listEvolutionNumbers().includes(number);
  }

  get kept(): KeptUnits {
    this.#kept ??= new KeptUnits(this.#store.listKeptUnits());
    return this.#kept;
  }
}

/**
 * The evolutions of an exploration, one at a time. Callers name an evolution by its number: a part
 * that a method returned would keep the object awake until its stub is disposed of.
 */
export class Evolutions extends RpcTarget {
  readonly #life: ExplorationLife;
  readonly #exploration: Pick<Host, 'store' | 'desk' | 'committed'>;
  readonly #store: EvolutionStore;
  readonly #byNumber: EvolutionsByNumber;
  /** An evolution gets its number when it is created. */
  readonly #evolving = new Mutex();

  constructor(
    { life, ...exploration }: Pick<Host, 'life' | 'store' | 'desk' | 'committed'>,
    store: EvolutionStore,
    byNumber: EvolutionsByNumber,
  ) {
    super();
    this.#life = life;
    this.#exploration = exploration;
    this.#store = store;
    this.#byNumber = byNumber;
  }

  /**
   * Starts an evolution of what the run has found, one at a time; with `dryRun` only estimates what it takes. The same
   * key returns the existing one.
   */
  start(order: NewEvolution, dryRun: boolean): Promise<Result<OrderedEvolution>> {
    return this.#evolving.run(() => this.#createOrEstimateIfAllowed(order, dryRun));
  }

  list(): Result<EvolutionRecord[]> {
    return this.#life.callReaderIfExists(() =>
      this.#store.listEvolutionNumbers().map((number) => this.#byNumber.getOrMake(number).makeRecord()),
    );
  }

  get(number: number): Result<EvolutionRecord> {
    return this.#byNumber.has(number)
      ? ok(this.#byNumber.getOrMake(number).makeRecord())
      : this.#unknownEvolutionRefusal(number);
  }

  async control(number: number, verb: 'pause' | 'resume' | 'cancel'): Promise<Result<EvolutionRecord>> {
    return this.#byNumber.has(number)
      ? this.#byNumber.getOrMake(number).pauseResumeOrCancel(verb)
      : this.#unknownEvolutionRefusal(number);
  }

  takeVariantWork(evolution: number, driver: number, id: string): WorkOrStop {
    const { life } = this.#byNumber.getOrMake(evolution);
    return life.findReasonToStopDriver(driver) ?? this.#exploration.desk.takeUnitWorkOrDropFailing(life, id);
  }

  commitVariantStage(evolution: number, driver: number, id: string, revision: number, result: StageOutput): WorkOrStop {
    const { life } = this.#byNumber.getOrMake(evolution);
    if (isOver(life.standing.status)) return this.takeVariantWork(evolution, driver, id);
    const after = this.#exploration.desk.commitStage(life, id, revision, result);
    return life.findReasonToStopDriver(driver) ?? this.#exploration.desk.makeWorkOrStop(after);
  }

  setVariantAside(evolution: number, driver: number, id: string, reason: string): void {
    const { life } = this.#byNumber.getOrMake(evolution);
    if (life.findReasonToStopDriver(driver) === null) this.#exploration.desk.dropFailedUnit(life, id, reason);
  }

  openNextWorkOrEnd(evolution: number, driver: number): Promise<EvolutionTurn | Stop> {
    return this.#byNumber.getOrMake(evolution).openNextWorkOrEnd(driver);
  }

  openExploredUnitsToCompare(evolution: number, driver: number): ExploredPart | Stop {
    return this.#byNumber.getOrMake(evolution).openExploredUnitsToCompare(driver);
  }

  keepExploredOrMarkDuplicates(
    evolution: number,
    driver: number,
    part: { units: readonly string[]; to: string | null },
    compared: Compared,
  ): void {
    this.#byNumber.getOrMake(evolution).keepExploredOrMarkDuplicates(driver, part, compared);
  }

  openVariantsToCompare(evolution: number, driver: number, batch: number): ToCompare | Stop {
    return this.#byNumber.getOrMake(evolution).openVariantsToCompare(driver, batch);
  }

  keepVariantsOrMarkDuplicates(evolution: number, units: readonly string[], compared: Compared): void {
    this.#byNumber.getOrMake(evolution).keepVariantsOrMarkDuplicates(units, compared);
  }

  startInstanceIfPhaseIsDone(evolution: number, driver: number, batch: number, phase: VariantPhase): Promise<void> {
    return this.#byNumber.getOrMake(evolution).startInstanceIfPhaseIsDone(driver, batch, phase);
  }

  commitBatch(evolution: number, driver: number, batch: number): Promise<{ kind: 'next' } | Stop> {
    return this.#byNumber.getOrMake(evolution).commitBatchAndEndIfDue(driver, batch);
  }

  startNextDriver(evolution: number, driver: number): Promise<void> {
    return this.#byNumber.getOrMake(evolution).life.startNextDriver(driver);
  }

  fail(evolution: number, driver: number, reason: string): Promise<void> {
    return this.#byNumber.getOrMake(evolution).life.failUnlessDriverMustStop(driver, reason);
  }

  /** Starts a new driver of an evolution that needs one and has been silent too long; `force` skips the check for silence. */
  wake(evolution: number, force: boolean): Promise<void> {
    const { timeMs } = this.#life.creation.config.agent;
    return this.#byNumber.getOrMake(evolution).life.restartLostDriverOrReportEnd(force, timeMs);
  }

  async #createOrEstimateIfAllowed(order: NewEvolution, dryRun: boolean): Promise<Result<OrderedEvolution>> {
    const { config, key } = order;
    if (!this.#life.exists) return refuse('not-found', 'there is no such exploration');
    const { id, models } = this.#life.creation;
    const { status } = this.#life.standing;
    const numbers = this.#store.listEvolutionNumbers();
    const earlier = key === null || dryRun ? null : this.#store.findByKey(key.key);
    if (earlier !== null) {
      return earlier.fingerprint === key?.fingerprint
        ? ok({ kind: 'evolution', evolution: this.#byNumber.getOrMake(earlier.number).makeRecord() })
        : refuse('idempotency-mismatch', 'this idempotency key came with another body before; use a new key');
    }
    if (status !== 'completed' && status !== 'cancelled')
      return refuse('wrong-state', `the exploration is ${status}; only a finished one can be evolved`);
    const last = numbers.at(-1);
    if (last !== undefined && !isOver(this.#byNumber.getOrMake(last).life.standing.status))
      return refuse('wrong-state', `evolution ${last} has not ended`);
    if (this.#exploration.store.listFilteredUnits(acceptedUnit, '', 1).length === 0)
      return refuse('nothing-to-evolve', 'the exploration has no accepted units');
    const named = Object.entries(models).map(([role, model]) => ({ name: `the ${role}`, model }));
    const priced = refuseBudgetWithoutPrices(named, config.budget);
    if (!priced.ok) return priced;
    const estimate = this.#estimateCost(config);
    if (dryRun) return ok({ kind: 'estimate', estimate });
    const evolution = await this.#byNumber.getOrMake((last ?? 0) + 1).createAndStartDriver(id, order, estimate);
    return ok({ kind: 'evolution', evolution });
  }

  #estimateCost(config: EvolutionConfig): CostEstimate {
    const { units } = this.#exploration.committed.state;
    const kept = Math.max(this.#byNumber.kept.size, units.accepted);
    const { usage } = this.#life.standing;
    return estimateEvolution(
      { ...config, targetUnits: config.targetUnits ?? defaultTargetUnits(kept) },
      { units: sumUnitCountsOfAllStates(units), accepted: units.accepted, kept, usage },
      this.#life.creation.models,
    );
  }

  #unknownEvolutionRefusal(number: number) {
    return refuse('not-found', `the exploration has no evolution ${number}`);
  }
}
