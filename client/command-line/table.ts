import { cut, padEnd, padStart, plain, widthOf } from './text.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number;
  /** Gives way when the table is too wide; one column may. */
  readonly flexible?: true;
}

const gap = '  ';
const narrowest = 12;

/** A table as lines: numbers to the right, everything else to the left, no line wider than `columns` where a column can give way. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): string[] {
  const cells = columns.map(({ of }) => rows.map((row) => of(row)));
  const texts = cells.map((column) =>
    column.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : plain(cell))),
  );
  const widths = columns.map(({ title }, place) => Math.max(widthOf(title), ...(texts[place] ?? []).map(widthOf)));
  const total = widths.reduce((sum, each) => sum + each, 0) + gap.length * (columns.length - 1);
  const limits = columns.map(({ flexible }, place) => {
    const own = widths[place] ?? 0;
    return flexible === true && total > width ? Math.max(narrowest, own - (total - width)) : own;
  });
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
