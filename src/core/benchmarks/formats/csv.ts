import { err, ok, type Result } from '#core/values/result.ts';

/**
 * Reads CSV (RFC 4180) as records of cells by the names in its first line: cells may be quoted, with doubled quotes and
 * line breaks in them. A cell beyond the names is ignored, a missing one is empty. Returns what is wrong, with the line, if a
 * quote is never closed, or a name is missing. Takes a time in proportion to the text.
 */
export function parseCsvRecords(
  text: string,
  wanted: readonly string[],
): Result<{ readonly line: number; readonly cells: ReadonlyMap<string, string> }[], string> {
  const rows = parseCsvRows(text.replace(/^\uFEFF/, ''));
  if (!rows.ok) return rows;
  const [head, ...records] = rows.value;
  const names = head?.cells.map((name) => name.trim()) ?? [];
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0) return err(`its first line lacks ${missing.join(', ')}`);
  return ok(
    records.map(({ line, cells }) => ({
      line,
      cells: new Map(names.map((name, index) => [name, cells[index] ?? ''])),
    })),
  );
}

interface Row {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Splits CSV into its rows, without empty ones. */
function parseCsvRows(text: string): Result<Row[], string> {
  const rows: Row[] = [];
  let [line, cells] = [1, new Array<string>()];
  let begun = line;
  for (let at = 0; at < text.length || cells.length > 0;) {
    const cell = parseCsvCell(text, at, line);
    if (!cell.ok) return cell;
    cells.push(cell.value.content);
    const separator = text[cell.value.end] ?? '';
    at = cell.value.end + (text.startsWith('\r\n', cell.value.end) ? 2 : 1);
    line += cell.value.lineBreaks;
    if (separator === ',') continue;
    line += 1;
    if (cells.some((each) => each.trim() !== '')) rows.push({ line: begun, cells });
    [begun, cells] = [line, []];
  }
  return ok(rows);
}

/** A cell, the place of what ends it, and the line breaks in it. */
interface Cell {
  readonly content: string;
  readonly end: number;
  readonly lineBreaks: number;
}

/** Reads the cell that begins at a place, on a line; after a closing quote there may be text without quotes. */
function parseCsvCell(text: string, start: number, line: number): Result<Cell, string> {
  if (text[start] !== '"') {
    const end = findCellSeparator(text, start);
    return ok({ content: text.slice(start, end), end, lineBreaks: 0 });
  }
  const closing = findClosingQuote(text, start + 1);
  if (closing === null) return err(`the quoted cell that begins on line ${line} is never closed`);
  const quoted = text.slice(start + 1, closing);
  const end = findCellSeparator(text, closing + 1);
  const behind = text.slice(closing + 1, end);
  if (behind.includes('"')) return err(`the quoted cell that begins on line ${line} has a quote behind its end`);
  const lineBreaks = quoted.match(/\r\n|\n|\r/g)?.length ?? 0;
  return ok({ content: quoted.replaceAll('""', '"') + behind, end, lineBreaks });
}

function findCellSeparator(text: string, start: number): number {
  const separator = /[,\r\n]/g;
  separator.lastIndex = start;
  return separator.exec(text)?.index ?? text.length;
}

/** Returns the place of the quote that closes a cell, whose content begins at `start`; null without one. */
function findClosingQuote(text: string, start: number): number | null {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return null;
}
