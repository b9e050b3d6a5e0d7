import { taskFormat, type BenchmarkLine } from '#core/benchmarks/benchmark.ts';
import { maxKeyPoints, taskUnitId, type TaskUnit } from '#core/benchmarks/task-unit.ts';
import { nameOnServer, type Tool } from '#core/catalog/tool.ts';
import { liveMcpBench } from '#core/protocols/live-mcp-bench.ts';
import type { PublishedTask } from './tasks.ts';

/** The tools of the benchmark to be, and its name. */
export interface TaskBenchmark {
  readonly name: string;
  /** The catalog's id and its tools. */
  readonly catalog: string;
  readonly tools: readonly Tool[];
}

/** A benchmark of published tasks, and what of them was left out. */
export interface MadeBenchmark {
  /** Its file: the header, the tools, the units. Empty if no task is left. */
  readonly lines: readonly BenchmarkLine[];
  /** Tasks that are in the file twice. */
  readonly repeated: readonly string[];
  /** Annotated tools that the catalog does not have, or has on several servers, each once. They are in no unit's chain. */
  readonly unknownTools: readonly string[];
  readonly ambiguousTools: readonly string[];
}

/**
 * Makes a benchmark of LiveMCPBench's tasks over the tools of a catalog. The steps that people wrote down are the key
 * points; steps beyond the maximum join the last one. `answers` names what a person expects on the disk of the
 * original harness, so it is no truth here.
 */
export async function makeTaskBenchmark(
  tasks: readonly PublishedTask[],
  { name, catalog, tools }: TaskBenchmark,
): Promise<MadeBenchmark> {
  const found = Map.groupBy(tools, (tool) => nameOnServer(tool.name));
  const units = new Map<string, TaskUnit>();
  const repeated: string[] = [];
  for (const task of tasks) {
    const content = {
      kind: 'task' as const,
      request: task.request,
      keyPoints: joinBeyond(task.steps, maxKeyPoints),
      chain: task.tools.flatMap((wanted) => {
        const [only, ...others] = found.get(wanted) ?? [];
        return only === undefined || others.length > 0 ? [] : [only.name];
      }),
      servers: [],
    };
    const id = await taskUnitId(content);
    if (units.has(id)) repeated.push(task.id);
    else
      units.set(id, {
        ...content,
        id,
        split: 'public',
        provenance: { collection: 'LiveMCPBench', task: task.id, category: task.category },
      });
  }
  const annotated = [...new Set(tasks.flatMap((task) => task.tools))];
  const header: BenchmarkLine = {
    type: 'benchmark',
    format: taskFormat,
    protocol: liveMcpBench.key,
    name,
    split: 'all',
    catalog,
    explorations: [],
    seed: 1,
    privateShare: 0,
    offline: false,
    tools: tools.length,
    units: units.size,
  };
  const lines: BenchmarkLine[] = [
    header,
    ...tools.map((tool) => ({ type: 'tool' as const, tool })),
    ...Array.from(units.values(), (unit) => ({ type: 'unit' as const, unit })),
  ];
  return {
    lines: units.size === 0 ? [] : lines,
    repeated,
    unknownTools: annotated.filter((wanted) => !found.has(wanted)),
    ambiguousTools: annotated.filter((wanted) => (found.get(wanted) ?? []).length > 1),
  };
}

/** Maximum characters of a key point. */
const maxKeyPointChars = 1_000;

/** Returns at most `most` texts: the last one has all that are beyond it. */
function joinBeyond(texts: readonly string[], most: number): string[] {
  const kept = texts.length <= most ? texts : [...texts.slice(0, most - 1), texts.slice(most - 1).join(' ')];
  return kept.map((text) => text.slice(0, maxKeyPointChars));
}
