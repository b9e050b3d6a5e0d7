import { z } from 'zod';
import { parseRows } from '#durable-objects/shared/rows.ts';

const givenRow = z.object({ submission: z.string() });
/** Keeps the JSON of the ids below the size of a value of the database. */
const unitsAtOnce = 10_000;

/** The private units that a workspace was given, on any leaderboard, each with the submission that it was given for. */
export class PrivateUnitsTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns another submission for which the workspace was given one of these units; null if there is none. */
  findOtherSubmissionGivenUnits(units: readonly string[], submission: string): string | null {
    for (const part of splitIntoQuerySizes(units)) {
      const rows = this.#sql.exec(
        'SELECT submission FROM private_units WHERE unit IN (SELECT value FROM json_each(?)) AND submission <> ? LIMIT 1',
        JSON.stringify(part),
        submission,
      );
      const [found] = parseRows(givenRow, rows);
      if (found !== undefined) return found.submission;
    }
    return null;
  }

  /** Adds units that no other submission was given. Inside a transaction; repeating it changes nothing. */
  add(units: readonly string[], submission: string): void {
    for (const part of splitIntoQuerySizes(units))
      this.#sql.exec(
        'INSERT OR IGNORE INTO private_units (unit, submission) SELECT value, ? FROM json_each(?)',
        submission,
        JSON.stringify(part),
      );
  }
}

const splitIntoQuerySizes = (units: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(units.length / unitsAtOnce) }, (_, n) =>
    units.slice(n * unitsAtOnce, (n + 1) * unitsAtOnce),
  );
