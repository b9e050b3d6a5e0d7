import { table, type Column } from './table.ts';

/** A stream that text goes to: stdout, stderr. */
export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
}

const columnsOfTerminal = 80;
const columnsWithoutTerminal = 160;

/** Returns how wide a line may be. Some terminals report 0 columns. */
export function columnsOf({ columns = 0, isTTY = false }: Sink): number {
  if (columns > 0) return columns;
  return isTTY ? columnsOfTerminal : columnsWithoutTerminal;
}

/** Where a verb says what it has to say: for a person, or one JSON value a line. */
export class Output {
  readonly isJson: boolean;
  readonly #out: Sink;
  readonly #notes: Sink;

  constructor(isJson: boolean, out: Sink, notes: Sink) {
    this.isJson = isJson;
    this.#out = out;
    this.#notes = notes;
  }

  /** One value: as JSON, or as the lines that say it to a person. */
  value(value: unknown, lines: () => readonly string[]): void {
    if (this.isJson) this.#out.write(`${JSON.stringify(value)}\n`);
    else for (const line of lines()) this.#out.write(`${line}\n`);
  }

  /** Values of a kind: a line of JSON each, or a table. `none` says that there are none. */
  async list<Row>(rows: AsyncIterable<Row>, columns: readonly Column<Row>[], none: string): Promise<void> {
    if (this.isJson) {
      for await (const row of rows) this.#out.write(`${JSON.stringify(row)}\n`);
      return;
    }
    const all = await Array.fromAsync(rows);
    if (all.length === 0) return this.note(none);
    for (const line of table(columns, all, this.columns)) this.#out.write(`${line}\n`);
  }

  /** How wide a line of the results may be. */
  get columns(): number {
    return columnsOf(this.#out);
  }

  /** Text that is the result itself, such as a file. */
  text(text: string): void {
    this.#out.write(text);
  }

  /** Something about what is going on; never mixed into the results. */
  note(line: string): void {
    this.#notes.write(`${line}\n`);
  }

  /** Where progress is drawn: beside the results in JSON mode, with them otherwise. */
  get progress(): Sink {
    return this.isJson ? this.#notes : this.#out;
  }
}
