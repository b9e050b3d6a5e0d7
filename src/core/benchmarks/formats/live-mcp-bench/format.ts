import { z } from 'zod';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { err, ok } from '#core/values/result.ts';
import {
  type MadeBenchmark,
  NamedTools,
  type TaskBenchmark,
  type TaskFormat,
  makeTaskBenchmarkLines,
  makeUnitsWithoutRepeats,
} from '../task-format.ts';
import { type PublishedTask, maxTasks, publishedTasks } from './tasks.ts';
import { type TaskUnit, maxKeyPoints } from '#core/units/task-unit.ts';
import { toolNameWithoutServer } from '#core/catalog/tool.ts';

/**
 * Makes a benchmark of LiveMCPBench's tasks over the tools of a catalog. The steps that people wrote down are the key
 * points; steps beyond the maximum join the last one. `answers` names what a person expects on the disk of the
 * original harness, so it is no truth here.
 */
export async function makeLiveMcpBenchmark(tasks: readonly PublishedTask[], to: TaskBenchmark): Promise<MadeBenchmark> {
  const named = new NamedTools(to.tools);
  const { units, leftOut } = await makeUnitsWithoutRepeats(
    tasks.map((task) => ({
      kind: 'task',
      request: task.request,
      keyPoints: joinTextsBeyondLimit(task.steps, maxKeyPoints),
      chain: task.tools.flatMap((wanted) => named.findToolOrNoteName(wanted)?.name ?? []),
      servers: [],
      provenance: { collection: to.collection, task: task.id, category: task.category },
    })),
  );
  return { lines: makeTaskBenchmarkLines(units, to), leftOut: [leftOut, ...named.leftOut] };
}

/** Maximum characters of a key point. */
const maxKeyPointChars = 1_000;

/** Returns at most `most` texts: the last one has all that are beyond it. */
function joinTextsBeyondLimit(texts: readonly string[], most: number): string[] {
  const kept = texts.length <= most ? texts : [...texts.slice(0, most - 1), texts.slice(most - 1).join(' ')];
  return kept.map((text) => text.slice(0, maxKeyPointChars));
}

/**
 * Writes tasks as LiveMCPBench's authors publish them: a JSON list with indented records. A tool is written without its server,
 * as people annotated it, unless two servers have one of that name in these tasks.
 */
export function publishedTasksText(units: readonly TaskUnit[]): string {
  const servers = Map.groupBy(new Set(units.flatMap(({ chain }) => chain)), toolNameWithoutServer);
  const toolName = (tool: string): string => {
    const bare = toolNameWithoutServer(tool);
    return (servers.get(bare) ?? []).length > 1 ? tool : bare;
  };
  const records = units.map(({ request, truth, keyPoints, chain, provenance: { task, category } }) => ({
    task_id: task,
    Question: request,
    answers: truth ?? '',
    category,
    file_name: '',
    'Annotator Metadata': {
      Steps: numberedLinesText(keyPoints),
      'Number of steps': String(keyPoints.length),
      Tools: numberedLinesText(chain.map(toolName)),
      'Number of tools': String(chain.length),
    },
  }));
  return `${JSON.stringify(records, null, 2)}\n`;
}

/** Writes items as `1. search\n2. fetch`, each in one line. */
const numberedLinesText = (items: readonly string[]): string =>
  items.map((item, at) => `${at + 1}. ${item.replaceAll(/\s*\n\s*/g, ' ').trim()}`).join('\n');

export const liveMcpBenchFormat: TaskFormat = {
  file: "the tasks as their authors publish them: LiveMCPBench's all_annotations.json",
  notes: [
    'Each task is a unit with one request. The steps that people wrote down are the key points by which a judge decides on success.',
    'An entry that cannot be parsed is named and left out: it is neither a success nor a failure.',
    "Tools that people named and that the catalog has are the unit's chain; another path can be a success too.",
  ],
  async read(text, to) {
    const json = parseJsonWithinLimits(text);
    if (!json.ok) return err(json.problem);
    const entries = z.array(z.unknown()).max(maxTasks).safeParse(json.value);
    if (!entries.success) return err(`it is no list of at most ${maxTasks} tasks`);
    const { tasks, unparsed } = parseTasksAndListUnparsed(entries.data);
    const { lines, leftOut } = await makeLiveMcpBenchmark(tasks, to);
    return ok({
      lines,
      leftOut: [{ key: 'unparsed', title: 'entries that cannot be parsed', names: unparsed }, ...leftOut],
    });
  },
  write: publishedTasksText,
};

/** Reads tasks one by one: one that is broken takes no other with it, and is named by its place and its id. */
function parseTasksAndListUnparsed(entries: readonly unknown[]): {
  readonly tasks: readonly PublishedTask[];
  readonly unparsed: readonly string[];
} {
  const tasks: PublishedTask[] = [];
  const unparsed: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const task = publishedTasks.element.safeParse(entry);
    if (task.success) tasks.push(task.data);
    else {
      const [issue] = task.error.issues;
      const { task_id: id } = named.parse(entry);
      unparsed.push(`${index}${id === '' ? '' : ` (${id})`}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
    }
  }
  return { tasks, unparsed };
}

const named = z.object({ task_id: z.string().max(100).catch('') }).catch({ task_id: '' });
