import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import type { Split } from '#core/units/split.ts';
import {
  benchmarkHeader,
  benchmarkIdFromHash,
  benchmarkLine,
  benchmarkRecord,
  benchmarkUnit,
  computeUnitIdFromContent,
  findFormatProtocolContradiction,
  protocolOfBenchmarkOrDefault,
  type BenchmarkLine,
  type BenchmarkRecord,
  type BenchmarkUnit,
  type FreezeRequest,
} from '#core/benchmarks/benchmark.ts';
import { pairFormat, taskFormat } from '#core/benchmarks/file-formats.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import { benchmarkFloor, type BenchmarkFloor } from '#core/evaluation/floor.ts';
import { tool, type Tool } from '#core/catalog/tool.ts';
import { refuse } from '#core/values/errors.ts';
import { mcpBench } from '#core/benchmarks/protocols/mcp-bench.ts';
import { ok, type Result } from '#core/values/result.ts';
import { isEveryStepProven } from '#core/units/witness.ts';
import { parseLineWithSchema } from '#core/values/json-line.ts';
import type { Directory } from '#durable-objects/directory/directory.ts';
import type { ExplorationRun } from '#durable-objects/exploration/exploration-run.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { yieldToOtherCalls } from '#durable-objects/shared/yield-thread.ts';
import { contentRow, ContentTally } from './content-tally.ts';
import { Mutex } from '#durable-objects/shared/mutex.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import { FrozenRuns } from './frozen-runs.ts';
import { benchmarkSchema } from './schema.ts';
import { StagedUnits } from './staged-units.ts';
import { TextComparer } from './text-comparer.ts';
import { charsPerCall } from '#core/evaluation/chars-per-call.ts';

interface Env {
  readonly EXPLORATION_RUN: DurableObjectNamespace<ExplorationRun>;
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
}

