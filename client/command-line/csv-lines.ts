import { csvRecordText, csvCellSafeFromFormulas } from '#core/values/csv.ts';
import type { Column } from './table-lines.ts';

/** Returns the titles of columns as the first line of a CSV file. */
export const csvTitlesLine = <Row>(columns: readonly Column<Row>[]): string =>
  csvRecordText(columns.map(({ title }) => title));

/** Returns a row as a line of a CSV file. No spreadsheet takes its texts for formulas. */
export const csvRowLine = <Row>(columns: readonly Column<Row>[], row: Row): string =>
  csvRecordText(
    columns.map(({ cell }) => {
      const value = cell(row);
      return typeof value === 'number' ? value : csvCellSafeFromFormulas(value);
    }),
  );
