import { cut, padEnd, padStart, plain, widthOf } from './text.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number;
  /** Shrinks when the table is too wide. */
  readonly flexible?: true;
}

const gap = '  ';
const narrowest = 12;

/**
 * Formats a table as lines: numbers to the right, everything else to the left. No line is wider than `columns`, if some
 * column can shrink.
 */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): string[] {
  const cells = columns.map(({ of }) => rows.map((row) => of(row)));
  const texts = cells.map((column) =>
    column.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : plain(cell))),
  );
  const widths = columns.map(({ title }, place) => widest([title, ...(texts[place] ?? [])]));
  const limits = limited(columns, widths, width - gap.length * (columns.length - 1));
  const isNumeric = cells.map((column) => column.length > 0 && column.every((cell) => typeof cell === 'number'));
  const line = (parts: readonly string[]): string =>
    parts
      .map((part, place) => {
        const shown = cut(part, limits[place] ?? 0);
        return isNumeric[place] === true ? padStart(shown, limits[place] ?? 0) : padEnd(shown, limits[place] ?? 0);
      })
      .join(gap)
      .trimEnd();
  return [
    line(columns.map(({ title }) => title)),
    ...rows.map((_, row) => line(texts.map((column) => column[row] ?? ''))),
  ];
}

const widest = (texts: readonly string[]): number => texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);

/** Returns the column widths after the widest flexible ones have shrunk until all fit, or none can shrink further. */
function limited<Row>(columns: readonly Column<Row>[], widths: readonly number[], room: number): number[] {
  const under = (cap: number): number[] =>
    widths.map((own, place) => (columns[place]?.flexible === true ? Math.min(own, cap) : own));
  let cap = Math.max(narrowest, ...widths);
  while (cap > narrowest && under(cap).reduce((sum, each) => sum + each, 0) > room) cap -= 1;
  return under(cap);
}
