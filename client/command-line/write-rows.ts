import { csvRowLine, csvTitlesLine } from './csv-lines.ts';
import { flagOption } from './options.ts';
import type { Output } from './output.ts';
import type { Column } from './table-lines.ts';

/** For lists that people plot. */
export const csvOption = flagOption('csv', 'CSV with all columns, for other programs');

/** How a list is shown: to a person as a table, to programs as CSV; both with the rows as JSON in JSON mode. */
export interface RowView<Row> {
  readonly table: readonly Column<Row>[];
  readonly csv: readonly Column<Row>[];
  /** Shown if there are no rows. */
  readonly none: string;
}

/** Writes rows as a table, as JSON Lines, or as CSV. */
export async function writeRowsAsTableJsonOrCsv<Row>(
  output: Output,
  rows: AsyncIterable<Row> | Iterable<Row>,
  { table, csv, none }: RowView<Row>,
  isCsv: boolean,
): Promise<void> {
  if (!isCsv || output.isJson) return output.writeRowsAsJsonOrTable(rows, table, none);
  output.writeText(csvTitlesLine(csv));
  for await (const row of rows) output.writeText(csvRowLine(csv, row));
}
