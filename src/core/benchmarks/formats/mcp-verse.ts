import { z } from 'zod';
import type { TaskUnit } from '#core/units/task-unit.ts';
import { toolNameWithoutServer, serverNameOfToolName } from '#core/catalog/tool.ts';
import { check, maxChecks, type Check } from '#core/traces/checks/check.ts';
import { csvRecordText } from '#core/values/csv.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import { parseCsvRecords } from './csv.ts';
import {
  makeTaskBenchmarkLines,
  makeUnitsWithoutRepeats,
  NamedTools,
  type MadeBenchmark,
  type NewTask,
  type TaskBenchmark,
  type TaskFormat,
} from './task-format.ts';

/** The columns that a file of MCPVerse needs; `time-sensitive` and our `checks` may be missing. */
const neededColumns = ['question_id', 'question', 'MCP', 'tool', 'complexity', 'answer', 'eval_method'] as const;
const columns = [...neededColumns, 'time-sensitive', 'checks'] as const;

/** How an outcome is decided: by a judge, by a script of the original harness, or by our checks. */
const judgeMethod = 'llm_as_a_judge';
const checksMethod = 'checks';
const scriptMethods: readonly string[] = ['eval_script', 'test_case'];
const evaluationMethodText = (checks: unknown): string => (checks === undefined ? judgeMethod : checksMethod);

/** A task of MCPVerse as its authors publish it, or with our checks. */
interface PublishedTask {
  readonly id: string;
  readonly request: string;
  /** Names of servers. */
  readonly servers: readonly string[];
  /** Names of tools, with their server or without, in order. */
  readonly tools: readonly string[];
  readonly level: number | undefined;
  /** The right answer; undefined if it comes from a script of the original harness. */
  readonly truth: string | undefined;
  readonly checks: readonly Check[] | undefined;
  readonly timeSensitive: boolean;
}

/** The tasks of a file, and its lines that are none. */
interface ReadTasks {
  readonly tasks: readonly PublishedTask[];
  /** Each with its line, its id and what is wrong. */
  readonly unparsed: readonly string[];
}

const textSchemaWithMaxLength = (most: number) => z.string().trim().max(most);
const line = z.object({
  question_id: textSchemaWithMaxLength(100).min(1, 'is empty'),
  question: textSchemaWithMaxLength(20_000).min(1, 'is empty'),
  MCP: textSchemaWithMaxLength(2_000),
  tool: textSchemaWithMaxLength(10_000),
  complexity: textSchemaWithMaxLength(10).regex(/^(?:L[123])?$/i, 'is none of L1, L2, L3'),
  answer: textSchemaWithMaxLength(20_000),
  eval_method: textSchemaWithMaxLength(100),
  'time-sensitive': textSchemaWithMaxLength(10).regex(/^(?:yes|no)?$/i, 'is neither Yes nor No'),
  checks: textSchemaWithMaxLength(200_000),
});

/** Reads a file of MCPVerse. A line that does not parse is named and left out; a file without its columns is refused. */
export function readVerseTasks(file: string): Result<ReadTasks, string> {
  const rows = parseCsvRecords(file, neededColumns);
  if (!rows.ok) return rows;
  const tasks: PublishedTask[] = [];
  const unparsed: string[] = [];
  for (const { line: number, cells } of rows.value) {
    const read = readTask(cells);
    if (read.ok) tasks.push(read.value);
    else unparsed.push(`line ${number} ${(cells.get('question_id') ?? '').trim().slice(0, 100)}: ${read.problem}`);
  }
  return ok({ tasks, unparsed });
}

