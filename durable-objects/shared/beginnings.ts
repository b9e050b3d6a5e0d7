import { z } from 'zod';
import type { Facts } from './facts.ts';

/**
 * Processes in which a stage may begin. A stage is in flight at a kill or a deployment by chance, and hardly ever the same one five
 * times in a row; one that ends its process does so every time.
 */
const mostBeginnings = 5;
/** Entries that are kept before those of stages that have ended since are looked for. */
const entriesBeforePruning = 100;

const beginnings = z.array(z.object({ id: z.string(), revision: z.number(), times: z.number() }));

/** Why a stage is not begun again. */
export const endsItsProcess = `it began in ${mostBeginnings} processes, and each ended before it did`;

/** Counts in how many processes a stage has begun without an end, so that one that ends its process is not begun for ever. */
export class Beginnings {
  readonly #facts: Facts;
  readonly #revisionOf: (id: string) => number;
  /** What has begun in this process: beginning again here, after a failure or for another driver, does not count. */
  #here = new Map<string, number>();

  constructor(facts: Facts, revisionOf: (id: string) => number) {
    this.#facts = facts;
    this.#revisionOf = revisionOf;
  }

  /** Notes that the present stage of a unit or case begins; false where it has begun too often. */
  mayBegin(id: string): boolean {
    const revision = this.#revisionOf(id);
    if (this.#here.get(id) === revision) return true;
    const known = this.#facts.read('beginnings', beginnings) ?? [];
    const before = known.find((each) => each.id === id && each.revision === revision)?.times ?? 0;
    if (before >= mostBeginnings) return false;
    const open = known.length < entriesBeforePruning ? known : known.filter((each) => this.#isOpen(each));
    const others = open.filter((each) => each.id !== id);
    this.#facts.write('beginnings', [...others, { id, revision, times: before + 1 }]);
    if (open.length < known.length) {
      const ids = new Set(others.map((each) => each.id));
      this.#here = new Map([...this.#here].filter(([here]) => ids.has(here)));
    }
    this.#here.set(id, revision);
    return true;
  }

  #isOpen({ id, revision }: z.infer<typeof beginnings>[number]): boolean {
    return this.#revisionOf(id) === revision;
  }
}
