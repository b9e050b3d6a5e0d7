import { z } from 'zod';
import { tool } from '#core/catalog/tool.ts';
import type { ToolReport } from '#core/reports/tool-report/record.ts';
import { observedStep, makeObservedCall } from '#core/reports/tool-report/observed-attempt.ts';
import { describeToolDefinition } from '#core/reports/tool-report/tool-definition.ts';
import { ToolTally, type ReportedTool } from '#core/reports/tool-report/tool-tally.ts';
import { jsonColumnSchema, parseRows } from './rows.ts';
import { yieldToOtherCalls } from './yield-thread.ts';

/** Traces that are read without a pause: some tens of milliseconds. */
const tracesPerPage = 200;

/** The steps of a trace `t.json`, as JSON, without the texts of successful calls. */
const stepsOfTrace = `(SELECT json_group_array(json_object(
    'tool', s.value ->> '$.tool', 'outcome', s.value ->> '$.outcome', 'cause', s.value ->> '$.cause',
    'reported', s.value -> '$.reported', 'failure', s.value -> '$.failure', 'latencyMs', s.value ->> '$.latencyMs',
    'text', CASE WHEN json_extract(s.value, '$.failure') IS NOT NULL THEN substr(s.value ->> '$.text', 1, 300) END))
  FROM json_each(t.json, '$.steps') AS s)`;

/** The traces of an exploration, those of held-out units only for who may see them. */
export const tracesOfUnits = `
  SELECT t.unit AS id, t.side, t.unit, json_extract(units.json, '$.pair.chain') AS expected,
         json_extract(units.json, '$.pair.looksLike') AS looksLike, ${stepsOfTrace} AS steps
    FROM traces AS t JOIN units ON units.id = t.unit
   WHERE (t.unit, t.side) > (?1, ?2) AND json_extract(t.json, '$.end') <> 'fault'
     AND (?3 = 'everything' OR t.unit NOT IN (SELECT unit FROM withheld))
   ORDER BY t.unit, t.side LIMIT ?4`;

/** The traces of an evaluation: of some agents, whose names are a JSON array, or of all. What was disturbed says nothing about tools. */
export const tracesOfCases = `
  SELECT t.evaluated AS id, t.side, cases.unit, json_extract(units.json, '$.chain') AS expected,
         json_extract(units.json, '$.looksLike') AS looksLike, ${stepsOfTrace} AS steps
    FROM traces AS t JOIN cases ON cases.id = t.evaluated JOIN units ON units.id = cases.unit
   WHERE (t.evaluated, t.side) > (?1, ?2) AND json_extract(t.json, '$.end') <> 'fault'
     AND json_extract(t.json, '$.disturbance') IS NULL
     AND (?3 IS NULL OR cases.agent IN (SELECT value FROM json_each(?3)))
   ORDER BY t.evaluated, t.side LIMIT ?4`;

const tracePlace = z.object({ id: z.string(), side: z.string() });
const traceRow = tracePlace.extend({
  unit: z.string(),
  expected: jsonColumnSchema(z.array(z.string())).nullable(),
  looksLike: z.string().nullable(),
  steps: jsonColumnSchema(z.array(observedStep)),
});

const toolRow = z.object({
  json: jsonColumnSchema(
    tool.pick({ name: true, effect: true, annotations: true, description: true, inputSchema: true }),
  ),
});

/** Tools whose definitions are read without a pause. */
const toolsPerPage = 50;

/** Which traces a report is about. */
interface Reported {
  readonly tools: 'catalog' | 'tools';
  readonly traces: typeof tracesOfUnits | typeof tracesOfCases;
  /** The third parameter of `traces`. */
  readonly only: string | null;
  /** The units whose attempts count; all without it. */
  readonly units?: ReadonlySet<string>;
  readonly run: Pick<ToolReport, 'offline' | 'final'>;
}

/** Returns what the traces of a run say about its tools. */
export async function makeToolReportFromTraces(
  sql: SqlStorage,
  { tools, traces, only, units, run }: Reported,
): Promise<ToolReport> {
  const tally = new ToolTally(await readReportedToolsOnce(sql, tools));
  for await (const { unit, expected, looksLike, steps } of readTraces(sql, traceRow, traces, only))
    if (units === undefined || units.has(unit))
      tally.addAttempt({
        unit,
        expected: expected ?? [],
        isNegative: looksLike !== null,
        calls: steps.map(makeObservedCall),
      });
  return tally.makeReport(run);
}

/** Reads each trace once, in pages between which other calls are served. `only` is the third parameter of the query. */
export async function* readTraces<Row extends z.infer<typeof tracePlace>>(
  sql: SqlStorage,
  row: z.ZodType<Row>,
  query: string,
  only: string | null,
): AsyncGenerator<Row, void, undefined> {
  for (let id = '', side = ''; ;) {
    const page = parseRows(row, sql.exec(query, id, side, only, tracesPerPage));
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < tracesPerPage) return;
    ({ id, side } = last);
    await yieldToOtherCalls();
  }
}

/** The tools of a run never change, and writing their schemas for each kind of endpoint takes about 2 ms a tool. */
const known = new WeakMap<SqlStorage, readonly ReportedTool[]>();

async function readReportedToolsOnce(sql: SqlStorage, table: Reported['tools']): Promise<readonly ReportedTool[]> {
  const tools = known.get(sql) ?? (await readReportedTools(sql, table));
  known.set(sql, tools);
  return tools;
}

async function readReportedTools(sql: SqlStorage, table: Reported['tools']): Promise<ReportedTool[]> {
  const read: ReportedTool[] = [];
  for (;;) {
    const after = read.at(-1)?.name ?? '';
    const page = sql.exec(`SELECT json FROM ${table} WHERE name > ? ORDER BY name LIMIT ?`, after, toolsPerPage);
    const rows = parseRows(toolRow, page);
    for (const { json } of rows)
      read.push({
        name: json.name,
        effect: json.effect,
        annotations: json.annotations,
        definition: describeToolDefinition(json),
      });
    if (rows.length < toolsPerPage) return read;
    await yieldToOtherCalls();
  }
}
