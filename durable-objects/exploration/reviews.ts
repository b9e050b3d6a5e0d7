import { RpcTarget } from 'cloudflare:workers';
import { canonicalJson } from '#core/values/canonical.ts';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import { listUnitChangeEvents } from '#core/reports/announcements/unit-events.ts';
import { unitAfterDecision, isOpenToReview, unitInReviewIfWaiting } from '#core/units/progress.ts';
import type { ReviewDetail, Reviewer } from '#core/exploration/record.ts';
import type { Verdict } from '#core/units/review.ts';
import { subtractUsage, type Usage } from '#core/models/usage.ts';
import type { Unit } from '#core/units/unit.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import type { Evolution } from './evolution.ts';
import type { Compared, ToCompare } from './evolution-turn.ts';
import { withheldUnitRefusal, type ExplorationReader } from './exploration-reader.ts';
import type { ExplorationStore } from './exploration-store.ts';
import type { ReviewedUnit, ReviewedUnits } from './reviewed-units.ts';
import type { RunLifecycle, RunStanding, Stop } from '#durable-objects/shared/run-lifecycle.ts';
import type { StageOutput, UnitDesk, WorkOrStop } from './unit-desk.ts';

/** The run whose log reports a unit: the exploration, or the evolution that wrote it. */
type Emitter = Pick<
  RunLifecycle<{ readonly id: string }, RunStanding>,
  'transaction' | 'emit' | 'hasLostDriver' | 'pauseIfEndpointRefuses' | 'recordEndpointRest'
>;

/** People's decisions on units, each carried out once, at any time, even if the run is over. */
export class Reviews extends RpcTarget {
  readonly #store: ExplorationStore;
  readonly #desk: UnitDesk;
  readonly #reviewed: ReviewedUnits;
  readonly #directory: DurableObjectNamespace<Directory>;
  readonly #workspace: () => string;
  readonly #life: Emitter &
    Pick<RunLifecycle<{ readonly id: string }, RunStanding>, 'exists' | 'creation' | 'standing'>;
  readonly #reader: ExplorationReader;
  readonly #evolution: (number: number) => Evolution;
  /** Counts an explored unit in its final state, inside a transaction; `unpaid` is the part of its cost that has not been counted yet. */
  readonly #count: (unit: Unit, unpaid: Usage) => void;
  /** Whether the round of a unit is committed. */
  readonly #isCounted: (unit: Unit) => boolean;
  /** Starts the workflow instance that carries out a decision. */
  readonly #start: (unit: string, driver: number) => Promise<void>;
  /** Continues with a unit whose round has waited for the decision. Idempotent. */
  readonly #resumeUnit: (unit: Unit) => Promise<void>;
  readonly #longestStageMs: () => number;

  constructor(of: {
    readonly store: ExplorationStore;
    readonly desk: UnitDesk;
    readonly reviewed: ReviewedUnits;
    readonly directory: DurableObjectNamespace<Directory>;
    readonly workspace: () => string;
    readonly life: Emitter &
      Pick<RunLifecycle<{ readonly id: string }, RunStanding>, 'exists' | 'creation' | 'standing'>;
    readonly reader: ExplorationReader;
    readonly evolution: (number: number) => Evolution;
    readonly count: (unit: Unit, unpaid: Usage) => void;
    readonly isCounted: (unit: Unit) => boolean;
    readonly start: (unit: string, driver: number) => Promise<void>;
    readonly resumeUnit: (unit: Unit) => Promise<void>;
    readonly longestStageMs: () => number;
  }) {
    super();
    this.#store = of.store;
    this.#desk = of.desk;
    this.#reviewed = of.reviewed;
    this.#directory = of.directory;
    this.#workspace = of.workspace;
    this.#life = of.life;
    this.#reader = of.reader;
    this.#evolution = of.evolution;
    this.#count = of.count;
    this.#isCounted = of.isCounted;
    this.#start = of.start;
    this.#resumeUnit = of.resumeUnit;
    this.#longestStageMs = of.longestStageMs;
  }

