import { RpcTarget } from 'cloudflare:workers';
import { z } from 'zod';
import type { Sight } from '#core/access/access.ts';
import { refuse } from '#core/values/errors.ts';
import { traceWithoutTexts } from '#core/evaluation/delete-texts.ts';
import { ok, type Result } from '#core/values/result.ts';
import { isOver } from '#core/exploration/runs.ts';
import { deleteToolTextsOfUnit, type DeletedUnitTexts } from '#core/units/delete-texts.ts';
import type { RequestSide, Unit } from '#core/units/unit.ts';
import type { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import type { ExplorationLife } from './exploration-life.ts';
import { withheldUnitRefusal, type ExplorationReader } from './exploration-reader.ts';
import { anyUnit, type ExplorationStore } from './exploration-store.ts';
import type { MaterialTable } from './material-table.ts';
import type { UnitDesk } from './unit-desk.ts';

/** Units whose texts one alarm deletes. */
const unitsPerAlarm = 50;
const dayMs = 24 * 60 * 60_000;
/** Delay before texts whose deletion failed are deleted again: the platform gives up an alarm after six failures. */
const retryMs = 60_000;

const sides = ['source', 'followUp'] as const;

/** How far the texts of units were looked at, and when the first of those is due that were not. */
const sweep = z.object({ after: z.string(), laterMs: z.number().nullable() });

/** Deletes the texts of the attempts at an exploration's units: on request, and when the days are over for which they are kept. Counts and estimates stay. */
export class ExplorationTexts extends RpcTarget {
  readonly #storage: DurableObjectStorage;
  readonly #store: ExplorationStore;
  readonly #material: MaterialTable;
  readonly #life: ExplorationLife;
  readonly #desk: UnitDesk;
  readonly #reader: Pick<ExplorationReader, 'isUnitHidden'>;
  readonly #singletons: SingletonTable;

  constructor(of: {
    readonly storage: DurableObjectStorage;
    readonly store: ExplorationStore;
    readonly material: MaterialTable;
    readonly life: ExplorationLife;
    readonly desk: UnitDesk;
    readonly reader: Pick<ExplorationReader, 'isUnitHidden'>;
    readonly singletons: SingletonTable;
  }) {
    super();
    this.#storage = of.storage;
    this.#store = of.store;
    this.#material = of.material;
    this.#life = of.life;
    this.#desk = of.desk;
    this.#reader = of.reader;
    this.#singletons = of.singletons;
  }

  /** Deletes the texts of the attempts at a unit, or of the one at a request. Repeating it changes nothing. */
  delete(id: string, request: RequestSide | null, sight: Sight): Result<DeletedUnitTexts> {
    if (!this.#life.exists) return refuse('not-found', 'there is no such exploration');
    if (this.#reader.isUnitHidden(id, sight)) return withheldUnitRefusal();
    const unit = this.#store.readUnit(id);
    if (unit === null) return refuse('not-found', `there is no unit ${id}`);
    if (unit.stage.kind !== 'done' && !isOver(this.#life.standing.status))
      return refuse('wrong-state', `the unit is at its ${unit.stage.kind}; its texts can be deleted when it is done`);
    const wanted = request === null ? sides : [request];
    this.#deleteStoredTexts(unit, wanted, new Date().toISOString());
    const traces = this.#store.readTracesOfUnit(id);
    const attempts = wanted.flatMap((side) => {
      const since = traces[side]?.textsDeleted;
      return since === undefined ? [] : [{ request: side, textsDeleted: since }];
    });
    return ok({ unit: id, attempts });
  }

  /** Sets the alarm for the day on which texts are deleted, if there is one, unless it is set already. */
  async schedule(): Promise<void> {
    const dueMs = this.#textsDueTimeOrNull(Date.now());
    if (dueMs !== null && (await this.#storage.getAlarm()) === null) await this.#storage.setAlarm(dueMs);
  }

  /** Deletes the texts of some units that are due, and sets the alarm for the next ones. */
  async deleteDueTexts(nowMs: number): Promise<void> {
    try {
      await this.#deleteDueTextsOfNextUnits(nowMs);
    } catch (error) {
      console.error(JSON.stringify({ textsNotDeleted: this.#life.creation.id, error: String(error) }));
      await this.#storage.setAlarm(Date.now() + retryMs);
    }
  }

  async #deleteDueTextsOfNextUnits(nowMs: number): Promise<void> {
    if (this.#textsDueTimeOrNull(nowMs) === null) return;
    let { after, laterMs } = this.#singletons.read('textsSweep', sweep) ?? { after: '', laterMs: null };
    const units = this.#store.listFilteredUnits(anyUnit, after, unitsPerAlarm);
    for (const unit of units) {
      const traces = this.#store.readTracesOfUnit(unit.id);
      const open = sides.filter((side) => traces[side] !== null && traces[side].textsDeleted === undefined);
      const dueMs = Math.max(
        ...open.map((side) => this.#textsDueTimeOrNull(Date.parse(traces[side]?.startedAt ?? '')) ?? 0),
      );
      if (open.length > 0 && dueMs <= nowMs) this.#deleteStoredTexts(unit, open, new Date(nowMs).toISOString());
      else if (open.length > 0) laterMs = Math.min(laterMs ?? dueMs, dueMs);
      after = unit.id;
    }
    const isLast = units.length < unitsPerAlarm;
    this.#singletons.write('textsSweep', isLast ? { after: '', laterMs: null } : { after, laterMs });
    if (!isLast) await this.#storage.setAlarm(nowMs);
    else if (laterMs !== null) await this.#storage.setAlarm(laterMs);
  }

  /**
   * Returns when the texts of an attempt are due that began then: so many days after it and after the end of the run, for variants and reviewed units are
   * executed later. Null if texts are kept, or as long as the run is not over.
   */
  #textsDueTimeOrNull(begunMs: number): number | null {
    const { creation, standing } = this.#life;
    const { keepTextsDays } = creation.config;
    if (keepTextsDays === undefined || standing.endedAt === null) return null;
    const endedMs = Date.parse(standing.endedAt);
    return Math.max(endedMs, Number.isNaN(begunMs) ? endedMs : begunMs) + keepTextsDays * dayMs;
  }

  #deleteStoredTexts(unit: Unit, wanted: readonly RequestSide[], at: string): void {
    const traces = this.#store.readTracesOfUnit(unit.id);
    const open = wanted.filter((side) => traces[side] !== null && traces[side].textsDeleted === undefined);
    if (open.length === 0) return;
    this.#life.transaction(() => {
      for (const side of open) {
        const trace = traces[side];
        if (trace !== null) this.#store.writeTrace(unit.id, side, traceWithoutTexts(trace, at));
      }
      this.#material.deleteExamplesOfUnit(unit.id);
      this.#desk.storeChangedUnit(deleteToolTextsOfUnit(unit, open));
    });
  }
}
