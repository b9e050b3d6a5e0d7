import { cutToWidth } from '../command-line/text.ts';
import { outputLineWidth, type Sink } from '../command-line/output.ts';

/** Lines at the end of a terminal that are redrawn in place. */
export class LiveBlock {
  readonly #sink: Sink;
  #drawn = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Replaces the block with these lines. */
  draw(lines: readonly string[]): void {
    const width = outputLineWidth(this.#sink) - 1;
    // A line that wraps would take more rows than the cursor goes up.
    const shown = lines.map((line) => cutToWidth(line, width));
    this.#sink.write(`${this.#eraseSequence()}${shown.map((line) => `${line}\n`).join('')}`);
    this.#drawn = shown.length;
  }

  /** Erases the block and writes a permanent line; the next `draw` puts the block below it. */
  printPermanentLineAbove(line: string): void {
    this.#sink.write(`${this.#eraseSequence()}${line}\n`);
    this.#drawn = 0;
  }

  #eraseSequence(): string {
    return this.#drawn === 0 ? '' : `\u001B[${this.#drawn}A\r\u001B[J`;
  }
}
