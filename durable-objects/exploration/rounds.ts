import { RpcTarget } from 'cloudflare:workers';
import { listEventsOfCommittedRound } from '#core/reports/announcements/round-events.ts';
import { listUnitChangeEvents } from '#core/reports/announcements/unit-events.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { makeCommitOfReviewedUnitOnce, makeCommitOfFinishedRound } from '#core/exploration/commit.ts';
import { outcomeOfUnitInReview, outcomeOfFinishedUnit } from '#core/exploration/outcome-of-unit.ts';
import { computeRoundReading } from '#core/exploration/reading.ts';
import { countSteeredUnitsOfNextRound, makeRoundUnits, roundIdPrefix } from '#core/exploration/round-units.ts';
import {
  endOfRunWithoutServersOrNull,
  explorationEndReasonOrNull,
  explorationEndStatusAndReason,
} from '#core/exploration/stop.ts';
import { strategies } from '#core/exploration/strategies.ts';
import { addUsage, type Usage } from '#core/models/usage.ts';
import { tokensAndCostOfUsage } from '#core/exploration/reservation.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { WriterMaterial } from '#core/units/survey/writer-material.ts';
import { addTallies } from '#core/traces/failure-counts.ts';
import { tallyFailedCallsOfUnits } from '#core/units/count-unit-failures.ts';
import { addGroundingCounts, countUnitsByGrounding } from '#core/units/grounding-counts.ts';
import { unitsAfterCatalogPairs, isOpenToReview } from '#core/units/progress.ts';
import {
  makeShardOfDecidedUnit,
  unitShardInstanceId,
  makeUnitShards,
  type UnitShard,
  type UnitShardParams,
} from '#core/units/shards.ts';
import type { RelationKind } from '#core/units/relation-kinds.ts';
import type { Unit } from '#core/units/unit.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';
import type { ExplorationLife } from './exploration-life.ts';
import type { ExplorationStore } from './exploration-store.ts';
import type { WritesTable } from '#durable-objects/shared/writes-table.ts';
import type { MaterialTable } from './material-table.ts';
import type { CommittedState } from './committed-state.ts';
import type { ReviewedUnits } from './reviewed-units.ts';
import type { Reviews } from './reviews.ts';
import type { CatalogPairsOutcome, StageOutput, UnitDesk, WorkOrStop } from './unit-desk.ts';
import type { UnwritableTable } from './unwritable-table.ts';

/** A round to drive: its units with work, by shard. */
export interface OpenRound {
  readonly kind: 'round';
  readonly round: number;
  readonly shards: readonly UnitShard[];
  /** Whether all its units are done, so that it can be committed. */
  readonly isComplete: boolean;
}

/** The whole catalog for a writer that sees all of it, and how the requests of each missing pair are to differ. */
export interface OpenGroup {
  readonly kind: 'group';
  readonly tools: Tool[];
  readonly material: WriterMaterial;
  readonly relations: readonly RelationKind[];
}

/**
 * The rounds of an exploration: opens them, commits the results of their units, and ends the run if a rule or the
 * budget says so.
 */
