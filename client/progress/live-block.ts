import { cut } from '../command-line/text.ts';
import { columnsOf, type Sink } from '../command-line/output.ts';

/** Lines at the end of a terminal that are drawn again in their place. */
export class LiveBlock {
  readonly #sink: Sink;
  #drawn = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Puts these lines where the block was. */
  draw(lines: readonly string[]): void {
    const width = columnsOf(this.#sink) - 1;
    // A line that wraps would take more rows than are gone up again.
    const shown = lines.map((line) => cut(line, width));
    this.#sink.write(`${this.#home()}${shown.map((line) => `${line}\n`).join('')}`);
    this.#drawn = shown.length;
  }

  /** Writes a line that stays, above the block, which has to be drawn again. */
  print(line: string): void {
    this.#sink.write(`${this.#home()}${line}\n`);
    this.#drawn = 0;
  }

  #home(): string {
    return this.#drawn === 0 ? '' : `\u001B[${this.#drawn}A\r\u001B[J`;
  }
}
