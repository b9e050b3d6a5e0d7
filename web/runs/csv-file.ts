import { csvRowLine, csvTitlesLine } from '../../client/command-line/csv-lines.ts';
import type { Column } from '../../client/command-line/table-lines.ts';
import type { TextFile } from '../data/text-file.ts';

/** Returns all rows of a list as a CSV file, the same that the command line writes. */
export async function csvFileOfList<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row>,
): Promise<TextFile> {
  const lines = [csvTitlesLine(columns)];
  for await (const row of rows) lines.push(csvRowLine(columns, row));
  return { name, type: 'text/csv', text: lines.join('') };
}
