/** A record of a CSV file with its CRLF (RFC 4180). */
export const csvRow = (cells: readonly (string | number | boolean)[]): string =>
  `${cells.map((cell) => quoted(String(cell))).join(',')}\r\n`;

const quoted = (cell: string): string => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * Text from outside as a cell. A spreadsheet takes what begins with an operator, full-width or not, for a formula and would run it; after
 * an apostrophe it is text. Where a spreadsheet parts cells by semicolons or tabs, a formula may begin behind one of them too. Numbers
 * of ours stay as they are.
 */
export const foreign = (text: string): string =>
  text.replaceAll(/^(?=[\t\r\n])|(?<=^|[,;\t\r\n])(?=[ \u00a0\u3000]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g, "'");
