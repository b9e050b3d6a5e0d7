/** Makes outside text safe in a line of Markdown: one line, with no meaning in Markdown or HTML. */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replaceAll(/[\\`*_{}[\]()<>#|~&!]/g, String.raw`\$&`)
    .trim();

/** A column of a table. Its texts are Markdown, so outside text must be escaped. */
export interface MarkdownColumn<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number;
}

/** Formats a table as lines; numbers are aligned to the right. */
export function markdownTableLines<Row>(columns: readonly MarkdownColumn<Row>[], rows: readonly Row[]): string[] {
  const cells = rows.map((row) => columns.map(({ of }) => of(row)));
  const rules = columns.map((_, at) =>
    cells.length > 0 && cells.every((row) => typeof row[at] === 'number') ? '---:' : '---',
  );
  return [columns.map(({ title }) => title), rules, ...cells].map((row) => `| ${row.join(' | ')} |`);
}

/** A part of a document under its heading. */
export const sectionLines = (title: string, ...lines: readonly string[]): string[] => [`## ${title}`, '', ...lines, ''];
