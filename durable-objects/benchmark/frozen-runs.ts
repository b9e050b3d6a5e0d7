import type { Split } from '#core/units/split.ts';
import {
  mostFrozenUnits,
  drawDistinctUnitsInOrder,
  type AcceptedUnit,
  type BenchmarkHeader,
  type FreezeRequest,
} from '#core/benchmarks/benchmark.ts';
import { findNearDuplicates, type DuplicateSource } from '#core/benchmarks/find-near-duplicates.ts';
import {
  mapUnitsToLineageNames,
  listUnitsOfSameLineages,
  type Descent,
  type UnitOfRun,
} from '#core/benchmarks/lineages.ts';
import { assignSplitsByLineage } from '#core/benchmarks/split-units.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { refuse } from '#core/values/errors.ts';
import { strategies } from '#core/exploration/strategies.ts';
import { ok, type Result } from '#core/values/result.ts';
import type { EmbedderCalibration } from '#core/similarity/calibrate-embedder.ts';
import { isEveryStepProven, type Provable } from '#core/units/witness.ts';
import type { ExplorationRun } from '#durable-objects/exploration/exploration-run.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import { yieldToOtherCalls } from '#durable-objects/shared/yield-thread.ts';
import type { StagedUnits } from './staged-units.ts';

/** What a benchmark reads from a run. */
type FrozenRun = RpcOf<
  ExplorationRun,
  'get' | 'listCatalogTools' | 'listUnitsForBenchmark' | 'listVariantSeedPairs' | 'withholdUnitsAndTheirVariants'
>;

/** Compares texts by the vectors of an embedder; its calibration is null until that was needed. */
interface Comparer extends Pick<DuplicateSource, 'computeCosinesOrNull'> {
  readonly calibrationIfUsed: EmbedderCalibration | null;
}

/** What stays in memory of a unit while a benchmark is frozen. */
interface OfferedUnit extends UnitOfRun {
  readonly withheld: boolean;
  readonly proven: boolean;
  /** Whether the benchmark may have it. */
  readonly taken: boolean;
}

/** The units of a new benchmark, and what its header says about their choice. */
interface FrozenUnits extends Pick<
  BenchmarkHeader,
  'sampledFrom' | 'unproven' | 'unprovenLeftOut' | 'nearDuplicatesLeftOut' | 'comparedByWords' | 'comparedWith'
> {
  readonly units: readonly { readonly id: string; readonly split: Split }[];
}

const unitsPerPage = 100;

/** Chooses and splits the units of a benchmark from the runs that it is frozen from. */
export class FrozenRuns {
  readonly #run: (id: string) => FrozenRun;
  readonly #staged: StagedUnits;
  readonly #comparer: Comparer;

  constructor(run: (id: string) => FrozenRun, staged: StagedUnits, comparer: Comparer) {
    this.#run = run;
    this.#staged = staged;
    this.#comparer = comparer;
  }

  /** Returns what the runs have in common, or why they cannot be frozen. */
  async findCommonCatalogAndKindOrRefuse(
    explorations: readonly string[],
  ): Promise<Result<{ catalog: string; offline: boolean; makesTasks: boolean }>> {
    const catalogs = new Set<string>();
    const kinds = new Set<boolean>();
    let offline = false;
    for (const id of explorations) {
      const found = await this.#run(id).get();
      if (!found.ok) return found;
      if (found.value.status === 'running')
        return refuse('wrong-state', `exploration ${id} is running; pause it or wait for its end`);
      catalogs.add(found.value.config.catalog);
      kinds.add(strategies[found.value.config.strategy].makesTasks);
      offline ||= found.value.offline;
    }
    const [catalog, ...others] = catalogs;
    if (catalog === undefined || others.length > 0)
      return refuse('catalog-mismatch', 'a benchmark holds units of one catalog');
    if (kinds.size > 1) return refuse('mixed-units', 'some of the runs make tasks, others make pairs');
    return ok({ catalog, offline, makesTasks: kinds.has(true) });
  }

  async readCatalogToolsOfFirstRun([first = '']: readonly string[]): Promise<Tool[]> {
    return this.#run(first).listCatalogTools();
  }

