import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A column of a long table. */
export interface LongColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Share of the width that it takes, in parts of that of all columns. */
  readonly width: number;
  readonly isNumber?: true;
}

/** Pixels; what does not fit into a row is cut, so that the place of each is known without drawing it. */
const rowHeight = 36;
const shownHeight = 540;
/** Rows that are drawn above and below the visible ones. */
const spareRows = 10;

/** How wide a table is at least, and each part of its width, in rem; it scrolls where there is less. */
const [narrowest, remOfPart] = [40, 2.6];

interface LongTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly LongColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** A table of any number of rows, of which only those near the visible ones are drawn. */
export function LongTable<Row>({ caption, columns, rows, keyOf }: LongTableProps<Row>) {
  const [top, setTop] = useState(0);
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), rows.length - 1) - spareRows);
  const count = Math.ceil(shownHeight / rowHeight) + 2 * spareRows;
  const minWidth = `${Math.max(narrowest, remOfPart * columns.reduce((sum, { width }) => sum + width, 0))}rem`;
  const template = columns.map(({ width }) => `minmax(0, ${width}fr)`).join(' ');
  return (
    <div
      class="long-table"
      role="table"
      aria-label={caption}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      style={{ maxHeight: `${shownHeight}px` }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div role="rowgroup" class="head">
        <div role="row" aria-rowindex={1} style={{ gridTemplateColumns: template, minWidth }}>
          {columns.map(({ title, isNumber }) => (
            <span key={title} role="columnheader" class={isNumber && 'number'}>
              {title}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="body" style={{ height: `${rows.length * rowHeight}px`, minWidth }}>
        {rows.slice(first, first + count).map((row, index) => (
          <div
            key={keyOf(row)}
            role="row"
            aria-rowindex={first + index + 2}
            style={{ gridTemplateColumns: template, top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {columns.map(({ title, cell, isNumber }) => (
              <span key={title} role="cell" class={isNumber && 'number'}>
                {cell(row)}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
