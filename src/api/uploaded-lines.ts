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
  let bytes = 0;
  let rest = new Uint8Array();
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > uploadBytes) return yield refuse('body-too-large', `an upload may have ${uploadBytes} bytes`);
    rest = concatBytes(rest, chunk);
    let from = 0;
    for (let end = findEndOfPiece(rest, from); end !== null; end = findEndOfPiece(rest, from)) {
      if (end === 'line-too-long')
        return yield refuse('body-too-large', `line ${decoder.next}: a line may have ${lineBytes} bytes`);
      const piece = rest.subarray(from, end.at);
      await giveWay({ lines: end.lines, bytes: piece.byteLength });
      const lines = decoder.decode(piece);
      yield lines;
      if (!lines.ok) return;
      from = end.at;
    }
    rest = rest.slice(from);
  }
  const last = decoder.decode(rest, 'end');
  await giveWay({ lines: last.ok ? last.value.length : 0, bytes: rest.byteLength });
  yield last;
}

/** Returns where the next piece ends, and how many lines of it are not empty; null if there is no full one yet. */
function findEndOfPiece(
  bytes: Uint8Array,
  from: number,
): { readonly at: number; readonly lines: number } | 'line-too-long' | null {
  let lines = 0;
  for (let start = from; ;) {
    // Empty lines are passed over one by one; looking each of them up would take a hundred times as long.
    const end = bytes[start] === newline ? start : bytes.indexOf(newline, start);
    if ((end === -1 ? bytes.byteLength : end) - start > lineBytes)
      return start === from ? 'line-too-long' : { at: start, lines };
    if (end === -1) return null;
    if (end > start) lines += 1;
    start = end + 1;
    if (lines === linesPerPiece || start - from >= bytesPerPiece) return { at: start, lines };
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
