import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import type { GiveWay } from './upload-pace.ts';

/** Limits of an upload, in bytes. */
export const uploadBytes = 64 * 1024 * 1024;
export const lineBytes = 1024 * 1024;

/** What makes a piece full; its last line may be longer. Handling one takes some 10 ms. */
export const linesPerPiece = 100;
export const bytesPerPiece = 128 * 1024;

export interface Line {
  /** From 1, or from the upload's first line in its file. */
  readonly number: number;
  readonly text: string;
}

const newline = 0x0a;

/**
 * Returns the non-empty lines of an upload in pieces as they arrive, and gives way before each; refuses if the upload or
 * a line is too long or not UTF-8.
 */
export async function* readUploadInPieces(
  body: ReadableStream<Uint8Array>,
  giveWay: GiveWay,
  first = 1,
): AsyncGenerator<Result<readonly Line[]>> {
  const decoder = new LineDecoder(first);
  const splitter = new PieceSplitter();
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > uploadBytes) return yield refuse('body-too-large', `an upload may have ${uploadBytes} bytes`);
    splitter.add(chunk);
    for (let piece = splitter.next(); piece !== null; piece = splitter.next()) {
      if (piece === 'line-too-long')
        return yield refuse('body-too-large', `line ${decoder.next}: a line may have ${lineBytes} bytes`);
      await giveWay({ lines: piece.lines, bytes: piece.bytes.byteLength });
      const lines = decoder.decode(piece.bytes);
      yield lines;
      if (!lines.ok) return;
    }
  }
  const last = decoder.decode(splitter.rest, 'end');
  await giveWay({ lines: last.ok ? last.value.length : 0, bytes: splitter.rest.byteLength });
  yield last;
}

/** Splits bytes into pieces of whole lines, looking at each byte once. */
class PieceSplitter {
  #bytes = new Uint8Array();
  /** Where the last line that is not complete begins, and until where there is no end of it. */
  #line = 0;
  #searched = 0;
  /** Complete lines that are not empty. */
  #lines = 0;

  add(chunk: Uint8Array): void {
    this.#bytes = concatBytes(this.#bytes, chunk);
  }

  /** What is no full piece yet: whole lines, and the beginning of one. */
  get rest(): Uint8Array {
    return this.#bytes;
  }

  /** Returns the next full piece, and how many lines of it are not empty; null if there is none yet. */
  next(): { readonly bytes: Uint8Array; readonly lines: number } | 'line-too-long' | null {
    for (;;) {
      const end = this.#findEndOfLine();
      if ((end === -1 ? this.#bytes.byteLength : end) - this.#line > lineBytes)
        return this.#line === 0 ? 'line-too-long' : this.#takeWholeLines();
      if (end === -1) {
        this.#searched = this.#bytes.byteLength;
        return null;
      }
      if (end > this.#line) this.#lines += 1;
      this.#line = end + 1;
      this.#searched = end + 1;
      if (this.#lines === linesPerPiece || this.#line >= bytesPerPiece) return this.#takeWholeLines();
    }
  }

  /** Empty lines are passed over one by one; looking each of them up would take a hundred times as long. */
  #findEndOfLine(): number {
    const at = this.#searched;
    return this.#bytes[at] === newline ? at : this.#bytes.indexOf(newline, at);
  }

  #takeWholeLines(): { readonly bytes: Uint8Array; readonly lines: number } {
    const piece = { bytes: this.#bytes.subarray(0, this.#line), lines: this.#lines };
    this.#bytes = this.#bytes.subarray(this.#line);
    this.#line = 0;
    this.#searched = 0;
    this.#lines = 0;
    return piece;
  }
}

/** Decodes pieces of whole lines, and counts their lines. */
class LineDecoder {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  /** The number of the next line. */
  get next(): number {
    return this.#next;
  }

  /** Returns the lines of a piece that are not empty. At the end of all the last line may lack its newline. */
  decode(bytes: Uint8Array, place: 'within' | 'end' = 'within'): Result<readonly Line[]> {
    let text: string;
    try {
      text = this.#utf8.decode(bytes, { stream: place === 'within' });
    } catch {
      return refuse('invalid-line', `the bytes after line ${this.#next - 1} are not UTF-8`);
    }
    const texts = text.split('\n');
    if (place === 'within') texts.pop();
    const lines: Line[] = [];
    for (const [n, line] of texts.entries()) if (line.trim() !== '') lines.push({ number: this.#next + n, text: line });
    this.#next += texts.length;
    return ok(lines);
  }
}

function concatBytes(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.byteLength + other.byteLength);
  both.set(one);
  both.set(other, one.byteLength);
  return both;
}