function readTask(cells: ReadonlyMap<string, string>): Result<PublishedTask, string> {
  const parsed = line.safeParse(Object.fromEntries(columns.map((name) => [name, cells.get(name) ?? ''])));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return err(`${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
  }
  const {
    question_id: id,
    question: request,
    MCP,
    tool,
    complexity,
    answer,
    eval_method: method,
    ...rest
  } = parsed.data;
  const checks = readChecks(rest.checks);
  if (!checks.ok) return checks;
  const isScripted = scriptMethods.includes(method);
  if (!isScripted && method !== judgeMethod && method !== checksMethod) return err(`eval_method is unknown`);
  if (method === checksMethod && checks.value === undefined) return err('checks is empty');
  return ok({
    id,
    request,
    servers: splitNames(MCP),
    tools: splitNames(tool).flatMap(expandRepeatedName),
    level: complexity === '' ? undefined : Number(complexity.slice(1)),
    // The answer to a script is where the agent's file is, not what is right.
    truth: isScripted || answer === '' ? undefined : answer,
    checks: checks.value,
    timeSensitive: rest['time-sensitive'].toLowerCase() === 'yes',
  });
}

const checkList = z.array(check).min(1).max(maxChecks);

function readChecks(json: string): Result<Check[] | undefined, string> {
  if (json === '') return ok(undefined);
  const value = parseJsonWithinLimits(json);
  if (!value.ok) return err(`checks is ${value.problem}`);
  const parsed = checkList.safeParse(value.value);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return err(`checks is wrong at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** Splits `a + b; c` into its names. */
const splitNames = (names: string): string[] =>
  names
    .split(/[+;]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Most repetitions of a tool that a name may state. */
const mostRepeats = 20;

/** Returns `search*3` as three names. `search * N`, any number of times, is one. */
function expandRepeatedName(name: string): string[] {
  const [, own = name, times = '1'] = /^(.*?)\s*\*\s*(\d{1,2}|[A-Za-z])$/.exec(name) ?? [];
  const count = Number(times);
  return new Array<string>(Number.isInteger(count) ? Math.min(Math.max(count, 1), mostRepeats) : 1).fill(own.trim());
}

/** Maximum tools of a unit's chain, and servers that it names. */
const maxListed = 50;

/** Makes a benchmark of MCPVerse's tasks over the tools of a catalog. */
async function makeVerseBenchmark({ tasks, unparsed }: ReadTasks, to: TaskBenchmark): Promise<MadeBenchmark> {
  const named = new NamedTools(to.tools);
  const servers = new Map(to.tools.map(({ server }) => [server, server]));
  const serversMissing: string[] = [];
  const possible = tasks.filter(({ id, servers: required }) => {
    const missing = required.filter((name) => !servers.has(makeServerNameSlug(name)));
    if (missing.length > 0) serversMissing.push(`${id}: ${missing.join(', ')}`);
    return missing.length === 0;
  });
  const made = possible.map((task): NewTask =>
    makeTask(
      task,
      task.servers.flatMap((name) => servers.get(makeServerNameSlug(name)) ?? []),
      { named, collection: to.collection },
    ),
  );
  const { units, leftOut } = await makeUnitsWithoutRepeats(made);
  const withoutTruth = possible.filter(({ truth, checks }) => truth === undefined && checks === undefined);
  return {
    lines: makeTaskBenchmarkLines(units, to),
    leftOut: [
      { key: 'unparsed', title: 'lines that cannot be read as tasks', names: unparsed },
      leftOut,
      {
        key: 'withoutTruth',
        title: 'tasks whose right answer comes from a script of the original harness: their outcome stays unscored',
        names: withoutTruth.map(({ id }) => id),
      },
      {
        key: 'serversMissing',
        title: 'tasks whose servers the catalog does not have',
        names: serversMissing,
      },
      ...named.leftOut,
    ],
  };
}

function makeTask(
  task: PublishedTask,
  servers: readonly string[],
  { named, collection }: { readonly named: NamedTools; readonly collection: string },
): NewTask {
  const { id, request, level, truth, checks, timeSensitive } = task;
  return {
    kind: 'task',
    request,
    keyPoints: [],
    ...(truth === undefined ? {} : { truth }),
    ...(checks === undefined ? {} : { checks: [...checks] }),
    ...(level === undefined ? {} : { level }),
    ...(timeSensitive ? { timeSensitive } : {}),
    chain: task.tools
      .flatMap((name) => {
        const own = name.includes('/')
          ? `${makeServerNameSlug(serverNameOfToolName(name))}/${toolNameWithoutServer(name)}`
          : name;
        return named.findToolOrNoteName(own, servers)?.name ?? [];
      })
      .slice(0, maxListed),
    servers: [...new Set(servers)].slice(0, maxListed),
    provenance: { collection, task: id, category: level === undefined ? '' : `L${level}` },
  };
}

/** Returns a published server's name as one that a workspace can register: `Paper_Search` is `paper-search`. */
const makeServerNameSlug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** Writes tasks as MCPVerse's authors publish them, with a column for checks beside theirs. */
const writeVerseTasks = (units: readonly TaskUnit[]): string =>
  [columns, ...units.map(csvCellsOfTask)].map(csvRecordText).join('');

const csvCellsOfTask = ({
  provenance,
  request,
  servers,
  chain,
  level,
  truth,
  checks,
  timeSensitive,
}: TaskUnit): string[] => [
  provenance.task,
  request,
  servers.join(' + '),
  chain.join(' + '),
  level === undefined ? '' : `L${level}`,
  truth ?? '',
  evaluationMethodText(checks),
  timeSensitive === true ? 'Yes' : 'No',
  checks === undefined ? '' : JSON.stringify(checks),
];

export const mcpVerseFormat: TaskFormat = {
  file: "the tasks as their authors publish them: MCPVerse's CSV, with a column `checks` of ours or without",
  notes: [
    'Each task is a unit with one request. Its answer is what a judge compares the response with; with checks, their calls decide.',
    "Tools that people named and that the catalog has are the unit's chain, its servers are mounted in oracle mode; only the outcome counts.",
    'Servers are found by their names in lower case, with hyphens.',
    'A line that cannot be read is named and left out: it is neither a success nor a failure.',
  ],
  async read(text, to) {
    const tasks = readVerseTasks(text);
    return tasks.ok ? ok(await makeVerseBenchmark(tasks.value, to)) : tasks;
  },
  write: writeVerseTasks,
};
