import { z } from 'zod';
import type { SingletonTable } from './singleton-table.ts';

/**
 * Number of processes in which a stage may start. A kill or deployment hits the same stage five times in a row only if
 * the stage itself ends its process.
 */
const mostBeginnings = 5;
/** Number of entries after which entries of ended stages are cleaned up. */
const entriesBeforePruning = 100;

const beginnings = z.array(z.object({ id: z.string(), revision: z.number(), times: z.number() }));

/** Why a stage is not started again. */
export const keepsEndingItsProcess = `it began in ${mostBeginnings} processes, and each ended before it did`;

/**
 * Counts in how many processes a stage has started without ending, so that one that kills its process is not started
 * forever.
 */
export class StageStarts {
  readonly #singletons: SingletonTable;
  readonly #revisionOf: (id: string) => number;
  /** Stages that started in this process; restarts here, after a failure or for another driver, do not count. */
  #here = new Map<string, number>();

  constructor(singletons: SingletonTable, revisionOf: (id: string) => number) {
    this.#singletons = singletons;
    this.#revisionOf = revisionOf;
  }

  /** Records that the current stage of a unit or case starts; false if it has started too often. */
  recordStartUnlessTooOften(id: string): boolean {
    const revision = this.#revisionOf(id);
    if (this.#here.get(id) === revision) return true;
    const known = this.#singletons.read('beginnings', beginnings) ?? [];
    const before = known.find((each) => each.id === id && each.revision === revision)?.times ?? 0;
    if (before >= mostBeginnings) return false;
    const open =
      known.length < entriesBeforePruning ? known : known.filter((each) => this.#isStartOfCurrentStage(each));
    const others = open.filter((each) => each.id !== id);
    this.#singletons.write('beginnings', [...others, { id, revision, times: before + 1 }]);
    if (open.length < known.length) {
      const ids = new Set(others.map((each) => each.id));
      this.#here = new Map([...this.#here].filter(([here]) => ids.has(here)));
    }
    this.#here.set(id, revision);
    return true;
  }

  #isStartOfCurrentStage({ id, revision }: z.infer<typeof beginnings>[number]): boolean {
    return this.#revisionOf(id) === revision;
  }
}
