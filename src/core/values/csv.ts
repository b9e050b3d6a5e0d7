/** Returns a record of a CSV file with its CRLF (RFC 4180). */
export const csvRecordText = (cells: readonly (string | number | boolean)[]): string =>
  `${cells.map((cell) => quoteCsvCellIfNeeded(String(cell))).join(',')}\r\n`;

const quoteCsvCellIfNeeded = (cell: string): string =>
  /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/**
 * Returns outside text as a cell. A spreadsheet would run a text that begins with an operator, even a full-width one,
 * as a formula; an apostrophe in front prevents that. In spreadsheets that split cells at semicolons or tabs, a formula
 * may also begin after one of them. Our own numbers are unchanged.
 */
export const csvCellSafeFromFormulas = (text: string): string =>
  text.replaceAll(/^(?=[\t\r\n])|(?<=^|[,;\t\r\n])(?=[ \u00a0\u3000]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g, "'");
