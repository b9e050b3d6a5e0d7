import { z } from 'zod';
import { traceLineSortKey, traceLine, type TraceLine } from '#core/leaderboards/submissions/trace-file.ts';
import { jsonColumnSchema, parseRows } from '#durable-objects/shared/rows.ts';

const lineRow = z.object({ n: z.number(), json: jsonColumnSchema(traceLine) });
const sizedRow = lineRow.extend({ chars: z.number() });
const placeRow = z.object({ n: z.number(), place: z.string() });
const countRow = z.object({ n: z.number() });

/** An attempt's line with its number in the file. */
export interface NumberedLine {
  readonly number: number;
  readonly line: TraceLine;
}

/** The position of a line in the order by unit, trial and side; an invalid file may have two lines at one position. */
export interface LinePlace {
  readonly place: string;
  readonly number: number;
}

export const placeOfLine = ({ number, line }: NumberedLine): LinePlace => ({ place: traceLineSortKey(line), number });

/** The lines of an uploaded trace file; docs/storage.md describes the table. */
export class SubmissionStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** `json` is the stored line. */
  addLine({ number, line }: NumberedLine, json = JSON.stringify(line)): void {
    const place = traceLineSortKey(line);
    this.#sql.exec('INSERT INTO lines (n, place, json) VALUES (?, ?, ?)', number, place, json);
  }

  count(): number {
    return parseRows(countRow, this.#sql.exec('SELECT COUNT(*) AS n FROM lines'))[0]?.n ?? 0;
  }

  /** The positions of all lines, by line number. */
  listLinePlaces(): { number: number; place: string }[] {
    const rows = parseRows(placeRow, this.#sql.exec('SELECT n, place FROM lines ORDER BY n'));
    return rows.map(({ n, place }) => ({ number: n, place }));
  }

  /** Every line with its number, in the order of the file. */
  *iterateLines(): Generator<NumberedLine> {
    for (const row of this.#sql.exec('SELECT n, json FROM lines ORDER BY n')) {
      const { n, json } = lineRow.parse(row);
      yield { number: n, line: json };
    }
  }

  /**
   * Lines by position, after one (null: from the first), until they are `chars` long; at least one, if there is any.
   */
  listLinesUpToChars(after: LinePlace | null, chars: number): NumberedLine[] {
    const found: NumberedLine[] = [];
    let taken = 0;
    const rows = this.#sql.exec(
      'SELECT n, json, length(json) AS chars FROM lines WHERE (place, n) > (?, ?) ORDER BY place, n',
      after?.place ?? '',
      after?.number ?? 0,
    );
    for (const row of rows) {
      const { n: number, json: line, chars: length } = sizedRow.parse(row);
      found.push({ number, line });
      taken += length;
      if (taken >= chars) break;
    }
    return found;
  }

  deleteLines(): void {
    this.#sql.exec('DELETE FROM lines');
  }
}
