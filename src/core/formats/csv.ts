import { err, ok, type Result } from '#core/result.ts';

/**
 * Reads CSV (RFC 4180) as records of cells by the names in its first line: cells may be quoted, with doubled quotes and
 * line breaks in them. A cell beyond the names is ignored, a missing one is empty. Returns what is wrong if a quote is never
 * closed, or a name is missing.
 */
export function readCsv(
  text: string,
  wanted: readonly string[],
): Result<{ readonly line: number; readonly cells: ReadonlyMap<string, string> }[], string> {
  const rows = splitRows(text.replace(/^\uFEFF/, ''));
  if (rows === null) return err('a quoted cell is never closed');
  const [head, ...records] = rows;
  const names = head?.cells.map((name) => name.trim()) ?? [];
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0) return err(`its first line lacks ${missing.join(', ')}`);
  return ok(
    records.map(({ line, cells }) => ({
      line,
      cells: new Map(names.map((name, place) => [name, cells[place] ?? ''])),
    })),
  );
}

interface Row {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Splits CSV into its rows, without empty ones; null if a quoted cell is never closed. */
function splitRows(text: string): Row[] | null {
  const rows: Row[] = [];
  // A cell in quotes, or one without, and what ends it.
  const cell = /(?:"((?:[^"]|"")*)"([^",\r\n]*)|([^,\r\n]*))(,|\r\n|\n|\r|$)/y;
  let [line, cells] = [1, new Array<string>()];
  let begun = line;
  while (cell.lastIndex <= text.length) {
    if (cell.lastIndex === text.length && cells.length === 0) break;
    const found = cell.exec(text);
    if (found === null) return null;
    const [whole, quoted, behind = '', bare = '', end] = found;
    if (quoted === undefined && bare.startsWith('"')) return null;
    cells.push(quoted === undefined ? bare : quoted.replaceAll('""', '"') + behind);
    line += whole.split(/\r\n|\n|\r/).length - 1;
    if (end === ',') continue;
    if (cells.some((each) => each.trim() !== '')) rows.push({ line: begun, cells });
    [begun, cells] = [line, []];
    if (end === '') break;
  }
  return rows;
}