export class Rounds extends RpcTarget {
  readonly #storage: DurableObjectStorage;
  readonly #store: ExplorationStore;
  readonly #material: MaterialTable;
  readonly #writes: WritesTable;
  readonly #unwritable: UnwritableTable;
  readonly #life: ExplorationLife;
  readonly #desk: UnitDesk;
  readonly #committed: CommittedState;
  readonly #reviewed: ReviewedUnits;
  readonly #reviews: () => Reviews;
  readonly #env: {
    readonly EXPLORATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
    readonly UNIT_SHARD_WORKFLOW: Workflow<UnitShardParams>;
  };
  /** How many of the rows written by store and lifecycle are already counted in the standing. */
  #rowsCounted = 0;

  constructor(of: {
    readonly storage: DurableObjectStorage;
    readonly store: ExplorationStore;
    readonly material: MaterialTable;
    readonly writes: WritesTable;
    readonly unwritable: UnwritableTable;
    readonly life: ExplorationLife;
    readonly desk: UnitDesk;
    readonly committed: CommittedState;
    readonly reviewed: ReviewedUnits;
    readonly reviews: () => Reviews;
    readonly env: {
      readonly EXPLORATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
      readonly UNIT_SHARD_WORKFLOW: Workflow<UnitShardParams>;
    };
  }) {
    super();
    this.#storage = of.storage;
    this.#store = of.store;
    this.#material = of.material;
    this.#writes = of.writes;
    this.#unwritable = of.unwritable;
    this.#life = of.life;
    this.#desk = of.desk;
    this.#committed = of.committed;
    this.#reviewed = of.reviewed;
    this.#reviews = of.reviews;
    this.#env = of.env;
  }

  /** Returns the current round or a new one, or that there is nothing to drive. */
  async openRound(driver: number): Promise<OpenRound | Stop> {
    const stop = this.#life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    const { config } = this.#life.creation;
    const state = this.#committed.state;
    const round = state.round + 1;
    let units = this.#desk.listUnitsByIdPrefix(roundIdPrefix(round));
    if (units.length === 0) {
      const spent = tokensAndCostOfUsage(this.#life.standing.usage);
      units = makeRoundUnits(state, config, round, countSteeredUnitsOfNextRound(state, config, spent));
      this.#life.transaction(() => {
        for (const unit of units) this.#desk.storeChangedUnit(unit);
        const ended = units.filter(({ stage }) => stage.kind === 'done');
        this.#life.emit([
          { type: 'round.opened', round, units: units.length },
          ...ended.flatMap((unit) => listUnitChangeEvents(unit, unit)),
        ]);
      });
    }
    const open = await this.#parkOverdueAndListUnfinishedUnits(round);
    const withWork = open.filter(({ stage }) => stage.kind !== 'waiting');
    const shards = makeUnitShards(`r${round}`, withWork, strategies[config.strategy].unitsPerAnswer);
    return { kind: 'round', round, shards, isComplete: open.length === 0 };
  }

  /** Returns the whole catalog for a writer that sees all of it, and how the requests of each missing pair are to differ. */
  openCatalogPairWriting(driver: number, units: readonly string[]): OpenGroup | Stop {
    const stop = this.#life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    const relations = units.flatMap((id) => {
      const { stage, relation } = this.#desk.getUnitOrThrow(id);
      return stage.kind === 'catalog-pair' ? [relation?.asked ?? 'paraphrase'] : [];
    });
    const [first] = units;
    if (relations.length === 0 || first === undefined) return { kind: 'stop', why: 'nothing-left' };
    const tools = this.#store.listCatalogTools();
    const { usesFeedback } = strategies[this.#life.creation.config.strategy];
    const material = this.#material.chooseWriterMaterial(this.#desk.getUnitOrThrow(first), tools, usesFeedback);
    return { kind: 'group', tools, material, relations };
  }

  /** Commits an answer for the units that still wait for it, or that there is none yet; ignored once the run is over. */
  commitWrittenCatalogPairs(units: readonly string[], answer: CatalogPairsOutcome): void {
    if (isOver(this.#life.standing.status)) return;
    if ('kind' in answer) return this.#life.recordEndpointRest(answer);
    const waiting = units
      .map((id) => this.#desk.getUnitOrThrow(id))
      .filter(({ stage }) => stage.kind === 'catalog-pair');
    this.#life.transaction(() => {
      unitsAfterCatalogPairs(waiting, answer).forEach((after, index) => {
        const before = waiting[index];
        if (before === undefined) return;
        this.#desk.storeChangedUnit(after);
        this.#life.emit(listUnitChangeEvents(before, after));
      });
    });
  }

  takeUnitWork(driver: number, id: string): WorkOrStop {
    return this.#life.findReasonToStopDriver(driver) ?? this.#desk.takeUnitWorkOrDropFailing(this.#life, id);
  }

  /**
   * Commits the result of the stage that `revision` names, and returns what comes next. Ignores a result for a
   * committed revision. Accepts a paid result from any driver, unless the run is over.
   */
  commitStage(driver: number, id: string, revision: number, result: StageOutput): WorkOrStop {
    if (isOver(this.#life.standing.status)) return this.takeUnitWork(driver, id);
    const after = this.#desk.commitStage(this.#life, id, revision, result);
    return this.#life.findReasonToStopDriver(driver) ?? this.#desk.makeWorkOrStop(after);
  }

  /** Drops a unit whose work failed repeatedly for a reason of ours. Idempotent. */
  setUnitAside(driver: number, id: string, reason: string): void {
    if (this.#life.findReasonToStopDriver(driver) === null) this.#desk.dropFailedUnit(this.#life, id, reason);
  }

  /**
   * Continues after a shard of a round has ended: if no unit of the round is open, starts an instance that commits it
   * and opens the next. Idempotent, and repairs an interruption after the commit.
   */
  async startInstanceIfRoundIsDone(driver: number, round: number): Promise<void> {
    if (this.#life.findReasonToStopDriver(driver) !== null) return;
    if (round > this.#committed.state.round && (await this.#parkOverdueAndListUnfinishedUnits(round)).length > 0)
      return;
    const run = this.#life.creation.id;
    await this.#env.EXPLORATION_WORKFLOW.createBatch([
      { id: `${run}-${driver}-after-r${round}`, params: { run, driver } },
    ]);
  }

  /** Commits a finished round, and ends the run if a rule or the budget says so. */
  async commitRound(driver: number, round: number): Promise<{ kind: 'next' } | Stop> {
    const stop = this.#life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    const { config, at } = this.#life.creation;
    const units = this.#desk.listUnitsByIdPrefix(roundIdPrefix(round));
    const commit = makeCommitOfFinishedRound(
      this.#committed.state,
      round,
      // The result of a decision is counted after the decision has been carried out.
      units.map((unit) => (this.#reviewed.has(unit.id) ? outcomeOfUnitInReview(unit) : outcomeOfFinishedUnit(unit))),
    );
    if (commit.kind === 'out-of-order')
      throw new Error(`round ${round} cannot be committed after ${commit.state.round}`);
    if (commit.kind === 'repeated') return { kind: 'next' };
    const now = this.#life.standing;
    const spent = units.reduce((sum, unit) => addUsage(sum, unit.usage), now.usage);
    const reading = computeRoundReading(commit.state, config);
    this.#life.transaction(() => {
      this.#store.writeChangedStateRows(commit.touched);
      this.#store.writeReading(reading);
      this.#unwritable.recordUnwritableTools(units);
      const written = [this.#store, this.#material, this.#unwritable, this.#life, this.#writes].reduce(
        (sum, { rowsWritten: rows }) => sum + rows,
        0,
      );
      const rowsWritten = now.rowsWritten + written - this.#rowsCounted;
      this.#rowsCounted = written;
      const grounding = addGroundingCounts(now.grounding, countUnitsByGrounding(units));
      const executed = units.filter(({ id }) => !this.#reviewed.has(id));
      const failures = addTallies(now.failures, tallyFailedCallsOfUnits(executed));
      this.#life.standing = { ...now, usage: spent, grounding, failures, rowsWritten };
      for (const unit of units) {
        const reviewed = this.#reviewed.get(unit.id);
        if (reviewed !== null) this.#reviewed.write({ ...reviewed, counted: unit.usage });
      }
      const committed = { round, reading, grounding, usage: spent, rowsWritten };
      this.#life.emit(listEventsOfCommittedRound(commit.health, committed));
    });
    this.#committed.state = commit.state;
    this.#desk.dropCache();
    const reason = explorationEndReasonOrNull(config, reading, commit.state.recentChao1, {
      rounds: round,
      ...tokensAndCostOfUsage(spent),
      wallMs: Date.now() - Date.parse(at),
      writes: config.budget.writes === undefined ? 0 : this.#writes.countWritingCalls(),
    });
    const end =
      endOfRunWithoutServersOrNull(commit.state) ??
      (reason === null ? null : explorationEndStatusAndReason(reading.units, commit.state.coveredTools, reason));
    if (end !== null) await this.#life.end(end.status, end.reason);
    return this.#life.findReasonToStopDriver(driver) ?? { kind: 'next' };
  }

  /** Counts a unit that its round had counted as in review. Inside a transaction. */
  recountReviewedUnit(unit: Unit, unpaid: Usage): void {
    const now = this.#life.standing;
    this.#life.standing = { ...now, usage: addUsage(now.usage, unpaid) };
    if (isOpenToReview(unit)) return;
    const commit = makeCommitOfReviewedUnitOnce(this.#committed.state, outcomeOfFinishedUnit(unit));
    if (commit.kind !== 'committed') return;
    const { standing } = this.#life;
    this.#life.standing = {
      ...standing,
      failures: addTallies(standing.failures, tallyFailedCallsOfUnits([unit])),
    };
    this.#store.writeChangedStateRows(commit.touched);
    this.#committed.state = commit.state;
  }

  /** Continues with a unit that a person decided on while its round waited. Idempotent. */
  async resumeDecidedUnit(unit: Unit): Promise<void> {
    const { driver } = this.#life.standing;
    if (unit.stage.kind === 'done') return this.startInstanceIfRoundIsDone(driver, unit.round);
    const shard = makeShardOfDecidedUnit(unit);
    const params = { run: this.#life.creation.id, driver, round: unit.round, evolution: null, shard, leg: 1 };
    await this.#env.UNIT_SHARD_WORKFLOW.createBatch([{ id: unitShardInstanceId(params), params }]);
  }

  /** Returns whether the run waits only for decisions that have time left; then it needs no driver. */
  isWaitingOnlyForDecisions(): boolean {
    if (this.#life.creation.config.review !== 'wait' || this.#life.standing.status !== 'running') return false;
    const units = this.#desk.listUnitsByIdPrefix(roundIdPrefix(this.#committed.state.round + 1));
    const open = units.filter(({ id, stage }) => stage.kind !== 'done' && !this.#reviewed.has(id));
    const { reviewTimeoutMs } = this.#life.creation.config;
    return open.length > 0 && open.every(({ id }) => this.#reviews().isWaitingInTime(id, reviewTimeoutMs));
  }

  /**
   * Returns the unfinished units of a round. If some of them wait for a person, the alarm goes off when the first wait
   * ends. A unit that was decided on after it was parked has its own driver.
   */
  async #parkOverdueAndListUnfinishedUnits(round: number): Promise<Unit[]> {
    const { reviewTimeoutMs } = this.#life.creation.config;
    const units = this.#desk.listUnitsByIdPrefix(roundIdPrefix(round)).filter(({ id }) => !this.#reviewed.has(id));
    const waiting = units.filter(({ stage }) => stage.kind === 'waiting');
    const dueMs = waiting.flatMap(({ id }) => this.#reviews().getWaitEndMsOrParkUnit(id, reviewTimeoutMs) ?? []);
    if (dueMs.length > 0) await this.#storage.setAlarm(Math.min(...dueMs));
    return units.map(({ id }) => this.#desk.getUnitOrThrow(id)).filter(({ stage }) => stage.kind !== 'done');
  }
}