  /** Accepts a decision. Repeating it changes nothing; a different one on a decided unit is refused. */
  async recordDecision(id: string, verdict: Verdict, { key, sight }: Reviewer): Promise<Result<ReviewDetail>> {
    if (!this.#life.exists) return refuse('not-found', 'there is no such exploration');
    if (this.#reader.isUnitHidden(id, sight)) return withheldUnitRefusal();
    const decided = await this.#recordDecisionOnce(id, verdict, key);
    return decided.ok ? ok(this.#reader.makeReviewDetail(decided.value)) : decided;
  }

  async #recordDecisionOnce(id: string, verdict: Verdict, reviewer: string): Promise<Result<Unit>> {
    const { status } = this.#life.standing;
    if (status === 'cancelled' || status === 'failed') return refuse('wrong-state', `the exploration is ${status}`);
    const unit = this.#store.readUnit(id);
    if (unit === null) return refuse('not-found', `there is no unit ${id}`);
    if (!isOpenToReview(unit)) return this.#repeatOrRefuseDecision(unit, verdict, reviewer);
    const score = unit.audits.at(-1)?.score ?? 0;
    const after = unitAfterDecision(unit, { verdict, reviewer, at: new Date().toISOString(), score });
    // A waiting round continues with the unit itself.
    const inRound = unit.stage.kind === 'waiting';
    const run = this.#getReportingRun(unit);
    run.transaction(() => {
      this.#desk.storeChangedUnit(after);
      run.emit([
        { type: 'review.decided', unit: id, decision: verdict.decision, reviewer },
        ...listUnitChangeEvents(unit, after),
      ]);
      if (inRound) return;
      if (after.stage.kind === 'done') this.#countUnitAndEmitIfReviewSettled(after, unit.usage);
      else this.#reviewed.write({ unit: id, driver: 1, counted: unit.usage });
    });
    if (inRound) await this.#resumeUnit(after);
    else if (after.stage.kind !== 'done') await this.#registerAndStartDriver(id);
    return ok(after);
  }

  /**
   * Returns why an instance must stop carrying out a decision; null if it may continue. The run's own state does not
   * matter.
   */
  #findReasonToStop(unit: string, driver: number): Stop | null {
    const entry = this.#reviewed.get(unit);
    if (entry === null) return { kind: 'stop', why: 'over' };
    return driver < entry.driver ? { kind: 'stop', why: 'superseded' } : null;
  }

  #getReportingRunById(id: string): Emitter {
    return this.#getReportingRun(this.#desk.getUnitOrThrow(id));
  }

  takeUnitWork(driver: number, id: string): WorkOrStop {
    return (
      this.#findReasonToStop(id, driver) ?? this.#desk.takeUnitWorkOrDropFailing(this.#getReportingRunById(id), id)
    );
  }

