import { z } from 'zod';
import { traceLineSortKey, traceLine, type TraceLine } from '#core/leaderboards/submissions/trace-file.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';

const storedLine = z.object({ n: z.number(), place: z.string(), json: z.string() });
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

/** A line as it is stored, with its position. */
export type StoredLine = Readonly<z.infer<typeof storedLine>>;

export const placeOfLine = ({ number, line }: NumberedLine): LinePlace => ({ place: traceLineSortKey(line), number });

/** The lines of an uploaded trace file; docs/storage.md describes the table. */
export class SubmissionStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  addLine({ n, place, json }: StoredLine): void {
    this.#sql.exec('INSERT INTO lines (n, place, json) VALUES (?, ?, ?)', n, place, json);
  }

  count(): number {
    return parseRows(countRow, this.#sql.exec('SELECT COUNT(*) AS n FROM lines'))[0]?.n ?? 0;
  }

  /** Lines in the order of the file, after a number (0: from the first), until they are `chars` long; at least one, if there is any. */
  listLinesByNumber(after: number, chars: number): NumberedLine[] {
    const rows = this.#sql.exec('SELECT n, place, json FROM lines WHERE n > ? ORDER BY n', after);
    return takeUpToChars(rows, chars).map(parseStoredLine);
  }

  /** Lines by position, after one (null: from the first), likewise. */
  listLinesByPlace(after: LinePlace | null, chars: number): NumberedLine[] {
    return this.listStoredLines(after, chars).map(parseStoredLine);
  }

  /** The same, as they are stored. */
  listStoredLines(after: LinePlace | null, chars: number): StoredLine[] {
    const rows = this.#sql.exec(
      'SELECT n, place, json FROM lines WHERE (place, n) > (?, ?) ORDER BY place, n',
      after?.place ?? '',
      after?.number ?? 0,
    );
    return takeUpToChars(rows, chars);
  }

  deleteLines(): void {
    this.#sql.exec('DELETE FROM lines');
  }
}

function takeUpToChars(rows: Iterable<Record<string, SqlStorageValue>>, most: number): StoredLine[] {
  const taken: StoredLine[] = [];
  let chars = 0;
  for (const row of rows) {
    const line = storedLine.parse(row);
    taken.push(line);
    chars += line.json.length;
    if (chars >= most) break;
  }
  return taken;
}

const parseStoredLine = ({ n, json }: StoredLine): NumberedLine => ({
  number: n,
  line: traceLine.parse(JSON.parse(json)),
});
