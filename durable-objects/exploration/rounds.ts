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

/** What rounds need from their exploration. */
interface Host {
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
}

/**
 * The rounds of an exploration: opens them, commits the results of their units, and ends the run if a rule or the
 * budget says so.
 */
export class Rounds extends RpcTarget {
  readonly #host: Host;
  /** How many of the rows written by store and lifecycle are already counted in the standing. */
  #rowsCounted = 0;

  constructor(host: Host) {
    super();
    this.#host = host;
  }

  /** Returns the current round or a new one, or that there is nothing to drive. */
  async openRound(driver: number): Promise<OpenRound | Stop> {
    const stop = this.#host.life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    const { config } = this.#host.life.creation;
    const state = this.#host.committed.state;
    const round = state.round + 1;
    let units = this.#host.desk.listUnitsByIdPrefix(roundIdPrefix(round));
    if (units.length === 0) {
      const spent = tokensAndCostOfUsage(this.#host.life.standing.usage);
      units = makeRoundUnits(state, config, round, countSteeredUnitsOfNextRound(state, config, spent));
      this.#host.life.transaction(() => {
        for (const unit of units) this.#host.desk.storeChangedUnit(unit);
        const ended = units.filter(({ stage }) => stage.kind === 'done');
        this.#host.life.emit([
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
    const stop = this.#host.life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    const relations = units.flatMap((id) => {
      const { stage, relation } = this.#host.desk.getUnitOrThrow(id);
      return stage.kind === 'catalog-pair' ? [relation?.asked ?? 'paraphrase'] : [];
    });
    const [first] = units;
    if (relations.length === 0 || first === undefined) return { kind: 'stop', why: 'nothing-left' };
    const tools = this.#host.store.listCatalogTools();
    const { usesFeedback } = strategies[this.#host.life.creation.config.strategy];
    const material = this.#host.material.chooseWriterMaterial(
      this.#host.desk.getUnitOrThrow(first),
      tools,
      usesFeedback,
    );
    return { kind: 'group', tools, material, relations };
  }

