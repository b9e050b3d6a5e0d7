import type { z } from 'zod';
import { ok, type Result } from '#core/values/result.ts';
import type { CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { defaultTargetUnits } from '#core/exploration/evolution/config.ts';
import { listExploredTransitions } from '#core/exploration/evolution/executed-transitions.ts';
import type { KeptUnits, KeptUnit } from '#core/exploration/evolution/kept-units.ts';
import { evolutionId, type EvolutionRecord, type NewEvolution } from '#core/exploration/evolution/record.ts';
import { evolutionEndReasonOrNull, noVariants } from '#core/exploration/evolution/stop.ts';
import {
  batchIdPrefix,
  makeFollowingToolsFinder,
  makeVariantUnitsOfBatch,
  variantIdPrefix,
} from '#core/exploration/evolution/variants.ts';
import type { EventBody } from '#core/reports/events.ts';
import type { ExplorationState } from '#core/exploration/state.ts';
import { listUnitChangeEvents } from '#core/reports/announcements/unit-events.ts';
import { findFirstNearDuplicateOrNull, type Comparison } from '#core/units/near-duplicate.ts';
import { variantAfterComparison } from '#core/units/progress.ts';
import { makeUnitShards, findPhaseOfVariantOrNull, type VariantPhase } from '#core/units/shards.ts';
import { thresholdsOfCalibration } from '#core/similarity/calibrate-embedder.ts';
import { duplicateThresholds } from '#core/similarity/near-duplicates.ts';
import { hasSameTools } from '#core/similarity/same-tools.ts';
import {
  tokensAndCostOfUsage,
  sumUnitCountsOfAllStates,
  countUnitsToStart,
  meanCostPerUnit,
  type UnitCost,
} from '#core/exploration/reservation.ts';
import { addUsage, noUsage, sumUsageOfCalls, type Usage } from '#core/models/usage.ts';
import type { Unit, UnitStatus } from '#core/units/unit.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import { creation, standing } from './evolution-life.ts';
import type { Comparable, Compared, EvolutionTurn, ExploredPart, ToCompare } from './evolution-turn.ts';
import type { EvolutionStore } from './evolution-store.ts';
import { acceptedUnit, type ExplorationStore } from './exploration-store.ts';
import type { ReviewedUnits } from './reviewed-units.ts';
import { evolutionTableSuffix, evolutionTablesSql } from './schema.ts';
import { initialStanding, RunLifecycle, type Stop } from '#durable-objects/shared/run-lifecycle.ts';
import type { UnitDesk } from './unit-desk.ts';

/** Explored units that are compared in one step. */
const comparedAtOnce = 50;

/** One evolution of an exploration's units, in the exploration's own object, with its own life cycle and events. */
export class Evolution {
  readonly life: RunLifecycle<z.infer<typeof creation>, z.infer<typeof standing>>;
  readonly #storage: DurableObjectStorage;
  readonly #store: ExplorationStore;
  readonly #evolutions: EvolutionStore;
  readonly #desk: UnitDesk;
  readonly #reviewed: ReviewedUnits;
  readonly #kept: () => KeptUnits;
  readonly #committed: () => ExplorationState;
  /** What the units of the exploration took on average. */
  readonly #meanExplored: () => UnitCost | null;
  /** Starts an instance: the driver's first, or the one after a phase. */
  readonly #start: (evolution: number, driver: number, after?: string) => Promise<void>;
  readonly #number: number;

  constructor(
    of: {
      readonly storage: DurableObjectStorage;
      readonly store: ExplorationStore;
      readonly evolutions: EvolutionStore;
      readonly desk: UnitDesk;
      readonly reviewed: ReviewedUnits;
      readonly directory: DurableObjectNamespace<Directory>;
      readonly workspace: () => string;
      readonly kept: () => KeptUnits;
      readonly committed: () => ExplorationState;
      readonly meanExplored: () => UnitCost | null;
      readonly start: (evolution: number, driver: number, after?: string) => Promise<void>;
    },
    number: number,
  ) {
    this.#storage = of.storage;
    this.#store = of.store;
    this.#evolutions = of.evolutions;
    this.#desk = of.desk;
    this.#reviewed = of.reviewed;
    this.#kept = of.kept;
    this.#committed = of.committed;
    this.#meanExplored = of.meanExplored;
    this.#start = of.start;
    this.#number = number;
    this.life = new RunLifecycle({
      kind: 'evolution',
      storage: of.storage,
      tables: evolutionTableSuffix(number),
      creation,
      standing,
      directory: of.directory,
      workspace: () => of.workspace(),
      start: (_, driver) => of.start(number, driver),
    });
  }

  async createAndStartDriver(
    exploration: string,
    { config, key, at }: NewEvolution,
    estimate: CostEstimate,
  ): Promise<EvolutionRecord> {
    const id = evolutionId(exploration, this.#number);
    const nothing = { compared: 0, duplicatesFound: 0, comparedByWords: 0, target: 0, batches: [] };
    this.#storage.sql.exec(evolutionTablesSql(this.#number));
    await this.life.createIfAbsentAndStartDriver(
      { id, exploration, number: this.#number, config, estimate, at },
      { ...initialStanding, ...nothing, comparedUpTo: '', embedder: null, variants: noVariants, usage: noUsage },
      () => this.#evolutions.add(this.#number, key),
    );
    return this.makeRecord();
  }

  makeRecord(): EvolutionRecord {
    const { exploration, number, config, estimate = null, at } = this.life.creation;
    const { comparedUpTo: _, driver: __, refusals: ___, awaits: ____, batches, ...now } = this.life.standing;
    return {
      ...now,
      exploration,
      number,
      config,
      estimate,
      kept: this.#kept().size,
      batches: batches.length,
      createdAt: at,
    };
  }

  async pauseResumeOrCancel(verb: 'pause' | 'resume' | 'cancel'): Promise<Result<EvolutionRecord>> {
    const done = await this.life[verb]();
    return done.ok ? ok(this.makeRecord()) : done;
  }

  /**
   * Returns the next work: explored units to compare, or a phase of the current or a new batch; ends the evolution if
   * there is no seed to write variants from.
   */
  async openNextWorkOrEnd(driver: number): Promise<EvolutionTurn | Stop> {
    const stop = this.life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    const { comparedUpTo, batches } = this.life.standing;
    if (comparedUpTo !== null) return { kind: 'compare-explored' };
    const batch = batches.length + 1;
    let units = this.#variantsOfBatch(batch);
    if (units.length === 0) units = this.#makeAndStoreNextBatch(batch);
    if (units.length === 0) {
      await this.life.end('completed', 'there is no seed to write variants from');
      return { kind: 'stop', why: 'over' };
    }
    for (const phase of ['write', 'execute'] as const) {
      const open = this.#listUnfinishedVariants(batch, phase);
      if (open.length > 0) return { kind: 'shards', batch, phase, shards: makeUnitShards(`b${batch}-${phase}`, open) };
      if (phase === 'write' && this.#variantsToCompare(batch).length > 0) return { kind: 'compare', batch };
    }
    return { kind: 'complete', batch };
  }

  /**
   * Continues after a shard of a batch has ended: if no variant is left in its phase, starts an instance for what comes
   * next. Idempotent, and repairs an interruption after the commit.
   */
  async startInstanceIfPhaseIsDone(driver: number, batch: number, phase: VariantPhase): Promise<void> {
    if (this.life.findReasonToStopDriver(driver) !== null) return;
    const isUnderWay = batch > this.life.standing.batches.length;
    if (isUnderWay && this.#listUnfinishedVariants(batch, phase).length > 0) return;
    await this.#start(this.#number, driver, `b${batch}-${phase}`);
  }

  /** Returns the next part of the explored units; none if all were compared. */
  openExploredUnitsToCompare(driver: number): ExploredPart | Stop {
    const stop = this.life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    const { comparedUpTo } = this.life.standing;
    if (comparedUpTo === null) return { kind: 'stop', why: 'over' };
    const explored = { ...acceptedUnit, origin: 'explored' } as const;
    const units = this.#store.listFilteredUnits(explored, comparedUpTo, comparedAtOnce);
    const isLast = units.length < comparedAtOnce;
    // An earlier evolution has compared some of them already.
    const unseen = units.filter(({ id, duplicateOf }) => duplicateOf === null && !this.#kept().hasUnit(id));
    return { kind: 'part', units: unseen.map(makeComparableUnit), to: isLast ? null : (units.at(-1)?.id ?? null) };
  }

  /** Commits the comparison of a part of the explored units: marks near-duplicates of earlier units, and keeps the others. */
  keepExploredOrMarkDuplicates(
    driver: number,
    part: { units: readonly string[]; to: string | null },
    compared: Compared,
  ): void {
    const now = this.life.standing;
    // Committed before: a later part is being compared.
    const isPast = now.comparedUpTo === null || (part.to !== null && part.to <= now.comparedUpTo);
    if (this.life.findReasonToStopDriver(driver) !== null || isPast) return;
    const { kept, duplicates } = this.#splitIntoKeptAndDuplicates(part.units, compared);
    const added = kept.map((unit) => this.#makeKeptUnit(unit));
    const { targetUnits } = this.life.creation.config;
    const keptUnits = this.#kept().size + kept.length;
    this.life.transaction(() => {
      for (const unit of added) this.#evolutions.writeKeptUnit(unit);
      for (const { unit, duplicateOf } of duplicates) this.#desk.storeChangedUnit({ ...unit, duplicateOf });
      const units = now.compared + part.units.length;
      const duplicatesFound = now.duplicatesFound + duplicates.length;
      this.life.standing = {
        ...this.#standingWithComparisonCost(compared, part.units.length),
        comparedUpTo: part.to,
        compared: units,
        duplicatesFound,
        target: part.to === null ? (targetUnits ?? defaultTargetUnits(keptUnits)) : 0,
      };
      this.life.emit([
        ...listComparisonFaultEvents(compared),
        { type: 'units.compared', units, duplicates: duplicatesFound },
      ]);
    });
    for (const unit of added) this.#kept().addUnitOrUpdateUses(unit);
  }

  /** Returns the variants of a batch that must be compared with the kept units. */
  openVariantsToCompare(driver: number, batch: number): ToCompare | Stop {
    const stop = this.life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    return { kind: 'compare', units: this.#variantsToCompare(batch).map(makeComparableUnit) };
  }

  /**
   * Decides whether variants are near-duplicates of kept units; skips those already decided. The others count as kept
   * from here on, so of two similar ones in a batch only one stays.
   */
  keepVariantsOrMarkDuplicates(units: readonly string[], compared: Compared): void {
    const waiting = units.filter((id) => this.#desk.getUnitOrThrow(id).stage.kind === 'distinct');
    if (waiting.length === 0) return;
    const { kept, duplicates } = this.#splitIntoKeptAndDuplicates(waiting, compared);
    const added = kept.map((unit) => this.#makeKeptUnit(unit));
    const decided = [...kept.map((unit) => ({ unit, duplicateOf: null })), ...duplicates].map(
      ({ unit, duplicateOf }) => [unit, variantAfterComparison(unit, duplicateOf)] as const,
    );
    this.life.transaction(() => {
      for (const [before, after] of decided) {
        this.#desk.storeChangedUnit(after);
        this.life.emit(listUnitChangeEvents(before, after));
      }
      for (const unit of added) this.#evolutions.writeKeptUnit(unit);
      this.life.standing = this.#standingWithComparisonCost(compared, waiting.length);
      this.life.emit(listComparisonFaultEvents(compared));
    });
    for (const unit of added) this.#kept().addUnitOrUpdateUses(unit);
  }

  /** Commits a finished batch, and ends the evolution if its target, budget or yield says so. */
  async commitBatchAndEndIfDue(driver: number, batch: number): Promise<{ kind: 'next' } | Stop> {
    const stop = this.life.findReasonToStopDriver(driver);
    if (stop !== null) return stop;
    const now = this.life.standing;
    if (batch <= now.batches.length) return { kind: 'next' };
    const units = this.#variantsOfBatch(batch);
    const statuses = units.map((unit) => this.#getCountedStatusOrThrow(unit));
    const variants = { ...now.variants };
    for (const status of statuses) variants[status] += 1;
    const spent = units.reduce((sum, unit) => addUsage(sum, unit.usage), now.usage);
    const accepted = statuses.filter((status) => status === 'accepted').length;
    const dropped = statuses.filter((status) => status === 'dropped').length;
    // A variant counts as kept from its comparison on, but its execution may fail.
    const lost = units.filter(({ id }, index) => isFinalStatusNotKept(statuses[index]) && this.#kept().hasUnit(id));
    const keptUnits = this.#kept().size - lost.length;
    this.life.transaction(() => {
      for (const { id } of lost) this.#evolutions.removeKeptUnit(id);
      for (const { id, usage: counted } of units) {
        const reviewed = this.#reviewed.get(id);
        if (reviewed !== null) this.#reviewed.write({ ...reviewed, counted });
      }
      const batches = [...now.batches, { written: units.length, accepted, dropped }];
      this.life.standing = { ...now, variants, usage: spent, batches };
      this.life.emit([{ type: 'batch.committed', batch, variants, kept: keptUnits, target: now.target, usage: spent }]);
    });
    for (const { id } of lost) this.#kept().removeUnit(id);
    this.#desk.dropCache();
    const { config, at } = this.life.creation;
    const reason = evolutionEndReasonOrNull(config, {
      kept: keptUnits,
      target: now.target,
      batches: this.life.standing.batches,
      ...tokensAndCostOfUsage(spent),
      wallMs: Date.now() - Date.parse(at),
      writes:
        config.budget.writes === undefined ? 0 : this.#desk.countWritesByUnitIdPrefix(variantIdPrefix(this.#number)),
    });
    if (reason !== null) await this.life.end('completed', reason);
    return this.life.findReasonToStopDriver(driver) ?? { kind: 'next' };
  }

  /**
   * Counts a variant whose decision has been carried out in its final state. Its batch had counted it as in review,
   * unless the batch is still running. Inside a transaction; `unpaid` is its cost since then.
   */
  addReviewedVariantToCounts(unit: Unit, unpaid: Usage): void {
    const now = this.life.standing;
    const status = getFinalUnitStatusOrThrow(unit);
    if (isFinalStatusNotKept(status)) {
      this.#evolutions.removeKeptUnit(unit.id);
      this.#kept().removeUnit(unit.id);
    }
    if (unit.round > now.batches.length) return;
    const { review } = now.variants;
    const variants = { ...now.variants, review: review - 1 };
    variants[status] += 1;
    this.life.standing = { ...now, variants, usage: addUsage(now.usage, unpaid) };
  }

  #makeAndStoreNextBatch(batch: number): Unit[] {
    const { config } = this.life.creation;
    const kept = this.#kept();
    const committed = this.#committed();
    const ground = {
      kept,
      catalog: committed.catalog,
      followersOf: makeFollowingToolsFinder(listExploredTransitions(committed)),
    };
    // Not all variants are accepted, so towards the end slightly more are started than needed.
    const wanted = Math.min(config.batch, Math.max(1, 2 * (this.life.standing.target - kept.size)));
    const { usage, variants } = this.life.standing;
    const spent = tokensAndCostOfUsage(usage);
    // A variant costs about what an explored unit costs, as long as no variant shows what it does.
    const mean = meanCostPerUnit(spent, sumUnitCountsOfAllStates(variants)) ?? this.#meanExplored();
    const count = countUnitsToStart(config.budget, { spent, mean }, wanted);
    const units = makeVariantUnitsOfBatch(ground, {
      seed: config.seed,
      evolution: this.#number,
      batch,
      count,
      relations: config.relations,
      makesTasks: this.#desk.makesTasks,
    });
    const seeds = new Set(units.flatMap(({ lineage }) => lineage?.seeds.map(({ unit }) => unit) ?? []));
    const used = kept.units.filter(({ unit }) => seeds.has(unit)).map((unit) => ({ ...unit, uses: unit.uses + 1 }));
    this.life.transaction(() => {
      for (const unit of units) this.#desk.storeChangedUnit(unit);
      for (const seed of used) this.#evolutions.writeKeptUnit(seed);
      this.life.emit([{ type: 'batch.opened', batch, units: units.length }]);
    });
    for (const seed of used) kept.addUnitOrUpdateUses(seed);
    return units;
  }

  /**
   * Returns the variants of a batch with work in a phase. One that was decided on after it was parked has its own
   * driver.
   */
  #listUnfinishedVariants(batch: number, phase: VariantPhase): Unit[] {
    return this.#listVariantsOutsideReview(batch).filter((unit) => findPhaseOfVariantOrNull(unit) === phase);
  }

  #variantsToCompare(batch: number): Unit[] {
    return this.#listVariantsOutsideReview(batch).filter(({ stage }) => stage.kind === 'distinct');
  }

  #listVariantsOutsideReview(batch: number): Unit[] {
    return this.#variantsOfBatch(batch).filter(({ id }) => !this.#reviewed.has(id));
  }

  #variantsOfBatch(batch: number): Unit[] {
    return this.#desk.listUnitsByIdPrefix(batchIdPrefix(this.#number, batch));
  }

  /** Splits units into those to keep and near-duplicates, in order: the first of two similar ones is kept. */
  #splitIntoKeptAndDuplicates(ids: readonly string[], compared: Compared): { kept: Unit[]; duplicates: Duplicate[] } {
    const kept: Unit[] = [];
    const duplicates: Duplicate[] = [];
    const { calibration } = compared;
    for (const id of ids) {
      const unit = this.#desk.getUnitOrThrow(id);
      const near =
        compared.fault === null
          ? listNeighboursExceptItself(id, compared)
          : this.#findNeighboursWithSameTools(unit, kept);
      const known = near.filter(
        ({ unit: other }) => this.#kept().hasUnit(other) || kept.some((one) => one.id === other),
      );
      const duplicateOf = findFirstNearDuplicateOrNull(
        unit,
        known.map(({ unit: other, cosine }) => ({ unit: this.#desk.getUnitOrThrow(other), cosine })),
        calibration === undefined ? duplicateThresholds : thresholdsOfCalibration(calibration),
      );
      if (duplicateOf === null) kept.push(unit);
      else duplicates.push({ unit, duplicateOf });
    }
    return { kept, duplicates };
  }

  /** Without an index, units that expect the same tools are compared. */
  #findNeighboursWithSameTools({ pair }: Unit, more: readonly Unit[]): Comparison['neighbours'] {
    const tools = pair?.chain ?? [];
    const alike = more.filter((other) => hasSameTools(other.pair?.chain ?? [], tools)).map(({ id }) => id);
    return [...this.#kept().listUnitsWithExactTools(tools), ...alike].map((unit) => ({ unit, cosine: null }));
  }

  #makeKeptUnit({ id, pair }: Unit): KeptUnit {
    const chain = pair?.chain ?? [];
    const { numbers, tools } = this.#committed().catalog;
    const domains = chain.flatMap((tool) => tools[numbers.get(tool) ?? -1]?.domain ?? []);
    return { unit: id, chain, domains: [...new Set(domains)], uses: 0 };
  }

  /**
   * The state in which a variant is counted when its batch is committed; while a decision is carried out it is still in
   * review.
   */
  #getCountedStatusOrThrow(unit: Unit): UnitStatus {
    return this.#reviewed.has(unit.id) ? 'review' : getFinalUnitStatusOrThrow(unit);
  }

  /** Returns the standing with the cost of a comparison and the number of units compared by their words. */
  #standingWithComparisonCost({ fault, calls, calibration }: Compared, units: number): z.infer<typeof standing> {
    const now = this.life.standing;
    return {
      ...now,
      usage: addUsage(now.usage, sumUsageOfCalls(calls)),
      embedder: calibration ?? now.embedder,
      comparedByWords: now.comparedByWords + (fault === null ? 0 : units),
    };
  }
}

interface Duplicate {
  readonly unit: Unit;
  readonly duplicateOf: NonNullable<Unit['duplicateOf']>;
}

const makeComparableUnit = ({ id, pair }: Unit): Comparable => ({ unit: id, text: pair?.source ?? '' });

const listNeighboursExceptItself = (id: string, { comparisons }: Compared): Comparison['neighbours'] =>
  comparisons.find(({ unit }) => unit === id)?.neighbours.filter(({ unit }) => unit !== id) ?? [];

const listComparisonFaultEvents = ({ fault }: Compared): EventBody[] =>
  fault === null ? [] : [{ type: 'comparison.unavailable', ...fault }];

/** Whether a variant in this state is no longer kept. */
const isFinalStatusNotKept = (status: UnitStatus | undefined): boolean => status === 'dropped' || status === 'rejected';

function getFinalUnitStatusOrThrow({ id, stage }: Unit): UnitStatus {
  if (stage.kind !== 'done') throw new Error(`unit ${id} is at ${stage.kind}`);
  return stage.status;
}
