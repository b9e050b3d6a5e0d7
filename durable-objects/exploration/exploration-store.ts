import { transitionRecord, type TransitionRecord, unitCounts } from '#core/exploration/counts.ts';
import { z } from 'zod';
import { tool, type Tool } from '#core/catalog/tool.ts';
import type { CatalogToolKey } from '#core/exploration/catalog-index.ts';
import { roundReading, type RoundReading } from '#core/exploration/reading-record.ts';
import type { ReviewFilter, UnitFilter } from '#core/exploration/record.ts';
import type { Rows } from '#core/exploration/rows.ts';
import {
  groupMountableToolsByServer,
  makeMountableTool,
  type MountableCatalog,
  type MountableTool,
} from '#core/units/mounting/mountable-catalog.ts';
import { noYields } from '#core/exploration/yields.ts';
import { trace, type Trace } from '#core/traces/trace.ts';
import { auditRecord, executionRecord, unit, type RequestSide, type Unit } from '#core/units/unit.ts';
import { CountedSql } from '#durable-objects/shared/counted-sql.ts';
import { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const toolJson = z.object({ json: jsonColumnSchema(tool) });
const storedExecution = executionRecord.extend({ errors: executionRecord.shape.errors.default([]) }).nullable();
/** Defaults for units stored before facts, reviews, variants, witnesses and kinds of relations existed. */
const storedUnit = unit.extend({
  lineage: unit.shape.lineage.default(null),
  grounding: unit.shape.grounding.default({ state: 'none' }),
  audits: z.array(auditRecord.extend({ facts: auditRecord.shape.facts.default([]) })),
  decisions: unit.shape.decisions.default([]),
  duplicateOf: unit.shape.duplicateOf.default(null),
  executions: z.object({ source: storedExecution, followUp: storedExecution }),
  relation: unit.shape.relation.default(null),
  witness: unit.shape.witness.default(null),
  earlierExecution: unit.shape.earlierExecution.default(null),
});
const textJson = z.object({ json: z.string() });
const idRow = z.object({ id: z.string() });
const unitJson = z.object({ json: jsonColumnSchema(storedUnit) });
const traceRow = z.object({ side: z.enum(['source', 'followUp']), json: jsonColumnSchema(trace) });
const roundJson = z.object({ json: jsonColumnSchema(roundReading) });
const indexRow = z.object({ name: z.string(), server: z.string(), domain: z.string() });
const toolRow = z.object({ tool: z.string(), draws: z.number(), calls: z.number(), successes: z.number() });
const pairs = z.array(z.tuple([z.string(), z.string()]));
const probeRow = z.object({ unit: z.string(), round: z.number(), transitions: jsonColumnSchema(pairs) });
const bit = z.number().transform((value) => value !== 0);
const reviewRow = z.object({ unit: z.string(), probe: bit, settled: bit });
const descentRow = z.object({ unit: z.string(), seed: z.string() });
const withheldRow = z.object({ unit: z.string() });
const serverRow = z.object({ server: z.string(), strikes: z.number(), outUntilRound: z.number() });
const scalarRow = z.object({
  round: z.number(),
  units: unitCounts,
  recentChao1: z.array(z.number()),
  anytimeLow: z.number(),
  // Defaults for runs stored before these two existed; they start with their next round.
  looks: z.number().default(0),
  yields: z
    .array(z.object({ found: z.number(), missed: z.number() }))
    .length(noYields.length)
    .default([...noYields]),
});
const numbers = z.array(z.number());
const trialsRow = z.object({
  round: z.number(),
  trials: jsonColumnSchema(z.array(z.object({ candidates: numbers, chain: numbers }))),
});

/** Which stored units to read; null for any. */
export interface StoredUnitFilter extends UnitFilter {
  /** Whether they wait for a reviewer's decision, or have one. */
  readonly review: ReviewFilter['state'] | null;
  /** Whether a benchmark holds them out. */
  readonly withheld: boolean | null;
}

export const anyUnit: StoredUnitFilter = {
  status: null,
  probe: null,
  origin: null,
  round: null,
  tool: null,
  review: null,
  withheld: null,
};

/** Units that benchmarks and evolutions may use; probes are excluded. */
export const acceptedUnit: StoredUnitFilter = { ...anyUnit, status: 'accepted', probe: false };

/** Catalog look-ups that are cached. */
const keptLookUps = 500;

/**
 * The tables of one exploration and the statements on them. docs/storage.md describes the tables. Rows are parsed when
 * they are read; nothing is decided here.
 */
export class ExplorationStore {
  readonly #sql: CountedSql;
  readonly #singletons: SingletonTable;
  /** A catalog never changes, and parsing a tool's schemas is the main cost of reading. */
  readonly #toolsRead = new Map<string, readonly Tool[]>();
  #mountable: MountableCatalog | null = null;
  #withheld: ReadonlySet<string> | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = new CountedSql(sql);
    this.#singletons = new SingletonTable(sql);
  }

  /** Rows written since this object started, indexes included, which the platform bills. */
  get rowsWritten(): number {
    return this.#sql.rowsWritten + this.#singletons.rowsWritten;
  }

  writeCatalog(tools: readonly Tool[]): void {
    for (const [position, each] of tools.entries()) {
      this.#sql.write(
        'INSERT INTO catalog (position, name, server, domain, json) VALUES (?, ?, ?, ?, ?)',
        position,
        each.name,
        each.server,
        each.domain,
        JSON.stringify(each),
      );
    }
  }

  listCatalogToolsWithoutSchemas(): CatalogToolKey[] {
    return parseRows(indexRow, this.#sql.readUncounted('SELECT name, server, domain FROM catalog ORDER BY position'));
  }

  listCatalogTools(): Tool[] {
    return parseRows(toolJson, this.#sql.readUncounted('SELECT json FROM catalog ORDER BY position')).map(
      (row) => row.json,
    );
  }

  /** Returns the tools with these names, in this order; unknown names are skipped. */
  listToolsWithNames(names: readonly string[]): Tool[] {
    return names.flatMap((name) => this.#readToolCachedAsList(name));
  }

  /** What the mounting needs to know about the catalog; read once, one tool at a time. */
  readMountableCatalog(): MountableCatalog {
    this.#mountable ??= groupMountableToolsByServer(this.#iterateMountableTools());
    return this.#mountable;
  }

  *#iterateMountableTools(): Generator<MountableTool> {
    for (const row of this.#sql.readUncounted('SELECT json FROM catalog'))
      yield makeMountableTool(toolJson.parse(row).json);
  }

  #readToolCachedAsList(name: string): readonly Tool[] {
    const kept = this.#toolsRead.get(name);
    if (kept !== undefined) return kept;
    const read = parseRows(toolJson, this.#sql.readUncounted('SELECT json FROM catalog WHERE name = ?', name)).map(
      (row) => row.json,
    );
    if (this.#toolsRead.size >= keptLookUps) this.#toolsRead.clear();
    this.#toolsRead.set(name, read);
    return read;
  }

  /** Returns what the run has learned, as rows; null before its first commit. */
  readCommittedStateRows(): Rows | null {
    const scalar = this.#singletons.read('scalar', scalarRow);
    if (scalar === null) return null;
    return {
      scalar,
      tools: parseRows(toolRow, this.#sql.readUncounted('SELECT tool, draws, calls, successes FROM tools')),
      transitions: this.listTransitionCounts('', -1),
      probes: parseRows(probeRow, this.#sql.readUncounted('SELECT unit, round, transitions FROM probes')),
      reviews: parseRows(reviewRow, this.#sql.readUncounted('SELECT unit, probe, settled FROM reviews')),
      servers: parseRows(
        serverRow,
        this.#sql.readUncounted('SELECT server, strikes, out_until AS outUntilRound FROM servers'),
      ),
      trials: parseRows(trialsRow, this.#sql.readUncounted('SELECT round, json AS trials FROM trials')),
    };
  }

  /** Writes the rows that a commit changed. */
  writeChangedStateRows(rows: Rows): void {
    this.#singletons.write('scalar', rows.scalar);
    for (const row of rows.tools) {
      this.#sql.write(
        'INSERT OR REPLACE INTO tools (tool, draws, calls, successes) VALUES (?, ?, ?, ?)',
        row.tool,
        row.draws,
        row.calls,
        row.successes,
      );
    }
    for (const row of rows.transitions) {
      this.#sql.write(
        'INSERT OR REPLACE INTO transitions (from_tool, to_tool, executed, expected, value_passed) VALUES (?, ?, ?, ?, ?)',
        row.from,
        row.to,
        row.executed,
        row.expected,
        row.valuePassed,
      );
    }
    for (const row of rows.probes) {
      this.#sql.write(
        'INSERT OR REPLACE INTO probes (unit, round, transitions) VALUES (?, ?, ?)',
        row.unit,
        row.round,
        JSON.stringify(row.transitions),
      );
    }
    for (const row of rows.reviews) {
      this.#sql.write(
        'INSERT OR REPLACE INTO reviews (unit, probe, settled) VALUES (?, ?, ?)',
        row.unit,
        Number(row.probe),
        Number(row.settled),
      );
    }
    for (const row of rows.servers) {
      this.#sql.write(
        'INSERT OR REPLACE INTO servers (server, strikes, out_until) VALUES (?, ?, ?)',
        row.server,
        row.strikes,
        row.outUntilRound,
      );
    }
    for (const { round, trials } of rows.trials)
      this.#sql.write('INSERT OR REPLACE INTO trials (round, json) VALUES (?, ?)', round, JSON.stringify(trials));
  }

  /** By their tools, after `after` (`from`, line break, `to`), at most `limit`; -1 for all. */
  listTransitionCounts(after: string, limit: number): TransitionRecord[] {
    const [from = '', to = ''] = after.split('\n');
    return parseRows(
      transitionRecord,
      this.#sql.readUncounted(
        `SELECT from_tool AS "from", to_tool AS "to", executed, expected, value_passed AS valuePassed FROM transitions
         WHERE (from_tool, to_tool) > (?, ?) ORDER BY from_tool, to_tool LIMIT ?`,
        from,
        to,
        limit,
      ),
    );
  }

  writeReading(reading: RoundReading): void {
    this.#sql.write(
      'INSERT OR REPLACE INTO rounds (round, json) VALUES (?, ?)',
      reading.round,
      JSON.stringify(reading),
    );
  }

  /** Returns the readings after a round, at most `limit`. */
  listReadings(after: number, limit: number): RoundReading[] {
    const rows = this.#sql.readUncounted(
      'SELECT json FROM rounds WHERE round > ? ORDER BY round LIMIT ?',
      after,
      limit,
    );
    return parseRows(roundJson, rows).map((row) => row.json);
  }

  readLastReading(): RoundReading | null {
    const rows = this.#sql.readUncounted('SELECT json FROM rounds ORDER BY round DESC LIMIT 1');
    return parseRows(roundJson, rows)[0]?.json ?? null;
  }

  storeUnitWithheldLikeItsOrigins(each: Unit): void {
    this.#sql.write('INSERT OR REPLACE INTO units (id, json) VALUES (?, ?)', each.id, JSON.stringify(each));
    const { lineage, duplicateOf } = each;
    const origins = [...(lineage?.seeds ?? []), ...(duplicateOf === null ? [] : [duplicateOf])];
    if (origins.some(({ unit: origin }) => this.readWithheldUnitIds().has(origin))) this.#withholdUnit(each.id);
  }

  /**
   * Holds units out permanently, with all their variants and near-duplicates, which would reveal what they ask and
   * expect. Inside a transaction.
   */
  withholdUnitsAndTheirVariants(units: readonly string[]): void {
    for (const id of units) this.#withholdUnit(id);
    this.#sql.write(`
      WITH RECURSIVE origins (unit, origin) AS (
        SELECT units.id, json_extract(seed.value, '$.unit') FROM units, json_each(units.json, '$.lineage.seeds') AS seed
        UNION ALL
        SELECT id, json_extract(json, '$.duplicateOf.unit') FROM units WHERE json_extract(json, '$.duplicateOf.unit') IS NOT NULL
      ), held (unit) AS (
        SELECT unit FROM withheld UNION SELECT origins.unit FROM origins JOIN held ON origins.origin = held.unit
      )
      INSERT OR IGNORE INTO withheld (unit) SELECT unit FROM held`);
    this.#withheld = null;
  }

  /**
   * Returns each variant with each of its seeds. A variant that was turned down is left out, because nobody sees it and it reveals nothing
   * of its seeds, unless other variants were made from it before.
   */
  listVariantSeedPairs(): { unit: string; seed: string }[] {
    return parseRows(
      descentRow,
      this.#sql.readUncounted(
        `WITH descents (unit, seed, status) AS (
           SELECT units.id, json_extract(seed.value, '$.unit'), json_extract(units.json, '$.stage.status')
             FROM units, json_each(units.json, '$.lineage.seeds') AS seed
         )
         SELECT unit, seed FROM descents
           WHERE status IS NULL OR status IN ('accepted', 'review') OR unit IN (SELECT seed FROM descents)`,
      ),
    );
  }

  /** Returns the units that a benchmark holds out. */
  readWithheldUnitIds(): ReadonlySet<string> {
    this.#withheld ??= new Set(
      parseRows(withheldRow, this.#sql.readUncounted('SELECT unit FROM withheld')).map((row) => row.unit),
    );
    return this.#withheld;
  }

  #withholdUnit(id: string): void {
    this.#sql.write('INSERT OR IGNORE INTO withheld (unit) VALUES (?)', id);
    this.#withheld = null;
  }

  readUnit(id: string): Unit | null {
    return parseRows(unitJson, this.#sql.readUncounted('SELECT json FROM units WHERE id = ?', id))[0]?.json ?? null;
  }

  /** Returns the ids of units that have this prefix, in order. */
  listUnitIdsByPrefix(prefix: string): string[] {
    const rows = this.#sql.readUncounted(
      'SELECT id FROM units WHERE id >= ? AND id < ? ORDER BY id',
      prefix,
      `${prefix}~`,
    );
    return parseRows(idRow, rows).map(({ id }) => id);
  }

  /** By id, after `after`, at most `limit` (-1 for all), and none after so many characters of JSON; at least one, if there is any. */
  listFilteredUnits(filter: StoredUnitFilter, after: string, limit: number, mostChars = Infinity): Unit[] {
    const rows = this.#sql.readUncounted(
      `SELECT json FROM units WHERE id > ?1
         AND (?2 IS NULL OR json_extract(json, '$.stage.status') = ?2)
         AND (?3 IS NULL OR json_extract(json, '$.probe') = ?3)
         AND (?4 IS NULL OR json_extract(json, '$.round') = ?4)
         AND (?5 IS NULL OR EXISTS (SELECT 1 FROM json_each(units.json, '$.pair.chain') WHERE value = ?5))
         AND (?6 IS NULL OR (json_extract(json, '$.lineage') IS NULL) = (?6 = 'explored'))
         AND CASE ?7
           WHEN 'open' THEN json_extract(json, '$.stage.status') = 'review' OR json_extract(json, '$.stage.kind') = 'waiting'
           WHEN 'decided' THEN json_array_length(json, '$.decisions') > 0
           ELSE TRUE END
         AND (?8 IS NULL OR (id IN (SELECT unit FROM withheld)) = ?8)
       ORDER BY id LIMIT ?9`,
      after,
      filter.status,
      filter.probe === null ? null : Number(filter.probe),
      filter.round,
      filter.tool,
      filter.origin,
      filter.review,
      filter.withheld === null ? null : Number(filter.withheld),
      limit,
    );
    const units: Unit[] = [];
    let chars = 0;
    for (const row of rows) {
      const { json } = textJson.parse(row);
      units.push(storedUnit.parse(JSON.parse(json)));
      chars += json.length;
      if (chars >= mostChars) break;
    }
    return units;
  }

  writeTrace(unitId: string, side: RequestSide, of: Trace): void {
    this.#sql.write(
      'INSERT OR REPLACE INTO traces (unit, side, json) VALUES (?, ?, ?)',
      unitId,
      side,
      JSON.stringify(of),
    );
  }

  readTracesOfUnit(unitId: string): { source: Trace | null; followUp: Trace | null } {
    const rows = parseRows(traceRow, this.#sql.readUncounted('SELECT side, json FROM traces WHERE unit = ?', unitId));
    const of = (side: RequestSide): Trace | null => rows.find((row) => row.side === side)?.json ?? null;
    return { source: of('source'), followUp: of('followUp') };
  }
}
