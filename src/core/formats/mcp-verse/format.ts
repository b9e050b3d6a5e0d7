import type { TaskUnit } from '#core/benchmarks/task-unit.ts';
import { nameOnServer, serverOf } from '#core/catalog/tool.ts';
import { csvRecordText } from '#core/evaluation/csv.ts';
import { mcpVerse } from '#core/protocols/mcp-verse.ts';
import { ok } from '#core/result.ts';
import {
  makeTaskBenchmarkLines,
  makeUnitsWithoutRepeats,
  NamedTools,
  type MadeBenchmark,
  type NewTask,
  type TaskBenchmark,
  type TaskFormat,
} from '../task-format.ts';
import { columns, evaluationMethodOfChecks, parseVerseTasks, type PublishedTask, type ReadTasks } from './tasks.ts';

/** Maximum tools of a unit's chain, and servers that it names. */
const maxListed = 50;

/** Makes a benchmark of MCPVerse's tasks over the tools of a catalog. */
export async function makeVerseBenchmark({ tasks, unparsed }: ReadTasks, to: TaskBenchmark): Promise<MadeBenchmark> {
  const named = new NamedTools(to.tools);
  const servers = new Map(to.tools.map(({ server }) => [server, server]));
  const serversMissing: string[] = [];
  const possible = tasks.filter(({ id, servers: required }) => {
    const missing = required.filter((name) => !servers.has(toServerName(name)));
    if (missing.length > 0) serversMissing.push(`${id}: ${missing.join(', ')}`);
    return missing.length === 0;
  });
  const made = possible.map((task): NewTask =>
    makeTask(
      task,
      task.servers.flatMap((name) => servers.get(toServerName(name)) ?? []),
      named,
    ),
  );
  const { units, leftOut } = await makeUnitsWithoutRepeats(made);
  const withoutTruth = possible.filter(({ truth, checks }) => truth === undefined && checks === undefined);
  return {
    lines: makeTaskBenchmarkLines(units, mcpVerse.key, to),
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

function makeTask(task: PublishedTask, servers: readonly string[], named: NamedTools): NewTask {
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
        const own = name.includes('/') ? `${toServerName(serverOf(name))}/${nameOnServer(name)}` : name;
        return named.find(own, servers)?.name ?? [];
      })
      .slice(0, maxListed),
    servers: [...new Set(servers)].slice(0, maxListed),
    provenance: { collection: mcpVerse.title, task: id, category: level === undefined ? '' : `L${level}` },
  };
}

/** Returns a published server's name as one that a workspace can register: `Paper_Search` is `paper-search`. */
const toServerName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** Writes tasks as MCPVerse's authors publish them, with a column for checks beside theirs. */
export const publishedVerseTasksText = (units: readonly TaskUnit[]): string =>
  [columns, ...units.map(listCellsOfTask)].map(csvRecordText).join('');

const listCellsOfTask = ({
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
  evaluationMethodOfChecks(checks),
  timeSensitive === true ? 'Yes' : 'No',
  checks === undefined ? '' : JSON.stringify(checks),
];

export const mcpVerseFormat: TaskFormat = {
  key: mcpVerse.key,
  title: mcpVerse.title,
  file: "the tasks as their authors publish them: MCPVerse's CSV, with a column `checks` of ours or without",
  notes: [
    'Each task is a unit with one request. Its answer is what a judge compares the response with; with checks, their calls decide.',
    "Tools that people named and that the catalog has are the unit's chain, its servers are mounted in oracle mode; only the outcome counts.",
    'Servers are found by their names in lower case, with hyphens.',
    'A line that cannot be read is named and left out: it is neither a success nor a failure.',
  ],
  async read(text, to) {
    const tasks = parseVerseTasks(text);
    return tasks.ok ? ok(await makeVerseBenchmark(tasks.value, to)) : tasks;
  },
  write: publishedVerseTasksText,
};
