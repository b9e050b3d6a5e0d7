import { z } from 'zod';
import { usage, type Usage } from '#core/models/usage.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const usageJson = jsonColumnSchema(usage);
const reviewedRow = z.object({ unit: z.string(), driver: z.number(), counted: usageJson });
const waitRow = z.object({ since: z.string() });

/** A unit whose decision is being carried out. */
export interface ReviewedUnit {
  readonly unit: string;
  /** The number of the workflow instance that may do it. */
  readonly driver: number;
  /** How much of the unit's usage its run has counted already. */
  readonly counted: Usage;
}

/**
 * The units whose decisions are being carried out, and those whose round waits for one. docs/storage.md describes the
 * tables.
 */
export class ReviewedUnits {
  readonly #sql: SqlStorage;
  #units: Map<string, ReviewedUnit> | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get all(): readonly ReviewedUnit[] {
    return [...this.#readAllCached().values()];
  }

  get(unit: string): ReviewedUnit | null {
    return this.#readAllCached().get(unit) ?? null;
  }

  has(unit: string): boolean {
    return this.#readAllCached().has(unit);
  }

  write(reviewed: ReviewedUnit): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO reviewed (unit, driver, counted) VALUES (?, ?, ?)',
      reviewed.unit,
      reviewed.driver,
      JSON.stringify(reviewed.counted),
    );
    this.#readAllCached().set(reviewed.unit, reviewed);
  }

  remove(unit: string): void {
    this.#sql.exec('DELETE FROM reviewed WHERE unit = ?', unit);
    this.#readAllCached().delete(unit);
  }

  /** Returns since when a round has waited for the decision on a unit, and starts the wait if necessary. */
  getOrStoreWaitStart(unit: string, now: string): string {
    this.#sql.exec('INSERT OR IGNORE INTO waits (unit, since) VALUES (?, ?)', unit, now);
    return this.findWaitStart(unit) ?? now;
  }

  /** Returns since when a round has waited for the decision on a unit; null if it has not. */
  findWaitStart(unit: string): string | null {
    return parseRows(waitRow, this.#sql.exec('SELECT since FROM waits WHERE unit = ?', unit))[0]?.since ?? null;
  }

  #readAllCached(): Map<string, ReviewedUnit> {
    this.#units ??= new Map(
      parseRows(reviewedRow, this.#sql.exec('SELECT unit, driver, counted FROM reviewed')).map((row) => [
        row.unit,
        row,
      ]),
    );
    return this.#units;
  }
}