  setUnitAside(driver: number, id: string, reason: string): void {
    if (this.#findReasonToStop(id, driver) === null)
      this.#desk.dropFailedUnit(this.#getReportingRunById(id), id, reason);
  }

  commitStage(driver: number, id: string, revision: number, result: StageOutput): WorkOrStop {
    const stop = this.#findReasonToStop(id, driver);
    if (stop?.why === 'over') return stop;
    const after = this.#desk.commitStage(this.#getReportingRunById(id), id, revision, result);
    return stop ?? this.#desk.makeWorkOrStop(after);
  }

  /** An approved variant must still be compared with the kept units. */
  getVariantToCompareOrStop(driver: number, id: string): ToCompare | Stop {
    const { stage, pair } = this.#desk.getUnitOrThrow(id);
    const units = stage.kind === 'distinct' ? [{ unit: id, text: pair?.source ?? '' }] : [];
    return this.#findReasonToStop(id, driver) ?? { kind: 'compare', units };
  }

  keepOrMarkDuplicates(units: readonly string[], compared: Compared): void {
    for (const id of units) {
      const { lineage } = this.#desk.getUnitOrThrow(id);
      if (lineage !== null) this.#evolution(lineage.evolution).keepVariantsOrMarkDuplicates([id], compared);
    }
  }

  /** Counts a unit whose decision has been carried out. Idempotent. */
  async closeAndCount(driver: number, id: string): Promise<void> {
    const entry = this.#reviewed.get(id);
    if (entry !== null && entry.driver === driver) {
      const unit = this.#desk.getUnitOrThrow(id);
      const run = this.#getReportingRun(unit);
      run.transaction(() => {
        this.#reviewed.remove(id);
        this.#countUnitAndEmitIfReviewSettled(unit, entry.counted);
      });
    }
    if (this.#reviewed.all.length === 0) await this.#getDirectory().removeRun(this.#reviewsRunIdInDirectory());
  }

  /**
   * Starts new drivers for decisions that are being carried out, if their runs have been silent too long or with
   * `force`.
   */
  async wake(force: boolean): Promise<void> {
    for (const entry of this.#reviewed.all) {
      if (!force && !this.#getReportingRunById(entry.unit).hasLostDriver(this.#longestStageMs())) continue;
      this.#reviewed.write({ ...entry, driver: entry.driver + 1 });
      // Sequentially: each starts an instance, and there are few.
      await this.#start(entry.unit, entry.driver + 1);
    }
  }

  /**
   * Returns when the wait of a round for a unit ends, in ms since 1970; if the wait is over, parks the unit and returns
   * null.
   */
  getWaitEndMsOrParkUnit(id: string, timeoutMs: number): number | null {
    const now = new Date();
    const dueMs = Date.parse(this.#reviewed.getOrStoreWaitStart(id, now.toISOString())) + timeoutMs;
    if (dueMs > now.getTime()) return dueMs;
    this.#parkUnit(id);
    return null;
  }

  /** Returns whether a unit waits for a person and has time left. */
  isWaitingInTime(id: string, timeoutMs: number): boolean {
    const since = this.#reviewed.findWaitStart(id);
    return (
      this.#desk.getUnitOrThrow(id).stage.kind === 'waiting' &&
      since !== null &&
      Date.parse(since) + timeoutMs > Date.now()
    );
  }

  #parkUnit(id: string): void {
    const before = this.#desk.getUnitOrThrow(id);
    const after = unitInReviewIfWaiting(before);
    this.#life.transaction(() => {
      this.#desk.storeChangedUnit(after);
      this.#life.emit(listUnitChangeEvents(before, after));
    });
  }

  async #repeatOrRefuseDecision(unit: Unit, verdict: Verdict, reviewer: string): Promise<Result<Unit>> {
    const last = unit.decisions.at(-1);
    if (last === undefined) {
      const standing = unit.stage.kind === 'done' ? unit.stage.status : `at ${unit.stage.kind}`;
      return refuse('review-decided', `unit ${unit.id} is not in review: it is ${standing}`);
    }
    const isSame = last.reviewer === reviewer && canonicalJson(last.verdict) === canonicalJson(verdict);
    if (!isSame) {
      return refuse('review-decided', `${last.reviewer} decided at ${last.at}: ${last.verdict.decision}`);
    }
    // The first call may have ended before the instance was started.
    if (this.#reviewed.get(unit.id) !== null) await this.#registerAndStartDriver(unit.id);
    else if (unit.lineage === null && !this.#isCounted(unit)) await this.#resumeUnit(unit);
    return ok(unit);
  }

  async #registerAndStartDriver(unit: string): Promise<void> {
    const entry: ReviewedUnit | null = this.#reviewed.get(unit);
    if (entry === null) return;
    await this.#getDirectory().addRun(this.#reviewsRunIdInDirectory(), 'reviewed-units', this.#workspace());
    await this.#start(unit, entry.driver);
  }

  #countUnitAndEmitIfReviewSettled(unit: Unit, counted: Usage): void {
    const unpaid = subtractUsage(unit.usage, counted);
    if (unit.lineage !== null) this.#evolution(unit.lineage.evolution).addReviewedVariantToCounts(unit, unpaid);
    else if (this.#isCounted(unit)) this.#count(unit, unpaid);
    if (unit.stage.kind === 'done' && !isOpenToReview(unit)) {
      this.#getReportingRun(unit).emit([{ type: 'review.settled', unit: unit.id, status: unit.stage.status }]);
    }
  }

  #getReportingRun({ lineage }: Unit): Emitter {
    return lineage === null ? this.#life : this.#evolution(lineage.evolution).life;
  }

  #reviewsRunIdInDirectory(): string {
    return `${this.#life.creation.id}/reviewed-units`;
  }

  #getDirectory() {
    return this.#directory.getByName('directory');
  }
}
