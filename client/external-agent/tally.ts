import { countWithNoun } from '../command-line/text.ts';
import type { Outcome } from './outcome.ts';

type Counts = Record<Outcome['kind'], number>;

/** Counts the outcomes of attempts. */
export class Tally {
  readonly #counts: Counts = {
    answered: 0,
    crashed: 0,
    'too-late': 0,
    over: 0,
    'not-started': 0,
    interrupted: 0,
  };

  #held = 0;

  add(outcome: Outcome): void {
    this.#counts[outcome.kind] += 1;
    if (outcome.kind === 'crashed' && outcome.held === true) this.#held += 1;
  }

  /** Crashed attempts that the service holds without a score. */
  get held(): number {
    return this.#held;
  }

  get counts(): Readonly<Counts> {
    return { ...this.#counts };
  }

  /** Formats the counts, without kinds that did not occur. */
  countsText(): string {
    const all = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    const parts = Object.entries(this.#counts).flatMap(([kind, count]) =>
      count === 0 ? [] : [`${count} ${kind.replace('-', ' ')}`],
    );
    return [countWithNoun(all, 'attempt'), ...parts].join(', ');
  }
}
