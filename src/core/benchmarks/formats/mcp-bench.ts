import { z } from 'zod';
import { combinations } from '../task-of-unit.ts';
import type { TaskUnit } from '#core/units/task-unit.ts';
import { serverNameOfToolName, type Tool } from '#core/catalog/tool.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { err, ok } from '#core/values/result.ts';
import { listLostValues } from '#core/similarity/entities.ts';
import {
  makeTaskBenchmarkLines,
  makeUnitsWithoutRepeats,
  type MadeBenchmark,
  type NewTask,
  type TaskBenchmark,
  type TaskFormat,
} from './task-format.ts';

/** A task of MCP-Bench as its authors publish it (`tasks/*_runner_format.json`). */
const publishedTask = z
  .object({
    task_id: z.string().min(1).max(200),
    task_description: z.string().trim().min(1).max(20_000),
    fuzzy_description: z.string().trim().max(20_000).nullish(),
    dependency_analysis: z.string().trim().max(20_000).nullish(),
  })
  .transform((task) => ({
    id: task.task_id,
    request: task.task_description,
    /** Empty without one. */
    fuzzy: task.fuzzy_description ?? '',
    /** Empty if nobody says. */
    dependencies: task.dependency_analysis ?? '',
  }));

/** The tasks of one combination of servers. */
const publishedGroup = z
  .object({
    server_name: z.string().min(1).max(1_000),
    servers: z.array(z.string().min(1).max(100)).min(1).max(50).nullish(),
    combination_name: z.string().max(200).nullish(),
    tasks: z.array(z.unknown()).max(10_000),
  })
  .transform((group) => ({
    servers: group.servers ?? group.server_name.split('+').map((name) => name.trim()),
    category: group.combination_name ?? '',
    tasks: group.tasks,
  }));

/** A file of tasks, whose groups and tasks are parsed one by one. */
const publishedFile = z.object({ server_tasks: z.array(z.unknown()).max(10_000) });

interface PublishedTask extends z.infer<typeof publishedTask> {
  /** The servers that it needs, by the names that their authors gave them. */
  readonly servers: readonly string[];
  readonly category: string;
}

/** What a file has: its tasks, and what in it could not be parsed, by place or id, with the reason. */
interface ReadTasks {
  readonly tasks: readonly PublishedTask[];
  readonly unparsed: readonly string[];
}

/** Reads a file, task by task: one that is broken takes no other with it. Null if it has no list of groups. */
function readPublishedTasksOrNull(json: unknown): ReadTasks | null {
  const file = publishedFile.safeParse(json);
  if (!file.success) return null;
  const tasks: PublishedTask[] = [];
  const unparsed: string[] = [];
  for (const [index, given] of file.data.server_tasks.entries()) {
    const group = publishedGroup.safeParse(given);
    if (!group.success) unparsed.push(`server_tasks.${index}: ${firstIssueText(group.error)}`);
    else
      for (const [at, each] of group.data.tasks.entries()) {
        const task = publishedTask.safeParse(each);
        const { servers, category } = group.data;
        if (task.success) tasks.push({ ...task.data, servers, category });
        else unparsed.push(`server_tasks.${index}.tasks.${at}: ${firstIssueText(task.error)}`);
      }
  }
  return { tasks, unparsed };
}

const firstIssueText = ({ issues: [issue] }: z.ZodError): string =>
  `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim();

export const mcpBenchFormat: TaskFormat = {
  file: "the tasks as their authors publish them: one of MCP-Bench's mcpbench_tasks_*_runner_format.json",
  notes: [
    'Each task is a unit with its concrete and its fuzzy wording and with the dependencies that judges see.',
    'Its servers are found by their names, regardless of case, spaces and punctuation; a task whose servers the catalog lacks is left out.',
  ],
  async read(text, to) {
    const json = parseJsonWithinLimits(text);
    if (!json.ok) return err(json.problem);
    const published = readPublishedTasksOrNull(json.value);
    if (published === null) return err('it has no list `server_tasks`');
    return ok(await makeMcpBenchmark(published, to));
  },
  write: mcpBenchTasksText,
};

/** Makes a benchmark of published tasks over the tools of a catalog. Which tools a task needs, nobody says. */
async function makeMcpBenchmark({ tasks, unparsed }: ReadTasks, to: TaskBenchmark): Promise<MadeBenchmark> {
  const names = serverNamesByKey(to.tools);
  const kept: NewTask[] = [];
  const lacking: string[] = [];
  for (const task of tasks) {
    const servers = task.servers.map((name) => names.get(serverKey(name)) ?? null);
    const found = servers.filter((name) => name !== null);
    if (found.length === servers.length) kept.push(makeTask(task, [...new Set(found)], to.collection));
    else lacking.push(`${task.id}: ${task.servers.filter((_, at) => servers[at] === null).join(', ')}`);
  }
  const { units, leftOut } = await makeUnitsWithoutRepeats(kept);
  return {
    lines: makeTaskBenchmarkLines(units, to),
    leftOut: [
      { key: 'unparsed', title: 'entries that cannot be parsed', names: unparsed },
      { key: 'serversMissing', title: 'tasks whose servers the catalog does not have', names: lacking },
      leftOut,
      {
        key: 'valuesLost',
        title: 'tasks whose fuzzy wording lacks values of the concrete one (kept)',
        names: units.flatMap(listLossNotesOfFuzzyWording),
      },
    ],
  };
}

const listLossNotesOfFuzzyWording = ({ request, fuzzy, provenance }: TaskUnit): string[] => {
  const lost = fuzzy === undefined ? [] : listLostValues(request, fuzzy);
  return lost.length === 0 ? [] : [`${provenance.task}: ${lost.join(', ')}`];
};

const makeTask = (
  { id, request, fuzzy, dependencies, category }: PublishedTask,
  servers: readonly string[],
  collection: string,
): NewTask => ({
  kind: 'task',
  request,
  ...(fuzzy === '' ? {} : { fuzzy }),
  keyPoints: [],
  chain: [],
  ...(dependencies === '' ? {} : { dependencies }),
  servers: [...servers],
  provenance: { collection, task: id, category },
});

/** Returns what is the same in `Paper Search` and `paper-search`. */
const serverKey = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const serverNamesByKey = (tools: readonly Tool[]): ReadonlyMap<string, string> =>
  new Map(tools.map(({ server }) => [serverKey(server), server]));

/** Writes tasks as their authors publish them, by servers. Distractors are drawn when a task is evaluated, so none are named. */
function mcpBenchTasksText(units: readonly TaskUnit[]): string {
  const groups = Map.groupBy(units, (unit) => JSON.stringify([serversOfTask(unit), unit.provenance.category]));
  const server_tasks = Array.from(groups.values(), (tasks) => {
    const [first] = tasks;
    const servers = first === undefined ? [] : serversOfTask(first);
    return {
      server_name: servers.join('+'),
      tasks: tasks.map(({ provenance, request, fuzzy, dependencies }) => ({
        task_id: provenance.task,
        task_description: request,
        ...(fuzzy === undefined ? {} : { fuzzy_description: fuzzy }),
        ...(dependencies === undefined ? {} : { dependency_analysis: dependencies }),
      })),
      servers,
      combination_name: first?.provenance.category ?? '',
      combination_type: combinations[servers.length - 1] ?? 'more_server_combinations',
    };
  });
  return `${JSON.stringify({ generation_info: { status: 'completed' }, server_tasks, total_tasks: units.length }, null, 2)}\n`;
}

const serversOfTask = ({ chain, servers }: TaskUnit): string[] => [
  ...new Set([...servers, ...chain.map(serverNameOfToolName)]),
];
