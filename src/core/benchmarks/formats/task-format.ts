import type { BenchmarkLine } from '../benchmark.ts';
import { taskFormat } from '../file-formats.ts';
import { computeTaskUnitId, type TaskUnit } from '#core/units/task-unit.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';
import type { ProtocolKey } from '../protocols/protocols.ts';
import type { Result } from '#core/values/result.ts';

/** What the benchmark to be has besides its tasks. */
export interface TaskBenchmark {
  readonly name: string;
  /** After which it is evaluated where nobody chooses. */
  readonly protocol: ProtocolKey;
  /** Where its tasks come from, for people. */
  readonly collection: string;
  /** The catalog's id and its tools. */
  readonly catalog: string;
  readonly tools: readonly Tool[];
}

/** Things in a published file that the benchmark lacks. */
export interface LeftOut {
  /** Its name in JSON. */
  readonly key: string;
  /** What it is, for a person. */
  readonly title: string;
  /** One name for each, with the reason where reasons differ. */
  readonly names: readonly string[];
}

/** A benchmark of published tasks, and what of them was left out. */
export interface MadeBenchmark {
  /** Its file: the header, the tools, the units. Empty if no task is left. */
  readonly lines: readonly BenchmarkLine[];
  readonly leftOut: readonly LeftOut[];
}

/** How a published collection writes its tasks. */
export interface TaskFormat {
  /** Which file is read, for a person. */
  readonly file: string;
  /** What becomes of a task, for a person: one sentence each. */
  readonly notes: readonly string[];
  /** Reads a file and makes a benchmark of its tasks, or says what is wrong with the file. */
  readonly read: (text: string, to: TaskBenchmark) => Promise<Result<MadeBenchmark, string>>;
  /** Writes the tasks of a benchmark as such a file; null if the collection's format is only read. */
  readonly write: ((units: readonly TaskUnit[]) => string) | null;
}

/** A task without its id. */
export type NewTask = Omit<TaskUnit, 'id' | 'split'>;

/** Gives tasks their ids, all of them public. Of those that ask and expect the same, the first is kept, and the others are named. */
export async function makeUnitsWithoutRepeats(
  tasks: readonly NewTask[],
): Promise<{ readonly units: readonly TaskUnit[]; readonly leftOut: LeftOut }> {
  const units = new Map<string, TaskUnit>();
  const repeated: string[] = [];
  for (const task of tasks) {
    const id = await computeTaskUnitId(task);
    if (units.has(id)) repeated.push(task.provenance.task);
    else units.set(id, { ...task, id, split: 'public' });
  }
  return {
    units: [...units.values()],
    leftOut: { key: 'repeated', title: 'tasks that are in the file twice', names: repeated },
  };
}

/** Returns the lines of a benchmark of tasks: the header, the tools, the units; none without units. */
export function makeTaskBenchmarkLines(
  units: readonly TaskUnit[],
  { name, protocol, catalog, tools }: TaskBenchmark,
): BenchmarkLine[] {
  if (units.length === 0) return [];
  const header: BenchmarkLine = {
    type: 'benchmark',
    format: taskFormat,
    protocol,
    name,
    split: 'all',
    catalog,
    explorations: [],
    seed: 1,
    privateShare: 0,
    offline: false,
    tools: tools.length,
    units: units.length,
  };
  return [
    header,
    ...tools.map((tool) => ({ type: 'tool' as const, tool })),
    ...units.map((unit) => ({ type: 'unit' as const, unit })),
  ];
}

/** Finds the tools of a catalog by the names that people wrote down, with or without their server. */
export class NamedTools {
  readonly #byName = new Map<string, Tool[]>();
  readonly #unknown = new Set<string>();
  readonly #ambiguous = new Set<string>();

  constructor(tools: readonly Tool[]) {
    for (const tool of tools)
      for (const key of [toolNameWithoutServer(tool.name), tool.name])
        this.#byName.set(key, [...(this.#byName.get(key) ?? []), tool]);
  }

  /**
   * Returns the one tool with a name, on one of these servers if there are several; undefined, and the name is noted, if
   * there is none, or none of several is meant.
   */
  findToolOrNoteName(name: string, servers: readonly string[] = []): Tool | undefined {
    const found = this.#byName.get(name) ?? [];
    const near = found.length > 1 ? found.filter(({ server }) => servers.includes(server)) : found;
    if (found.length === 0) this.#unknown.add(name);
    else if (near.length !== 1) this.#ambiguous.add(name);
    return near.length === 1 ? near[0] : undefined;
  }

  /** Names that the catalog lacks, and names on several servers, each once. They are in no unit's chain. */
  get leftOut(): LeftOut[] {
    return [
      { key: 'unknownTools', title: 'annotated tools that the catalog does not have', names: [...this.#unknown] },
      { key: 'ambiguousTools', title: 'annotated tools that several servers have', names: [...this.#ambiguous] },
    ];
  }
}
