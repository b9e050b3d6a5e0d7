/** A part of a file, cut at the ends of lines. */
export interface LinePart {
  readonly blob: Blob;
  /** The number of its first line in the file, from 1. */
  readonly line: number;
}

const lineFeed = 0x0a;

/**
 * Splits a file into parts of a number of lines, or fewer if they exceed a number of bytes. Reads the file once and
 * keeps nothing of it.
 */
export async function* splitFileIntoLineParts(
  file: Blob,
  most: { readonly lines: number; readonly bytes: number },
): AsyncGenerator<LinePart, void, undefined> {
  let [from, line] = [0, 1];
  let [at, lines] = [0, 0];
  for await (const chunk of file.stream()) {
    for (let found = chunk.indexOf(lineFeed); found >= 0; found = chunk.indexOf(lineFeed, found + 1)) {
      lines += 1;
      const end = at + found + 1;
      if (lines < most.lines && end - from < most.bytes) continue;
      yield { blob: file.slice(from, end), line };
      [from, line, lines] = [end, line + lines, 0];
    }
    at += chunk.length;
  }
  if (from < at) yield { blob: file.slice(from), line };
}
