import { maxKeyPoints } from '#core/units/task-unit.ts';
import {
  makeTaskBenchmarkLines,
  makeUnitsWithoutRepeats,
  NamedTools,
  type MadeBenchmark,
  type TaskBenchmark,
} from '../task-format.ts';
import type { PublishedTask } from './tasks.ts';

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
