import { combinations } from '#core/benchmarks/task-of-unit.ts';
import type { TaskUnit } from '#core/benchmarks/task-unit.ts';
import { serverOf, type Tool } from '#core/catalog/tool.ts';
import {
  makeTaskBenchmarkLines,
  makeUnitsWithoutRepeats,
  type MadeBenchmark,
  type NewTask,
  type TaskBenchmark,
  type TaskFormat,
} from '#core/formats/task-format.ts';
import { parseJsonWithinLimits } from '#core/parse-json.ts';
import { mcpBench } from '#core/protocols/mcp-bench.ts';
import { err, ok } from '#core/result.ts';
import { listLostValues } from '#core/similarity/entities.ts';
import { parsePublishedTasksOrNull, type PublishedTask, type ReadTasks } from './tasks.ts';

export const mcpBenchFormat: TaskFormat = {
  key: mcpBench.key,
  title: mcpBench.title,
  file: "the tasks as their authors publish them: one of MCP-Bench's mcpbench_tasks_*_runner_format.json",
  notes: [
    'Each task is a unit with its concrete and its fuzzy wording and with the dependencies that judges see.',
    'Its servers are found by their names, regardless of case, spaces and punctuation; a task whose servers the catalog lacks is left out.',
  ],
  async read(text, to) {
    const json = parseJsonWithinLimits(text);
    if (!json.ok) return err(json.problem);
    const published = parsePublishedTasksOrNull(json.value);
    if (published === null) return err('it has no list `server_tasks`');
    return ok(await makeMcpBenchmark(published, to));
  },
  write: publishedTasksText,
};

/** Makes a benchmark of published tasks over the tools of a catalog. Which tools a task needs, nobody says. */
async function makeMcpBenchmark({ tasks, unparsed }: ReadTasks, to: TaskBenchmark): Promise<MadeBenchmark> {
  const names = mapServerNamesByKey(to.tools);
  const kept: NewTask[] = [];
  const lacking: string[] = [];
  for (const task of tasks) {
    const servers = task.servers.map((name) => names.get(normalizeServerName(name)) ?? null);
    const found = servers.filter((name) => name !== null);
    if (found.length === servers.length) kept.push(makeTask(task, [...new Set(found)]));
    else lacking.push(`${task.id}: ${task.servers.filter((_, at) => servers[at] === null).join(', ')}`);
  }
  const { units, leftOut } = await makeUnitsWithoutRepeats(kept);
  return {
    lines: makeTaskBenchmarkLines(units, mcpBench.key, to),
    leftOut: [
      { key: 'unparsed', title: 'entries that cannot be parsed', names: unparsed },
      { key: 'serversMissing', title: 'tasks whose servers the catalog does not have', names: lacking },
      leftOut,
      {
        key: 'valuesLost',
        title: 'tasks whose fuzzy wording lacks values of the concrete one (kept)',
        names: units.flatMap(lostValueTexts),
      },
    ],
  };
}

const lostValueTexts = ({ request, fuzzy, provenance }: TaskUnit): string[] => {
  const lost = fuzzy === undefined ? [] : listLostValues(request, fuzzy);
  return lost.length === 0 ? [] : [`${provenance.task}: ${lost.join(', ')}`];
};

const makeTask = (
  { id, request, fuzzy, dependencies, category }: PublishedTask,
  servers: readonly string[],
): NewTask => ({
  kind: 'task',
  request,
  ...(fuzzy === '' ? {} : { fuzzy }),
  keyPoints: [],
  chain: [],
  ...(dependencies === '' ? {} : { dependencies }),
  servers: [...servers],
  provenance: { collection: mcpBench.title, task: id, category },
});

/** Returns what is the same in `Paper Search` and `paper-search`. */
const normalizeServerName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const mapServerNamesByKey = (tools: readonly Tool[]): ReadonlyMap<string, string> =>
  new Map(tools.map(({ server }) => [normalizeServerName(server), server]));

/** Writes tasks as their authors publish them, by servers. Distractors are drawn when a task is evaluated, so none are named. */
function publishedTasksText(units: readonly TaskUnit[]): string {
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

const serversOfTask = ({ chain, servers }: TaskUnit): string[] => [...new Set([...servers, ...chain.map(serverOf)])];
