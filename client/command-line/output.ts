import { listLines, type Column } from './table-lines.ts';

/** A stream for text: stdout or stderr. */
export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
}

const columnsOfTerminal = 80;
const columnsWithoutTerminal = 160;

/** Returns how wide a line may be. Some terminals report 0 columns. */
export function outputLineWidth({ columns = 0, isTTY = false }: Sink): number {
  if (columns > 0) return columns;
  return isTTY ? columnsOfTerminal : columnsWithoutTerminal;
}

/** Where a verb writes its results: for a person, or as one JSON value per line. */
export class Output {
  readonly isJson: boolean;
  readonly #out: Sink;
  readonly #notes: Sink;

  constructor(isJson: boolean, out: Sink, notes: Sink) {
    this.isJson = isJson;
    this.#out = out;
    this.#notes = notes;
  }

  /** Writes one value: as JSON, or as lines for a person. */
  writeAsJsonOrLines(value: unknown, lines: () => readonly string[]): void {
    if (this.isJson) this.#out.write(`${JSON.stringify(value)}\n`);
    else for (const line of lines()) this.#out.write(`${line}\n`);
  }

  /** Writes values of one kind: one line of JSON each, or a table. `none` is shown if there are none. */
  async writeRowsAsJsonOrTable<Row>(
    rows: AsyncIterable<Row> | Iterable<Row>,
    columns: readonly Column<Row>[],
    none: string,
  ): Promise<void> {
    if (this.isJson) {
      for await (const row of rows) this.#out.write(`${JSON.stringify(row)}\n`);
      return;
    }
    const all = await Array.fromAsync(rows);
    if (all.length === 0) return this.writeNote(none);
    // Nobody's screen is narrow if programs or files read it.
    const { isTTY = false, columns: width = 0 } = this.#out;
    const room = isTTY || width > 0 ? this.lineWidth : Number.POSITIVE_INFINITY;
    for (const line of listLines(columns, all, room)) this.#out.write(`${line}\n`);
  }

  /** Maximum width of a line of the results. */
  get lineWidth(): number {
    return outputLineWidth(this.#out);
  }

  /** Writes text that is itself the result, such as a file. */
  writeText(text: string): void {
    this.#out.write(text);
  }

  /** Writes a note about progress, which is never mixed into the results. */
  writeNote(line: string): void {
    this.#notes.write(`${line}\n`);
  }

  /** Where progress is drawn: separate from the results in JSON mode, with them otherwise. */
  get outSinkOrNotesInJsonMode(): Sink {
    return this.isJson ? this.#notes : this.#out;
  }
}
