import { z } from 'zod';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { err, ok } from '#core/values/result.ts';
import type { TaskFormat } from '../task-format.ts';
import { makeLiveMcpBenchmark } from './make-benchmark.ts';
import { maxTasks, publishedTasks, type PublishedTask } from './tasks.ts';
import { publishedTasksText } from './write-tasks.ts';

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
  for (const [place, entry] of entries.entries()) {
    const task = publishedTasks.element.safeParse(entry);
    if (task.success) tasks.push(task.data);
    else {
      const [issue] = task.error.issues;
      const { task_id: id } = named.parse(entry);
      unparsed.push(`${place}${id === '' ? '' : ` (${id})`}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
    }
  }
  return { tasks, unparsed };
}

const named = z.object({ task_id: z.string().max(100).catch('') }).catch({ task_id: '' });
