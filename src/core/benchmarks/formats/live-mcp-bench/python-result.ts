/** What the original harness wrote of the result of a call. */
export type WrittenResult =
  /** An answer of the tool, or its beginning: the harness cuts after 10,000 characters. Null if the cut took whether it is an error. */
  | { readonly kind: 'answer'; readonly text: string; readonly isCut: boolean; readonly isError: boolean | null }
  /** No answer in time. */
  | { readonly kind: 'timeout' }
  /** The harness could not make the call; the text says why. */
  | { readonly kind: 'not-made'; readonly text: string };

const textContent = 'TextContent(';

/**
 * Reads a result of a call as LiveMCPBench's harness writes it: Python's text of an MCP result, as in `meta=None
 * content=[TextContent(type='text', text='...')] isError=False`, or a sentence of its own. Null for any other form. Content that is no
 * text is left out. Takes a time in proportion to the text.
 */
export function parsePythonResult(written: string): WrittenResult | null {
  if (written === 'Tool call timed out.') return { kind: 'timeout' };
  if (written.startsWith('Error: ')) return { kind: 'not-made', text: written };
  const head = /^meta=\S+ content=\[/.exec(written);
  if (head === null) return null;
  const texts: string[] = [];
  let at = head[0].length;
  for (;;) {
    const begin = written.indexOf(textContent, at);
    const marker = begin < 0 ? -1 : written.indexOf('text=', begin);
    if (marker < 0) break;
    const read = parsePythonString(written, marker + 'text='.length);
    if (read === null) return null;
    texts.push(read.text);
    if (read.isCut) return { kind: 'answer', text: texts.join('\n'), isCut: true, isError: null };
    at = read.end;
  }
  const ending = /\] (?:structuredContent=.{0,2000} )?isError=(True|False)$/s.exec(written.slice(at).slice(-2_100));
  const isError = ending === null ? null : ending[1] === 'True';
  return { kind: 'answer', text: texts.join('\n'), isCut: ending === null, isError };
}

/** A text that a Python literal stands for, and the place behind it. */
interface PythonText {
  readonly text: string;
  readonly end: number;
  /** Whether its closing quote is missing. */
  readonly isCut: boolean;
}

/** Reads the Python literal at a place; null if there is none. */
function parsePythonString(written: string, start: number): PythonText | null {
  const quote = written[start];
  if (quote !== "'" && quote !== '"') return null;
  const pieces: string[] = [];
  let at = start + 1;
  for (;;) {
    const next = findQuoteOrBackslash(written, quote, at);
    pieces.push(written.slice(at, next));
    if (next >= written.length) return { text: pieces.join(''), end: next, isCut: true };
    if (written[next] === quote) return { text: pieces.join(''), end: next + 1, isCut: false };
    const escape = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/y;
    escape.lastIndex = next;
    const found = escape.exec(written);
    if (found === null) return { text: pieces.join(''), end: written.length, isCut: true };
    const [whole, byte, short, long, letter = ''] = found;
    const code = byte ?? short ?? long;
    // An escape that the harness cut in two is read as a letter, and dropped.
    if (code === undefined && /^[xuU]$/.test(letter))
      return { text: pieces.join(''), end: written.length, isCut: true };
    pieces.push(code === undefined ? (escapes.get(letter) ?? `\\${letter}`) : characterOfHexCode(code));
    at = next + whole.length;
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
]);

/** Returns the place of the next quote or backslash; the end without one. */
function findQuoteOrBackslash(text: string, quote: string, start: number): number {
  const next = quote === "'" ? /['\\]/g : /["\\]/g;
  next.lastIndex = start;
  return next.exec(text)?.index ?? text.length;
}

function characterOfHexCode(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\uFFFD';
}
