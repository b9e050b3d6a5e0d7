/** A record of a CSV file with its CRLF (RFC 4180). */
export const csvRow = (cells: readonly (string | number | boolean)[]): string =>
  `${cells.map((cell) => quoted(String(cell))).join(',')}\r\n`;

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * Text from outside as a cell. A spreadsheet takes what begins with one of these characters for a formula and would run it; after an
 * apostrophe it is text. Numbers of ours stay as they are.
 */
export const foreign = (text: string): string => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text);
