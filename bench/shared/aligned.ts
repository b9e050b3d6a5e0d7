import { padEndToWidth, padStartToWidth } from '../../client/command-line/text.ts';

/** Formats a table's rows as lines with aligned columns: the first ones to the left, the others to the right. */
export function alignColumns(rows: readonly (readonly string[])[], left = 1): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => (column < left ? padEndToWidth : padStartToWidth)(cell, widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}
