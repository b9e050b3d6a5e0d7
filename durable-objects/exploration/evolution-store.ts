import { z } from 'zod';
import type { IdempotencyKey } from '#core/access/idempotency.ts';
import type { KeptUnit } from '#core/exploration/evolution/kept-units.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const strings = jsonColumnSchema(z.array(z.string()));
const keptRow = z.object({ unit: z.string(), chain: strings, domains: strings, uses: z.number() });
const keyedRow = z.object({ number: z.number(), fingerprint: z.string() });
const numberRow = z.object({ number: z.number() });

/**
 * What the evolutions of one exploration share: their numbers and the kept units. docs/storage.md describes the tables.
 */
export class EvolutionStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  listEvolutionNumbers(): number[] {
    return parseRows(numberRow, this.#sql.exec('SELECT number FROM evolutions ORDER BY number')).map(
      ({ number }) => number,
    );
  }

  add(number: number, key: IdempotencyKey | null): void {
    this.#sql.exec(
      'INSERT INTO evolutions (number, key, fingerprint) VALUES (?, ?, ?)',
      number,
      key?.key ?? null,
      key?.fingerprint ?? null,
    );
  }

  /** Returns the evolution that a call with this key created, and the fingerprint of that call. */
  findByKey(key: string): { number: number; fingerprint: string } | null {
    const rows = this.#sql.exec('SELECT number, fingerprint FROM evolutions WHERE key = ?', key);
    return parseRows(keyedRow, rows)[0] ?? null;
  }

  listKeptUnits(): KeptUnit[] {
    return parseRows(keptRow, this.#sql.exec('SELECT unit, chain, domains, uses FROM kept ORDER BY unit'));
  }

  writeKeptUnit({ unit, chain, domains, uses }: KeptUnit): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO kept (unit, chain, domains, uses) VALUES (?, ?, ?, ?)',
      unit,
      JSON.stringify(chain),
      JSON.stringify(domains),
      uses,
    );
  }

  removeKeptUnit(unit: string): void {
    this.#sql.exec('DELETE FROM kept WHERE unit = ?', unit);
  }
}