const textRow = z.object({ text: z.string() });
const numberedTextRow = textRow.extend({ n: z.int() });
const countRow = z.object({ n: z.int() });
const unitRow = z.object({ unit: z.string() });
const nameRow = z.object({ name: z.string() });
const toolLine = z.object({ tool });
const unitLine = z.object({ unit: benchmarkUnit });
/** Characters of lines that are handled before other calls have their turn. */
const charsPerTurn = 128 * 1024;
/** Without a record after this time, the freeze or import was interrupted. */
const abandonedMs = 60 * 60_000;
/** The lines of one benchmark, frozen from runs or imported. Nothing changes once it has its record. */
export class Benchmark extends DurableObject<Env> {
  readonly #sql: SqlStorage;
  readonly #storage: DurableObjectStorage;
  readonly #staged: StagedUnits;
  readonly #singletons: SingletonTable;
  /** Simultaneous freezes share the staged units. */
  readonly #freezing = new Mutex();

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#storage = state.storage;
    this.#sql = state.storage.sql;
    this.#staged = new StagedUnits(state.storage.sql);
    this.#singletons = new SingletonTable(state.storage.sql);
    migrate(state.storage, benchmarkSchema);
  }

  /**
   * Freezes the accepted units of ended or paused runs. An interrupted freeze leaves no benchmark and can be repeated.
   */
  freeze(request: FreezeRequest): Promise<Result<BenchmarkRecord>> {
    return this.#freezing.run(async () => {
      const written = await this.#chooseUnitsAndWriteLines(request);
      return written.ok ? this.finishImport(request.at) : written;
    });
  }

  async #chooseUnitsAndWriteLines(request: FreezeRequest): Promise<Result<null>> {
    const runs = new FrozenRuns(
      (id) => this.env.EXPLORATION_RUN.getByName(id),
      this.#staged,
      new TextComparer(this.env, this.env.DIRECTORY.getByName('directory')),
    );
    const common = await runs.findCommonCatalogAndKindOrRefuse(request.explorations);
    if (!common.ok) return common;
    const { makesTasks, ...catalog } = common.value;
    await this.beginImport();
    const frozen = await runs.stageDrawSplitAndWithholdUnits(request);
    if (!frozen.ok) return frozen;
    const { units, ...counts } = frozen.value;
    const tools = await runs.readCatalogToolsOfFirstRun(request.explorations);
    this.#appendLines([
      {
        type: 'benchmark',
        ...(makesTasks ? { format: taskFormat, protocol: mcpBench.key } : { format: pairFormat }),
        name: request.name,
        split: 'all',
        explorations: [...request.explorations],
        seed: request.seed,
        privateShare: request.privateShare,
        ...catalog,
        ...counts,
        tools: tools.length,
        units: units.length,
      },
    ]);
    for (const tool of tools) this.#appendLines([{ type: 'tool', tool }]);
    await this.#writeStagedUnitsAsLines(units);
    return ok(null);
  }

  /** Writes the lines of staged units, with one unit in memory at a time. */
  async #writeStagedUnitsAsLines(units: readonly { readonly id: string; readonly split: Split }[]): Promise<void> {
    let unsaved = 0;
    for (const { id, split: side } of units) {
      const { unit, chars } = this.#staged.readUnitAndTextLength(id);
      this.#appendLines([{ type: 'unit', unit: { ...unit, split: side } }]);
      unsaved += chars;
      if (unsaved < charsPerCall) continue;
      await this.#storage.sync();
      unsaved = 0;
    }
    this.#staged.clear();
  }

  /** Prepares for lines that arrive in parts. */
  async beginImport(): Promise<void> {
    await this.#storage.deleteAll();
    migrate(this.#storage, benchmarkSchema);
    await this.#storage.setAlarm(Date.now() + abandonedMs);
  }

  /** Deletes an interrupted freeze or import. */
  override async alarm(): Promise<void> {
    if (!this.get().ok) await this.discard();
  }

  /** Adds lines of a file; refuses the first invalid one with its number. */
  async importLines(lines: readonly { readonly number: number; readonly text: string }[]): Promise<Result<null>> {
    const parsed: BenchmarkLine[] = [];
    for (const { number, text } of lines) {
      const line = parseLineWithSchema(benchmarkLine, text);
      if (!line.ok)
        return refuse('invalid-line', `line ${number}: ${line.problem}`, [
          { where: `line ${number}`, message: line.problem },
        ]);
      if ((number === 1) !== (line.value.type === 'benchmark')) {
        return refuse('invalid-line', `line ${number}: the header is the first line and no other`);
      }
      const flaw = line.value.type === 'benchmark' ? findFormatProtocolContradiction(line.value) : null;
      if (flaw !== null) return refuse('invalid-line', `line ${number}: ${flaw}`);
      if (line.value.type === 'unit' && (await computeUnitIdFromContent(line.value.unit)) !== line.value.unit.id) {
        return refuse('content-mismatch', `line ${number}: the unit's id does not fit its content`);
      }
      parsed.push(line.value);
    }
    this.#appendLines(parsed);
    return ok(null);
  }

  /** Returns how many of its units checks decide on. */
  countUnitsWithChecks(): number {
    return countRow.parse(
      this.#sql
        .exec("SELECT COUNT(*) AS n FROM lines WHERE kind = 'unit' AND json_type(text, '$.unit.checks') IS NOT NULL")
        .one(),
    ).n;
  }

  /** Gives the benchmark its id, once its lines match the header. */
  async finishImport(at: string): Promise<Result<BenchmarkRecord>> {
    const [first] = this.#readLinesUpToCallSize(1, 1);
    if (first === undefined) return refuse('invalid-line', 'the file is empty');
    const header = benchmarkHeader.parse(JSON.parse(first));
    const tally = await this.#tallyLinesGivingWay();
    const asPromised = await tally.refuseUnlessAsPromised(header);
    if (!asPromised.ok) return asPromised;
    const { type: _, ...rest } = header;
    const record: BenchmarkRecord = {
      ...rest,
      id: benchmarkIdFromHash(tally.hash),
      publicUnits: tally.units.public,
      privateUnits: tally.units.private,
      createdAt: at,
    };
    this.#sql.exec('DELETE FROM record');
    this.#sql.exec('INSERT INTO record (text) VALUES (?)', JSON.stringify(record));
    await this.#storage.deleteAlarm();
    return ok(record);
  }

  get(): Result<BenchmarkRecord> {
    const [row] = parseRows(textRow, this.#sql.exec('SELECT text FROM record'));
    return row === undefined
      ? refuse('not-found', 'there is no such benchmark')
      : ok(benchmarkRecord.parse(JSON.parse(row.text)));
  }

  /** Returns what null agents score on it; null if that was never measured. */
  floor(): BenchmarkFloor | null {
    return this.#singletons.read('floor', benchmarkFloor);
  }

  /** Records how far the measurement of the floor is; once it is measured, it stays. Idempotent. */
  recordFloorUnlessMeasured(floor: BenchmarkFloor): void {
    if (this.floor()?.state !== 'measured') this.#singletons.write('floor', floor);
  }

  /**
   * Returns lines of the file from line number `from` (1 is the header), at most `limit`, fewer if they are long; none
   * at the end.
   */
  readExportPage(split: 'all' | 'public', from: number, limit: number): Result<string[]> {
    const record = this.get();
    if (!record.ok) return record;
    if (split === 'all') return ok(this.#readLinesUpToCallSize(from, limit));
    const lines = readTextsUpToCallSize(
      this.#sql.exec("SELECT text FROM lines WHERE split <> 'private' ORDER BY n LIMIT ? OFFSET ?", limit, from - 1),
    );
    const [first] = lines;
    if (from !== 1 || first === undefined) return ok(lines);
    const header = benchmarkHeader.parse(JSON.parse(first));
    const unproven = this.#countUnprovenPublicUnits();
    const open = {
      ...header,
      split: 'public',
      units: record.value.publicUnits,
      ...(header.unproven === undefined ? {} : { unproven }),
    };
    return ok([canonicalJson(open), ...lines.slice(1)]);
  }

  /** By id, after `after`, at most `limit`. */
  listUnits(split: 'all' | 'public' | 'private', after: string, limit: number): BenchmarkUnit[] {
    const rows = parseRows(
      textRow,
      this.#sql.exec(
        "SELECT text FROM lines WHERE kind = 'unit' AND unit > ? AND (? = 'all' OR split = ?) ORDER BY unit LIMIT ?",
        after,
        split,
        split,
        limit,
      ),
    );
    return rows.map((row) => unitLine.parse(JSON.parse(row.text)).unit);
  }

  /** Returns the ids of all units of a split. */
  unitIds(split: 'all' | 'public' | 'private'): string[] {
    const rows = this.#sql.exec(
      "SELECT unit FROM lines WHERE kind = 'unit' AND (? = 'all' OR split = ?) ORDER BY unit",
      split,
      split,
    );
    return parseRows(unitRow, rows).map(({ unit }) => unit);
  }

  /** Returns units by id, in this order: as many as fit into a call between objects, and at least the first. */
  readUnitsThatFit(ids: readonly string[]): BenchmarkUnit[] {
    const units: BenchmarkUnit[] = [];
    let chars = 0;
    for (const id of ids) {
      const [row] = parseRows(textRow, this.#sql.exec("SELECT text FROM lines WHERE kind = 'unit' AND unit = ?", id));
      if (row === undefined) throw new Error(`there is no unit ${id}`);
      chars += row.text.length;
      if (units.length > 0 && chars > charsPerCall) break;
      units.push(unitLine.parse(JSON.parse(row.text)).unit);
    }
    return units;
  }

  /** How its units are evaluated. */
  protocol(): ProtocolKey {
    const record = this.get();
    if (!record.ok) throw new Error('the benchmark is not finished');
    return protocolOfBenchmarkOrDefault(record.value);
  }

  /** The tools of its catalog. */
  async listCatalogTools(): Promise<Tool[]> {
    const tools: Tool[] = [];
    for (let from = 1; ;) {
      const rows = this.#sql.exec("SELECT n, text FROM lines WHERE kind = 'tool' AND n >= ? ORDER BY n", from);
      const page = takeUpToChars(rows, numberedTextRow, charsPerTurn);
      const last = page.at(-1);
      if (last === undefined) return tools;
      tools.push(...page.map(({ text }) => toolLine.parse(JSON.parse(text)).tool));
      from = last.n + 1;
      await yieldToOtherCalls();
    }
  }

  /** The names of the servers of its catalog. */
  serverNames(): string[] {
    const rows = this.#sql.exec(
      "SELECT DISTINCT json_extract(text, '$.tool.server') AS name FROM lines WHERE kind = 'tool' ORDER BY name",
    );
    return parseRows(nameRow, rows).map(({ name }) => name);
  }

  /** Deletes everything, if an import failed or the benchmark existed already. Only `beginImport` makes the object usable again. */
  async discard(): Promise<void> {
    await this.#storage.deleteAll();
  }

  #appendLines(lines: readonly BenchmarkLine[]): void {
    this.#storage.transactionSync(() => {
      for (const line of lines) {
        this.#sql.exec(
          'INSERT INTO lines (n, kind, split, unit, text, proven) VALUES ((SELECT COALESCE(MAX(n), 0) + 1 FROM lines), ?, ?, ?, ?, ?)',
          line.type,
          line.type === 'unit' ? line.unit.split : '',
          line.type === 'unit' ? line.unit.id : '',
          canonicalJson(line),
          line.type === 'unit' && isEveryStepProven(line.unit) ? 1 : 0,
        );
      }
    });
  }

  #countUnprovenPublicUnits(): number {
    const rows = this.#sql.exec(
      "SELECT COUNT(*) AS n FROM lines WHERE kind = 'unit' AND split = 'public' AND proven = 0",
    );
    return countRow.parse(rows.one()).n;
  }

  /** Reads all lines a few at a time: a large file would keep other calls waiting for seconds. */
  async #tallyLinesGivingWay(): Promise<ContentTally> {
    const tally = new ContentTally();
    for (let from = 1; ;) {
      const rows = this.#sql.exec(
        "SELECT n, kind, split, unit, proven, json_extract(text, '$.unit.kind') AS unit_kind, text FROM lines WHERE n >= ? ORDER BY n",
        from,
      );
      const page = takeUpToChars(rows, contentRow, charsPerTurn);
      const last = page.at(-1);
      if (last === undefined) return tally;
      for (const row of page) await tally.add(row);
      from = last.n + 1;
      await yieldToOtherCalls();
    }
  }

  #readLinesUpToCallSize(from: number, limit: number): string[] {
    return readTextsUpToCallSize(this.#sql.exec('SELECT text FROM lines WHERE n >= ? ORDER BY n LIMIT ?', from, limit));
  }
}

/** Returns the texts of rows until they fill one read; at least one, if there is any. */
const readTextsUpToCallSize = (rows: Iterable<Record<string, SqlStorageValue>>): string[] =>
  takeUpToChars(rows, textRow, charsPerCall).map(({ text }) => text);

/** Returns rows until their texts have so many characters; at least one, if there is any. */
function takeUpToChars<T extends { readonly text: string }>(
  rows: Iterable<Record<string, SqlStorageValue>>,
  schema: z.ZodType<T>,
  most: number,
): T[] {
  const taken: T[] = [];
  let chars = 0;
  for (const row of rows) {
    const parsed = schema.parse(row);
    taken.push(parsed);
    chars += parsed.text.length;
    if (chars >= most) break;
  }
  return taken;
}
