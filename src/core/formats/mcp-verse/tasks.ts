import { z } from 'zod';
import { check, maxChecks, type Check } from '#core/checks/check.ts';
import { parseJsonWithinLimits } from '#core/parse-json.ts';
import { err, ok, type Result } from '#core/result.ts';
import { parseCsvRecords } from '../csv.ts';

/** The columns that a file of MCPVerse needs; `time-sensitive` and our `checks` may be missing. */
const neededColumns = ['question_id', 'question', 'MCP', 'tool', 'complexity', 'answer', 'eval_method'] as const;
export const columns = [...neededColumns, 'time-sensitive', 'checks'] as const;

/** How an outcome is decided: by a judge, by a script of the original harness, or by our checks. */
const judgeMethod = 'llm_as_a_judge';
const checksMethod = 'checks';
const scriptMethods: readonly string[] = ['eval_script', 'test_case'];
export const evaluationMethodOfChecks = (checks: unknown): string =>
  checks === undefined ? judgeMethod : checksMethod;

/** A task of MCPVerse as its authors publish it, or with our checks. */
export interface PublishedTask {
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
export interface ReadTasks {
  readonly tasks: readonly PublishedTask[];
  /** Each with its line, its id and what is wrong. */
  readonly unparsed: readonly string[];
}

const textUpTo = (most: number) => z.string().trim().max(most);
const line = z.object({
  question_id: textUpTo(100).min(1, 'is empty'),
  question: textUpTo(20_000).min(1, 'is empty'),
  MCP: textUpTo(2_000),
  tool: textUpTo(10_000),
  complexity: textUpTo(10).regex(/^(?:L[123])?$/i, 'is none of L1, L2, L3'),
  answer: textUpTo(20_000),
  eval_method: textUpTo(100),
  'time-sensitive': textUpTo(10).regex(/^(?:yes|no)?$/i, 'is neither Yes nor No'),
  checks: textUpTo(200_000),
});

/** Reads a file of MCPVerse. A line that does not parse is named and left out; a file without its columns is refused. */
export function parseVerseTasks(file: string): Result<ReadTasks, string> {
  const rows = parseCsvRecords(file, neededColumns);
  if (!rows.ok) return rows;
  const tasks: PublishedTask[] = [];
  const unparsed: string[] = [];
  for (const { line: number, cells } of rows.value) {
    const read = parseVerseTask(cells);
    if (read.ok) tasks.push(read.value);
    else unparsed.push(`line ${number} ${(cells.get('question_id') ?? '').trim().slice(0, 100)}: ${read.problem}`);
  }
  return ok({ tasks, unparsed });
}

function parseVerseTask(cells: ReadonlyMap<string, string>): Result<PublishedTask, string> {
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
  const checks = parseChecks(rest.checks);
  if (!checks.ok) return checks;
  const isScripted = scriptMethods.includes(method);
  if (!isScripted && method !== judgeMethod && method !== checksMethod) return err(`eval_method is unknown`);
  if (method === checksMethod && checks.value === undefined) return err('checks is empty');
  return ok({
    id,
    request,
    servers: splitToolNames(MCP),
    tools: splitToolNames(tool).flatMap(expandRepeatedName),
    level: complexity === '' ? undefined : Number(complexity.slice(1)),
    // The answer to a script is where the agent's file is, not what is right.
    truth: isScripted || answer === '' ? undefined : answer,
    checks: checks.value,
    timeSensitive: rest['time-sensitive'].toLowerCase() === 'yes',
  });
}

const checkList = z.array(check).min(1).max(maxChecks);

function parseChecks(json: string): Result<Check[] | undefined, string> {
  if (json === '') return ok(undefined);
  const value = parseJsonWithinLimits(json);
  if (!value.ok) return err(`checks is ${value.problem}`);
  const parsed = checkList.safeParse(value.value);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return err(`checks is wrong at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** Splits `a + b; c` into its names. */
const splitToolNames = (names: string): string[] =>
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
