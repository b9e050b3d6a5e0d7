import type { Tool } from '#core/catalog/tool.ts';
import { listShuffledMountedTools } from '#core/units/mounting/mounted-tools.ts';
import type { Mounting } from '#core/units/mounting/mounting.ts';
import { listUnitChangeEvents } from '#core/reports/announcements/unit-events.ts';
import type { AwaitedRest, UndoneStage } from '#core/models/governor/undone-stage.ts';
import type { Asked } from '#core/models/breaker.ts';
import { askedRoleAndFaultOfStageOrNull } from '#core/units/asked-in-stage.ts';
import type { CatalogPairsAnswer, Pair } from '#core/units/answers.ts';
import {
  unitAfterStageOrThrow,
  listCandidateToolsBeingTried,
  dropUnitForInternalFaultUnlessDone,
  listCandidatesAndChain,
  unitWithUsageOfCalls,
  type StageAnswer,
  type StageResult,
  type UnitRules,
} from '#core/units/progress.ts';
import { listToolsForPrompt, type ListedTool } from '#core/units/listed-tools.ts';
import { isNegativeUnit } from '#core/units/negative.ts';
import { listSiblingTools } from '#core/units/single-tool.ts';
import type { Strategy } from '#core/exploration/strategies.ts';
import type { Unit } from '#core/units/unit.ts';
import type { EventBody } from '#core/reports/events.ts';
import { StageStarts, keepsEndingItsProcess } from '#durable-objects/shared/stage-starts.ts';
import { noMaterial, type WriterMaterial } from '#core/units/survey/writer-material.ts';
import type { ExplorationStore } from './exploration-store.ts';
import type { MaterialTable } from './material-table.ts';
import { listWritingCalls } from '#core/traces/writes.ts';
import type { WritesTable } from '#durable-objects/shared/writes-table.ts';
import type { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';

/** Everything that the current stage of a unit needs. */
export interface UnitWork {
  readonly kind: 'work';
  readonly unit: Unit;
  /** The candidates (for the writer), the chain's tools (for the audit) or the mounted ones (for the agent). */
  readonly tools: readonly Tool[];
  /** What the only tool of a unit is easily taken for, for its writer and its critic; none for other units and stages. */
  readonly siblings: readonly Tool[];
  /** All tools of the catalog but `tools`, for the writer and the critic of a negative unit; none for other units and stages. */
  readonly others: readonly ListedTool[];
  /** The pairs of a variant's seeds, while the variant is being written. */
  readonly seeds: readonly Pick<Pair, 'source' | 'followUp' | 'chain'>[];
  /** What the writer or the critic sees of the servers' contents; none for other stages. */
  readonly material: WriterMaterial;
}

/** What a driver does next with a unit. */
export type WorkOrStop = UnitWork | Stop;

/** What became of a stage. */
export type StageOutput = StageResult | UndoneStage;

/** What became of the pairs that a writer was to write together. */
export type CatalogPairsOutcome = StageAnswer<CatalogPairsAnswer> | UndoneStage;

/** A run whose log reports a unit. */
interface Emitter {
  transaction(change: () => void): void;
  emit(events: readonly EventBody[]): void;
  pauseIfEndpointRefuses(asked: Asked): boolean;
  recordEndpointRest(rest: AwaitedRest): void;
}

const nothingLeft: Stop = { kind: 'stop', why: 'nothing-left' };

/** The tables that a desk reads and writes. */
interface DeskTables {
  readonly store: ExplorationStore;
  readonly material: MaterialTable;
  readonly writes: WritesTable;
  readonly singletons: SingletonTable;
  /** Called when a trace was stored. */
  readonly onTrace: () => void;
}

/** The rules for units, which tools the base agent sees, and what the strategy says about them. */
interface DeskRules extends UnitRules, Pick<Strategy, 'usesFeedback' | 'makesTasks'> {
  readonly mounting: Mounting;
  readonly seed: number;
}

/** Hands out the work of a unit's stage to any driver, and commits its result. */
export class UnitDesk {
  readonly #store: ExplorationStore;
  readonly #material: MaterialTable;
  readonly #writes: WritesTable;
  readonly #onTrace: () => void;
  readonly #rules: () => DeskRules;
  readonly #beginnings: StageStarts;
  /** Units as last committed, until their round or batch is committed. */
  readonly #underWay = new Map<string, Unit>();

  constructor({ store, material, writes, singletons, onTrace }: DeskTables, rules: () => DeskRules) {
    this.#store = store;
    this.#material = material;
    this.#writes = writes;
    this.#onTrace = onTrace;
    this.#rules = rules;
    this.#beginnings = new StageStarts(singletons, (id) => this.getUnitOrThrow(id).revision);
  }

  /** Whether the run's units become tasks. */
  get makesTasks(): boolean {
    return this.#rules().makesTasks;
  }

  /** Counts the calls of units whose ids begin so that may have changed a server's state. */
  countWritesByUnitIdPrefix(prefix: string): number {
    return this.#writes.countByIdPrefix(prefix);
  }

  getUnitOrThrow(id: string): Unit {
    const unit = this.#underWay.get(id) ?? this.#store.readUnit(id);
    if (unit === null) throw new Error(`there is no unit ${id}`);
    return unit;
  }

  /** Returns the units whose ids have this prefix, by id. */
  listUnitsByIdPrefix(prefix: string): Unit[] {
    return this.#store.listUnitIdsByPrefix(prefix).map((id) => {
      const unit = this.getUnitOrThrow(id);
      this.#underWay.set(id, unit);
      return unit;
    });
  }

  /** Returns the work that a driver starts with. Sets aside a unit whose stage kills process after process. */
  takeUnitWorkOrDropFailing(run: Emitter, id: string): WorkOrStop {
    const work = this.makeWorkOrStop(this.getUnitOrThrow(id));
    if (work.kind === 'stop' || this.#beginnings.recordStartUnlessTooOften(id)) return work;
    this.dropFailedUnit(run, id, keepsEndingItsProcess);
    return nothingLeft;
  }

  makeWorkOrStop(unit: Unit): WorkOrStop {
    const names = isNegativeUnit(unit) ? listCandidateToolsBeingTried(unit) : (unit.pair?.chain ?? []);
    const withMaterial = (tools: readonly Tool[], seeds: UnitWork['seeds'] = []): UnitWork => {
      const material = this.#material.chooseWriterMaterial(unit, tools, this.#rules().usesFeedback);
      const siblings = this.#store.listToolsWithNames(listSiblingTools(unit));
      return { kind: 'work', unit, tools, siblings, others: this.#listOtherToolsIfNegative(unit), seeds, material };
    };
    const withTools = (tools: readonly Tool[]): UnitWork => ({
      kind: 'work',
      unit,
      tools,
      siblings: [],
      others: [],
      seeds: [],
      material: noMaterial,
    });
    switch (unit.stage.kind) {
      case 'done':
      case 'catalog-pair':
      case 'waiting':
      case 'distinct':
        return nothingLeft;
      case 'variant':
        return withMaterial(
          this.#store.listToolsWithNames(listCandidateToolsBeingTried(unit)),
          this.#readSeedPairs(unit),
        );
      case 'grounding':
        return withTools(this.#store.listToolsWithNames(listCandidateToolsBeingTried(unit)));
      case 'scenario':
      case 'pair':
        return withMaterial(this.#store.listToolsWithNames(listCandidateToolsBeingTried(unit)));
      case 'audit':
      case 'refinement':
      case 'quality':
        return withMaterial(this.#store.listToolsWithNames(names));
      case 'fuzzy':
        return withTools(this.#store.listToolsWithNames(names));
      case 'execution':
        return withTools(this.#store.listToolsWithNames(this.#listMountedToolNames(unit)));
    }
  }

  /**
   * Commits the result of the stage that `revision` names; ignores one for a committed revision, and one that an endpoint
   * refused so often that the run pauses. A stage that stays undone changes only what the unit took.
   */
  commitStage(run: Emitter, id: string, revision: number, result: StageOutput): Unit {
    const before = this.getUnitOrThrow(id);
    if (before.revision !== revision) return before;
    if (result.kind === 'undone') return this.#recordUndoneStage(run, before, result);
    const asked = askedRoleAndFaultOfStageOrNull(result);
    if (asked !== null && run.pauseIfEndpointRefuses(asked)) return before;
    // Only the stages with a static check need their schemas.
    const tools =
      result.kind === 'audit' || result.kind === 'fuzzy'
        ? this.#store.listToolsWithNames(listCandidatesAndChain(before))
        : [];
    const after = unitAfterStageOrThrow(before, result, tools, this.#rules());
    run.transaction(() => {
      this.#store.storeUnitWithheldLikeItsOrigins(after);
      if (result.kind === 'execution') {
        this.#store.writeTrace(id, result.side, result.trace);
        this.#material.addExamplesFromTrace(before, result.trace);
        this.#writes.add(listWritingCalls(result.trace, { of: id, request: result.side }));
      }
      run.emit(listUnitChangeEvents(before, after));
    });
    this.#underWay.set(id, after);
    if (result.kind === 'execution') this.#onTrace();
    return after;
  }

  #recordUndoneStage(run: Emitter, before: Unit, { calls, ...rest }: UndoneStage): Unit {
    run.recordEndpointRest(rest);
    if (calls.length === 0) return before;
    // With a revision of its own, so that a repeated commit does not count twice.
    const after = unitWithUsageOfCalls({ ...before, revision: before.revision + 1 }, calls);
    run.transaction(() => this.#store.storeUnitWithheldLikeItsOrigins(after));
    this.#underWay.set(before.id, after);
    return after;
  }

  /** Ends a unit whose work failed repeatedly for a reason of ours; a finished one is unchanged. */
  dropFailedUnit(run: Emitter, id: string, reason: string): void {
    const before = this.getUnitOrThrow(id);
    const after = dropUnitForInternalFaultUnlessDone(before, reason);
    if (after === before) return;
    run.transaction(() => {
      this.#store.storeUnitWithheldLikeItsOrigins(after);
      run.emit(listUnitChangeEvents(before, after));
    });
    this.#underWay.set(id, after);
  }

  /** Stores a unit that changed without a stage's result. Inside a transaction of the run that reports it. */
  storeChangedUnit(unit: Unit): void {
    this.#store.storeUnitWithheldLikeItsOrigins(unit);
    this.#underWay.delete(unit.id);
  }

  /** Drops what is only cached. */
  dropCache(): void {
    this.#underWay.clear();
  }

  #listOtherToolsIfNegative(unit: Unit): ListedTool[] {
    if (!isNegativeUnit(unit)) return [];
    const own = new Set(listCandidateToolsBeingTried(unit));
    return listToolsForPrompt(this.#store.listCatalogTools().filter(({ name }) => !own.has(name)));
  }

  /** Returns the names of the tools that the base agent sees, in their order. */
  #listMountedToolNames({ id, pair }: Unit): string[] {
    const { mounting, seed } = this.#rules();
    const catalog = this.#store.readMountableCatalog();
    const unit = { id, chain: pair?.chain ?? [], looksLike: pair?.looksLike };
    return listShuffledMountedTools({ mounting, unit, catalog, seed }).map(({ name }) => name);
  }

  #readSeedPairs({ lineage }: Unit): UnitWork['seeds'] {
    return (lineage?.seeds ?? []).flatMap((seed) => {
      const pair = this.#store.readUnit(seed.unit)?.pair ?? null;
      return pair === null ? [] : [{ source: pair.source, followUp: pair.followUp, chain: pair.chain }];
    });
  }
}
