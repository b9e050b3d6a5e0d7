import { z } from 'zod';
import type { ExpectedRequest } from '#core/similarity/near-duplicates.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';
import { unsplitUnit, type UnsplitUnit } from '#core/benchmarks/benchmark.ts';

const requestRow = z.object({ text: z.string(), tools: jsonColumnSchema(z.array(z.string())) });
const textRow = z.object({ text: z.string() });

/** The units of a benchmark that is being frozen, in storage because all together may exceed the memory. */
export class StagedUnits {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Stores units; if an id occurs twice, the later one stays. */
  add(units: readonly UnsplitUnit[]): void {
    for (const unit of units)
      this.#sql.exec('INSERT OR REPLACE INTO staged (unit, text) VALUES (?, ?)', unit.id, JSON.stringify(unit));
  }

  /** Returns a unit and the number of its stored characters. */
  readUnitAndTextLength(id: string): { readonly unit: UnsplitUnit; readonly chars: number } {
    const { text } = textRow.parse(this.#sql.exec('SELECT text FROM staged WHERE unit = ?', id).one());
    return { unit: unsplitUnit.parse(JSON.parse(text)), chars: text.length };
  }

  /** Returns the request of a unit, a pair's source, and the tools that it expects; for a negative one the tool that it looks like. */
  readRequestAndChain(id: string): ExpectedRequest {
    const [row] = parseRows(
      requestRow,
      this.#sql.exec(
        `SELECT COALESCE(json_extract(text, '$.request'), json_extract(text, '$.source')) AS text,
           CASE WHEN json_extract(text, '$.looksLike') IS NULL THEN json_extract(text, '$.chain')
             ELSE json_array(json_extract(text, '$.looksLike')) END AS tools
           FROM staged WHERE unit = ?`,
        id,
      ),
    );
    if (row === undefined) throw new Error(`unit ${id} is not staged`);
    return row;
  }

  clear(): void {
    this.#sql.exec('DELETE FROM staged');
  }
}