  /**
   * Stages the accepted units of the runs, drops near-duplicates, draws and splits the others, and has the runs hold out
   * the private ones.
   */
  async stageDrawSplitAndWithholdUnits(request: FreezeRequest): Promise<Result<FrozenUnits>> {
    const isTaken = (unit: Provable): boolean => request.unproven === 'keep' || isEveryStepProven(unit);
    const staged = await this.#stageAndListOfferedUnits(request.explorations, isTaken);
    if (!staged.ok) return staged;
    const offered = staged.value;
    const taken = offered.filter((each) => each.taken);
    // The same unit may be proven in another run.
    const leftOut = new Set(offered.map(({ id }) => id)).difference(new Set(taken.map(({ id }) => id)));
    const { originals, comparedByWords } = await findNearDuplicates([...new Set(taken.map(({ id }) => id))], {
      readExpectedRequest: (id) => this.#staged.readRequestAndChain(id),
      computeCosinesOrNull: (text, others) => this.#comparer.computeCosinesOrNull(text, others),
      yieldThread: yieldToOtherCalls,
    });
    const distinct = taken.filter(({ id }) => !originals.has(id));
    const drawn = drawDistinctUnitsInOrder(distinct, request.seed, request.sample);
    if (drawn.length === 0) return refuse('nothing-to-freeze', nothingToFreezeText(leftOut.size));
    return ok({
      units: await this.#splitUnitsAndWithholdPrivateOnes({ drawn, offered, originals }, request),
      ...(request.sample === undefined ? {} : { sampledFrom: drawDistinctUnitsInOrder(distinct, 0, undefined).length }),
      unproven: drawn.filter(({ proven }) => !proven).length,
      unprovenLeftOut: leftOut.size,
      nearDuplicatesLeftOut: originals.size,
      comparedByWords,
      ...(this.#comparer.calibrationIfUsed === null ? {} : { comparedWith: this.#comparer.calibrationIfUsed }),
    });
  }

  /**
   * Reads the accepted units page by page, stages those that can be taken, and returns what choosing and splitting need
   * to know about all of them.
   */
  async #stageAndListOfferedUnits(
    explorations: readonly string[],
    isTaken: (unit: Provable) => boolean,
  ): Promise<Result<OfferedUnit[]>> {
    const offered: OfferedUnit[] = [];
    for (const exploration of explorations) {
      for (let after = ''; ;) {
        const page = await this.#run(exploration).listUnitsForBenchmark(after, unitsPerPage);
        const last = page.at(-1);
        if (last === undefined) break;
        this.#staged.add(page.flatMap(({ unit }) => (isTaken(unit) ? [unit] : [])));
        offered.push(...page.map((accepted) => makeUnitOffer(accepted, exploration, isTaken(accepted.unit))));
        if (offered.length > mostFrozenUnits)
          return refuse(
            'benchmark-too-large',
            `the runs have more than ${mostFrozenUnits.toLocaleString('en-US')} accepted units; freeze fewer explorations at a time`,
          );
        after = last.cursor;
      }
    }
    return ok(offered);
  }

  /**
   * Splits the drawn units, and has every run hold out the private ones before anybody can read the benchmark, with all
   * units of their lineages and with their near-duplicates. Splits again if a run holds out more by then, because another benchmark may be frozen at
   * the same time.
   */
  async #splitUnitsAndWithholdPrivateOnes(
    { drawn, offered, originals }: Choice,
    { explorations, seed, privateShare }: FreezeRequest,
  ): Promise<{ readonly id: string; readonly split: Split }[]> {
    const lineages = mapUnitsToLineageNames(offered, await this.#listDescents(explorations), originals);
    let withheld = new Set(offered.flatMap((each) => (each.withheld ? [each.id] : [])));
    for (;;) {
      const units = await assignSplitsByLineage(drawn, lineages, seed, privateShare, withheld);
      const hidden = units.flatMap((unit) => (unit.split === 'private' ? [unit.id] : []));
      withheld = listUnitsOfSameLineages(lineages, [...withheld, ...hidden]);
      const wanted = withheld.size;
      for (const exploration of explorations) {
        // The same unit may come from several runs, and each of them must hold it out.
        const own = offered.filter((each) => each.exploration === exploration);
        const names = own.filter(({ id }) => withheld.has(id)).map(({ unit }) => unit);
        const held = new Set(await this.#run(exploration).withholdUnitsAndTheirVariants(names));
        for (const { id, unit } of own) if (held.has(unit)) withheld.add(id);
      }
      if (withheld.size === wanted) return units;
    }
  }

  /** Returns which units of the runs were evolved from which. */
  async #listDescents(explorations: readonly string[]): Promise<Descent[]> {
    const descents: Descent[] = [];
    for (const exploration of explorations)
      for (const descent of await this.#run(exploration).listVariantSeedPairs())
        descents.push({ exploration, ...descent });
    return descents;
  }
}

/** What was chosen from the offered units: the drawn ones, and which near-duplicates were dropped for which others. */
interface Choice {
  readonly drawn: readonly OfferedUnit[];
  readonly offered: readonly OfferedUnit[];
  readonly originals: ReadonlyMap<string, string>;
}

const nothingToFreezeText = (leftOut: number): string =>
  leftOut === 0
    ? 'none of the runs has an accepted unit'
    : `none of the ${leftOut} accepted units is proven; "unproven": "keep" takes them all the same`;

const makeUnitOffer = ({ cursor, unit, withheld }: AcceptedUnit, exploration: string, taken: boolean): OfferedUnit => ({
  id: unit.id,
  exploration,
  unit: cursor,
  proven: isEveryStepProven(unit),
  withheld,
  taken,
});
