import { parseJsonWithinLimits } from '#core/parse-json.ts';
import { err, ok } from '#core/result.ts';
import { liveMcpBench } from '#core/protocols/live-mcp-bench.ts';
import type { TaskFormat } from '../task-format.ts';
import { makeLiveMcpBenchmark } from './make-benchmark.ts';
import { publishedTasks } from './tasks.ts';
import { publishedTasksText } from './write-tasks.ts';

export const liveMcpBenchFormat: TaskFormat = {
  key: liveMcpBench.key,
  title: liveMcpBench.title,
  file: "the tasks as their authors publish them: LiveMCPBench's all_annotations.json",
  notes: [
    'Each task is a unit with one request. The steps that people wrote down are the key points by which a judge decides on success.',
    "Tools that people named and that the catalog has are the unit's chain; another path can be a success too.",
  ],
  async read(text, to) {
    const json = parseJsonWithinLimits(text);
    if (!json.ok) return err(json.problem);
    const tasks = publishedTasks.safeParse(json.value);
    if (tasks.success) return ok(await makeLiveMcpBenchmark(tasks.data, to));
    const [issue] = tasks.error.issues;
    return err(`wrong at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  },
  write: publishedTasksText,
};
