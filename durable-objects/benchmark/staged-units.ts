import { z } from 'zod';
import { benchmarkUnit, type AcceptedUnit } from '#core/benchmarks/benchmark.ts';

const stagedUnit = benchmarkUnit.omit({ split: true });
type StagedUnit = z.infer<typeof stagedUnit>;
const textRow = z.object({ text: z.string() });

/** The units of a benchmark that is being frozen, in storage because all together may exceed the memory. */
export class StagedUnits {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Stores units; if an id occurs twice, the later one stays. */
  add(units: readonly AcceptedUnit['unit'][]): void {
    for (const unit of units)
      this.#sql.exec('INSERT OR REPLACE INTO staged (unit, text) VALUES (?, ?)', unit.id, JSON.stringify(unit));
  }

  /** Returns a unit and the number of its stored characters. */
  read(id: string): { readonly unit: StagedUnit; readonly chars: number } {
    const { text } = textRow.parse(this.#sql.exec('SELECT text FROM staged WHERE unit = ?', id).one());
    return { unit: stagedUnit.parse(JSON.parse(text)), chars: text.length };
  }

  clear(): void {
    this.#sql.exec('DELETE FROM staged');
  }
}
