import { parseJsonWithinLimits } from '#core/parse-json.ts';
import { err, ok } from '#core/result.ts';
import type { TaskFormat } from '../task-format.ts';
import { makeTaskBenchmark } from './make-benchmark.ts';
import { publishedTasks } from './tasks.ts';
import { writePublishedTasks } from './write-tasks.ts';

export const liveMcpBenchFormat: TaskFormat = {
  file: "the tasks as their authors publish them: LiveMCPBench's all_annotations.json",
  notes: [
    'Each task is a unit with one request. The steps that people wrote down are the key points by which a judge decides on success.',
    "Tools that people named and that the catalog has are the unit's chain; another path can be a success too.",
  ],
  async read(text, to) {
    const json = parseJsonWithinLimits(text);
    if (!json.ok) return err(json.problem);
    const tasks = publishedTasks.safeParse(json.value);
    if (tasks.success) return ok(await makeTaskBenchmark(tasks.data, to));
    const [issue] = tasks.error.issues;
    return err(`wrong at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  },
  write: writePublishedTasks,
};
