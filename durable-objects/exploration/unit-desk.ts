import { serverOf, type Tool } from '#core/catalog/tool.ts';
import { unitEvents } from '#core/announcements/unit-events.ts';
import type { Pair } from '#core/units/answers.ts';
import {
  advanceUnit,
  candidatesOf,
  dropForInternalFault,
  type StageResult,
  type UnitRules,
} from '#core/units/progress.ts';
import type { Unit } from '#core/units/unit.ts';
import type { EventBody } from '#core/events.ts';
import { Beginnings, endsItsProcess } from '#durable-objects/shared/beginnings.ts';
import type { ExplorationStore } from './exploration-store.ts';
import type { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';

/** Everything that the current stage of a unit needs. */
export interface UnitWork {
  readonly kind: 'work';
  readonly unit: Unit;
  /** The candidates (for the writer), the chain's tools (for the audit) or those of the chain's servers (for the agent). */
  readonly tools: readonly Tool[];
  /** The pairs of a variant's seeds, while the variant is being written. */
  readonly seeds: readonly Pick<Pair, 'source' | 'followUp' | 'chain'>[];
}

/** A run whose log reports a unit. */
interface Emitter {
  transaction(change: () => void): void;
  emit(events: readonly EventBody[]): void;
}

const nothingLeft: Stop = { kind: 'stop', why: 'nothing-left' };

/** Hands out the work of a unit's stage to any driver, and commits its result. */
export class UnitDesk {
  readonly #store: ExplorationStore;
  readonly #rules: () => UnitRules;
  readonly #beginnings: Beginnings;
  /** Units as last committed, until their round or batch is committed. */
  readonly #underWay = new Map<string, Unit>();

  constructor(store: ExplorationStore, singletons: SingletonTable, rules: () => UnitRules) {
    this.#store = store;
    this.#rules = rules;
    this.#beginnings = new Beginnings(singletons, (id) => this.getUnitOrThrow(id).revision);
  }

  getUnitOrThrow(id: string): Unit {
    const unit = this.#underWay.get(id) ?? this.#store.readUnit(id);
    if (unit === null) throw new Error(`there is no unit ${id}`);
    return unit;
  }

  /** Returns the work that a driver starts with. Sets aside a unit whose stage kills process after process. */
  open(run: Emitter, id: string): UnitWork | Stop {
    const work = this.makeWork(this.getUnitOrThrow(id));
    if (work.kind === 'stop' || this.#beginnings.tryBegin(id)) return work;
    this.setAside(run, id, endsItsProcess);
    return nothingLeft;
  }

  makeWork(unit: Unit): UnitWork | Stop {
    const names = unit.pair?.chain ?? [];
    const of = (tools: readonly Tool[], seeds: UnitWork['seeds'] = []): UnitWork => ({
      kind: 'work',
      unit,
      tools,
      seeds,
    });
    switch (unit.stage.kind) {
      case 'done':
      case 'catalog-pair':
      case 'waiting':
      case 'distinct':
        return nothingLeft;
      case 'variant':
        return of(this.#store.toolsNamed(candidatesOf(unit)), this.#readSeeds(unit));
      case 'scenario':
      case 'grounding':
      case 'pair':
        return of(this.#store.toolsNamed(candidatesOf(unit)));
      case 'audit':
      case 'refinement':
        return of(this.#store.toolsNamed(names));
      case 'execution':
        return of(this.#store.toolsOfServers([...new Set(names.map(serverOf))]));
    }
  }

  /** Commits the result of the stage that `revision` names; ignores one for a committed revision. */
  commit(run: Emitter, id: string, revision: number, result: StageResult): Unit {
    const before = this.getUnitOrThrow(id);
    if (before.revision !== revision) return before;
    // Only the audit, with its static check, needs their schemas.
    const tools = result.kind === 'audit' ? this.#store.toolsNamed(toolsToCheck(before)) : [];
    const after = advanceUnit(before, result, tools, this.#rules());
    run.transaction(() => {
      this.#store.writeUnit(after);
      if (result.kind === 'execution') this.#store.writeTrace(id, result.side, result.trace);
      run.emit(unitEvents(before, after));
    });
    this.#underWay.set(id, after);
    return after;
  }

  /** Ends a unit whose work failed repeatedly for a reason of ours; a finished one is unchanged. */
  setAside(run: Emitter, id: string, reason: string): void {
    const before = this.getUnitOrThrow(id);
    const after = dropForInternalFault(before, reason);
    if (after === before) return;
    run.transaction(() => {
      this.#store.writeUnit(after);
      run.emit(unitEvents(before, after));
    });
    this.#underWay.set(id, after);
  }

  /** Stores a unit that changed without a stage's result. Inside a transaction of the run that reports it. */
  write(unit: Unit): void {
    this.#store.writeUnit(unit);
    this.#underWay.delete(unit.id);
  }

  /** Drops what is only cached. */
  dropCache(): void {
    this.#underWay.clear();
  }

  #readSeeds({ lineage }: Unit): UnitWork['seeds'] {
    return (lineage?.seeds ?? []).flatMap((seed) => {
      const pair = this.#store.readUnit(seed.unit)?.pair ?? null;
      return pair === null ? [] : [{ source: pair.source, followUp: pair.followUp, chain: pair.chain }];
    });
  }
}

const toolsToCheck = (unit: Unit): string[] => [...candidatesOf(unit), ...(unit.pair?.chain ?? [])];