  /** Commits an answer for the units that still wait for it, or that there is none yet; ignored once the run is over. */
  commitWrittenCatalogPairs(units: readonly string[], answer: CatalogPairsOutcome): void {
    if (isOver(this.#host.life.standing.status)) return;
    if ('kind' in answer) return this.#host.life.recordEndpointRest(answer);
    const waiting = units
      .map((id) => this.#host.desk.getUnitOrThrow(id))
      .filter(({ stage }) => stage.kind === 'catalog-pair');
    this.#host.life.transaction(() => {
      unitsAfterCatalogPairs(waiting, answer).forEach((after, index) => {
        const before = waiting[index];
        if (before === undefined) return;
        this.#host.desk.storeChangedUnit(after);
        this.#host.life.emit(listUnitChangeEvents(before, after));
      });
    });
  }

  takeUnitWork(driver: number, id: string): WorkOrStop {
    return (
      this.#host.life.findReasonToStopDriver(driver) ?? this.#host.desk.takeUnitWorkOrDropFailing(this.#host.life, id)
    );
  }

  /**
   * Commits the result of the stage that `revision` names, and returns what comes next. Ignores a result for a
   * committed revision. Accepts a paid result from any driver, unless the run is over.
   */
  commitStage(driver: number, id: string, revision: number, result: StageOutput): WorkOrStop {
    if (isOver(this.#host.life.standing.status)) return this.takeUnitWork(driver, id);
    const after = this.#host.desk.commitStage(this.#host.life, id, revision, result);
    return this.#host.life.findReasonToStopDriver(driver) ?? this.#host.desk.makeWorkOrStop(after);
  }

  /** Drops a unit whose work failed repeatedly for a reason of ours. Idempotent. */
  setUnitAside(driver: number, id: string, reason: string): void {
    if (this.#host.life.findReasonToStopDriver(driver) === null)
      this.#host.desk.dropFailedUnit(this.#host.life, id, reason);
  }

  /**
   * Continues after a shard of a round has ended: if no unit of the round is open, starts an instance that commits it
   * and opens the next. Idempotent, and repairs an interruption after the commit.
   */
  async startInstanceIfRoundIsDone(driver: number, round: number): Promise<void> {
    if (this.#host.life.findReasonToStopDriver(driver) !== null) return;
    if (round > this.#host.committed.state.round && (await this.#parkOverdueAndListUnfinishedUnits(round)).length > 0)
      return;
    const run = this.#host.life.creation.id;
    await this.#host.env.EXPLORATION_WORKFLOW.createBatch([
      { id: `${run}-${driver}-after-r${round}`, params: { run, driver } },
    ]);
  }

  /** Commits a finished round, and ends the run if a rule or the budget says so. */
  async commitRound(driver: number, round: number): Promise<{ kind: 'next' } | Stop> {
    const stop = this.#host.life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    const { config, at } = this.#host.life.creation;
    const units = this.#host.desk.listUnitsByIdPrefix(roundIdPrefix(round));
    const commit = makeCommitOfFinishedRound(
      this.#host.committed.state,
      round,
      // The result of a decision is counted after the decision has been carried out.
      units.map((unit) =>
        this.#host.reviewed.has(unit.id) ? outcomeOfUnitInReview(unit) : outcomeOfFinishedUnit(unit),
      ),
    );
    if (commit.kind === 'out-of-order')
      throw new Error(`round ${round} cannot be committed after ${commit.state.round}`);
    if (commit.kind === 'repeated') return { kind: 'next' };
    const now = this.#host.life.standing;
    const spent = units.reduce((sum, unit) => addUsage(sum, unit.usage), now.usage);
    const reading = computeRoundReading(commit.state, config.bound);
    this.#host.life.transaction(() => {
      this.#host.store.writeChangedStateRows(commit.touched);
      this.#host.store.writeReading(reading);
      this.#host.unwritable.recordUnwritableTools(units);
      const written = [
        this.#host.store,
        this.#host.material,
        this.#host.unwritable,
        this.#host.life,
        this.#host.writes,
      ].reduce((sum, { rowsWritten: rows }) => sum + rows, 0);
      const rowsWritten = now.rowsWritten + written - this.#rowsCounted;
      this.#rowsCounted = written;
      const grounding = addGroundingCounts(now.grounding, countUnitsByGrounding(units));
      const executed = units.filter(({ id }) => !this.#host.reviewed.has(id));
      const failures = addTallies(now.failures, tallyFailedCallsOfUnits(executed));
      this.#host.life.standing = { ...now, usage: spent, grounding, failures, rowsWritten };
      for (const unit of units) {
        const reviewed = this.#host.reviewed.get(unit.id);
        if (reviewed !== null) this.#host.reviewed.write({ ...reviewed, counted: unit.usage });
      }
      const committed = { round, reading, grounding, usage: spent, rowsWritten };
      this.#host.life.emit(listEventsOfCommittedRound(commit.health, committed));
    });
    this.#host.committed.state = commit.state;
    this.#host.desk.dropCache();
    const reason = explorationEndReasonOrNull(config, reading, commit.state.recentChao1, {
      rounds: round,
      ...tokensAndCostOfUsage(spent),
      wallMs: Date.now() - Date.parse(at),
      writes: config.budget.writes === undefined ? 0 : this.#host.writes.countWritingCalls(),
    });
    const end =
      endOfRunWithoutServersOrNull(commit.state) ??
      (reason === null ? null : explorationEndStatusAndReason(reading.units, commit.state.coveredTools, reason));
    if (end !== null) await this.#host.life.end(end.status, end.reason);
    return this.#host.life.findReasonToStopDriver(driver) ?? { kind: 'next' };
  }

  /** Counts a unit that its round had counted as in review. Inside a transaction. */
  recountReviewedUnit(unit: Unit, unpaid: Usage): void {
    const now = this.#host.life.standing;
    this.#host.life.standing = { ...now, usage: addUsage(now.usage, unpaid) };
    if (isOpenToReview(unit)) return;
    const commit = makeCommitOfReviewedUnitOnce(this.#host.committed.state, outcomeOfFinishedUnit(unit));
    if (commit.kind !== 'committed') return;
    const { standing } = this.#host.life;
    this.#host.life.standing = {
      ...standing,
      failures: addTallies(standing.failures, tallyFailedCallsOfUnits([unit])),
    };
    this.#host.store.writeChangedStateRows(commit.touched);
    this.#host.committed.state = commit.state;
  }

  /** Continues with a unit that a person decided on while its round waited. Idempotent. */
  async resumeDecidedUnit(unit: Unit): Promise<void> {
    const { driver } = this.#host.life.standing;
    if (unit.stage.kind === 'done') return this.startInstanceIfRoundIsDone(driver, unit.round);
    const shard = makeShardOfDecidedUnit(unit);
    const params = { run: this.#host.life.creation.id, driver, round: unit.round, evolution: null, shard, leg: 1 };
    await this.#host.env.UNIT_SHARD_WORKFLOW.createBatch([{ id: unitShardInstanceId(params), params }]);
  }

  /** Returns whether the run waits only for decisions that have time left; then it needs no driver. */
  isWaitingOnlyForDecisions(): boolean {
    if (this.#host.life.creation.config.review !== 'wait' || this.#host.life.standing.status !== 'running')
      return false;
    const units = this.#host.desk.listUnitsByIdPrefix(roundIdPrefix(this.#host.committed.state.round + 1));
    const open = units.filter(({ id, stage }) => stage.kind !== 'done' && !this.#host.reviewed.has(id));
    const { reviewTimeoutMs } = this.#host.life.creation.config;
    return open.length > 0 && open.every(({ id }) => this.#host.reviews().isWaitingInTime(id, reviewTimeoutMs));
  }

  /**
   * Returns the unfinished units of a round. If some of them wait for a person, the alarm goes off when the first wait
   * ends. A unit that was decided on after it was parked has its own driver.
   */
  async #parkOverdueAndListUnfinishedUnits(round: number): Promise<Unit[]> {
    const { reviewTimeoutMs } = this.#host.life.creation.config;
    const units = this.#host.desk
      .listUnitsByIdPrefix(roundIdPrefix(round))
      .filter(({ id }) => !this.#host.reviewed.has(id));
    const waiting = units.filter(({ stage }) => stage.kind === 'waiting');
    const dueMs = waiting.flatMap(({ id }) => this.#host.reviews().getWaitEndMsOrParkUnit(id, reviewTimeoutMs) ?? []);
    if (dueMs.length > 0) await this.#host.storage.setAlarm(Math.min(...dueMs));
    return units.map(({ id }) => this.#host.desk.getUnitOrThrow(id)).filter(({ stage }) => stage.kind !== 'done');
  }
}
