import { z } from 'zod';
import type { CountedSql } from '#durable-objects/shared/counted-sql.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';

const spreadRow = z.object({ unit: z.string(), spread: z.number() });
const drawnRow = spreadRow.extend({
  batch: z.int(),
  probability: z.number(),
  leastProbability: z.number(),
  isDone: z.union([z.literal(0), z.literal(1)]).transform(Boolean),
});
const holdsRow = z.object({ holds: z.int() });

/** A unit that can be drawn. */
export type DrawableUnit = z.infer<typeof spreadRow>;
/** A unit that was drawn; `isDone` once every agent that it was drawn for has finished it. */
export type StoredDraw = z.infer<typeof drawnRow>;

/** The units that an evaluation draws, and those that it has drawn. */
export class DrawsTable {
  readonly #sql: CountedSql;

  constructor(sql: CountedSql) {
    this.#sql = sql;
  }

  /** Adds a unit that can be drawn; repeating it changes nothing. */
  storeSpread(unit: string, spread: number): void {
    this.#sql.write('INSERT OR IGNORE INTO draws (unit, spread) VALUES (?, ?)', unit, spread);
  }

  /** By id. */
  listUndrawn(): DrawableUnit[] {
    return parseRows(
      spreadRow,
      this.#sql.readUncounted('SELECT unit, spread FROM draws WHERE batch IS NULL ORDER BY unit'),
    );
  }

  /** In the order in which they were drawn. */
  listDrawn(): StoredDraw[] {
    const rows = this.#sql.readUncounted(
      `SELECT unit, spread, batch, probability, least AS leastProbability, NOT EXISTS (
         SELECT 1 FROM cases WHERE cases.unit = draws.unit AND cases.waits NOT IN ('nobody', 'undrawn')) AS isDone
       FROM draws WHERE batch IS NOT NULL ORDER BY place`,
    );
    return parseRows(drawnRow, rows);
  }

  /** Returns whether somebody works on a drawn unit, or has to. */
  isWorkUnderWay(): boolean {
    const some = ['lane', 'taken', 'client', 'claimed', 'crashed'].map(
      (worker) => `EXISTS (SELECT 1 FROM cases WHERE waits = '${worker}')`,
    );
    return parseRows(holdsRow, this.#sql.readUncounted(`SELECT ${some.join(' OR ')} AS holds`))[0]?.holds === 1;
  }

  /** Notes that units were drawn, after those drawn before. */
  storeDrawn(batch: number, place: number, drawn: readonly Omit<StoredDraw, 'batch' | 'isDone' | 'spread'>[]): void {
    for (const [index, { unit, probability, leastProbability }] of drawn.entries())
      this.#sql.write(
        'UPDATE draws SET batch = ?, place = ?, probability = ?, least = ? WHERE unit = ?',
        batch,
        place + index,
        probability,
        leastProbability,
        unit,
      );
  }

  /** Gives an agent's cases of drawn units to who works on them. */
  giveCasesToWorker(units: readonly string[], agent: string, worker: 'lane' | 'client'): void {
    this.#sql.write(
      "UPDATE cases SET waits = ? WHERE agent = ? AND waits = 'undrawn' AND unit IN (SELECT value FROM json_each(?))",
      worker,
      agent,
      JSON.stringify(units),
    );
  }
}
