import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';

/** Limits of an upload, in bytes. */
export const uploadBytes = 64 * 1024 * 1024;
export const lineBytes = 1024 * 1024;

export interface Line {
  /** From 1, or from the upload's first line in its file. */
  readonly number: number;
  readonly text: string;
}

/**
 * Returns the non-empty lines of an upload as they arrive; refuses if the upload or a line is too long or not UTF-8.
 */
export async function* readNonEmptyUploadedLines(
  body: ReadableStream<Uint8Array>,
  first = 1,
): AsyncGenerator<Result<Line>> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let rest = '';
  let bytes = 0;
  let number = first - 1;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > uploadBytes) return yield refuse('body-too-large', `an upload may have ${uploadBytes} bytes`);
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      return yield refuse('invalid-line', `the bytes after line ${number} are not UTF-8`);
    }
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      number += 1;
      if (isLineTooLong(line))
        return yield refuse('body-too-large', `line ${number}: a line may have ${lineBytes} bytes`);
      if (line.trim() !== '') yield ok({ number, text: line });
    }
    if (isLineTooLong(rest))
      return yield refuse('body-too-large', `line ${number + 1}: a line may have ${lineBytes} bytes`);
  }
  if (rest.trim() !== '') yield ok({ number: number + 1, text: rest });
}

/** A UTF-16 code unit has one to three bytes in UTF-8, so only lines in between must be measured. */
const isLineTooLong = (line: string): boolean =>
  line.length > lineBytes || (line.length * 3 > lineBytes && encoder.encode(line).byteLength > lineBytes);

const encoder = new TextEncoder();
