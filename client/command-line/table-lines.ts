import { cutToWidth, padEndToWidth, padStartToWidth, makePrintableLine, widthOf } from './text.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | number;
  /** Shrinks when the table is too wide. */
  readonly flexible?: true;
}

const gap = '  ';
const narrowest = 12;

/**
 * Formats a table as lines: numbers to the right, everything else to the left. Flexible columns shrink, to 12 columns
 * at least, until the lines fit into `width`; if that is not enough, lines are wider.
 */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): string[] {
  const cells = columns.map(({ cell }) => rows.map((row) => cell(row)));
  const texts = cells.map((column) =>
    column.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : makePrintableLine(cell))),
  );
  const widths = columns.map(({ title }, index) => maxWidthOf([title, ...(texts[index] ?? [])]));
  const limits = shrunkColumnWidths(columns, widths, width - gap.length * (columns.length - 1));
  const isNumeric = cells.map((column) => column.length > 0 && column.every((cell) => typeof cell === 'number'));
  const rowText = (parts: readonly string[]): string =>
    parts
      .map((part, index) => {
        const shown = cutToWidth(part, limits[index] ?? 0);
        return isNumeric[index] === true
          ? padStartToWidth(shown, limits[index] ?? 0)
          : padEndToWidth(shown, limits[index] ?? 0);
      })
      .join(gap)
      .trimEnd();
  return [
    rowText(columns.map(({ title }) => title)),
    ...rows.map((_, row) => rowText(texts.map((column) => column[row] ?? ''))),
  ];
}

/** Below this, a table that does not fit is shown row by row, since nobody can read lines that wrap in the middle of a column. */
const narrowestTable = 60;

/** Formats a list: as a table, or on a narrow terminal that it does not fit as the cells of each row below each other. */
export function listLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): string[] {
  const table = tableLines(columns, rows, width);
  if (width >= narrowestTable || table.every((line) => widthOf(line) <= width)) return table;
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...columns.flatMap(({ title, cell }) => {
      const value = cell(row);
      const text = typeof value === 'number' ? value.toLocaleString('en-US') : makePrintableLine(value);
      return text === '' ? [] : [`${title}: ${text}`];
    }),
  ]);
}

const maxWidthOf = (texts: readonly string[]): number => texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);

/** Returns the column widths after the widest flexible ones have shrunk until all fit, or none can shrink further. */
function shrunkColumnWidths<Row>(columns: readonly Column<Row>[], widths: readonly number[], room: number): number[] {
  const cappedAt = (cap: number): number[] =>
    widths.map((own, index) => (columns[index]?.flexible === true ? Math.min(own, cap) : own));
  let cap = Math.max(narrowest, ...widths);
  while (cap > narrowest && cappedAt(cap).reduce((sum, each) => sum + each, 0) > room) cap -= 1;
  return cappedAt(cap);
}
