import { escapeMarkdown, type MarkdownColumn } from '#core/evaluation/report/markdown.ts';
import type { Column } from '../command-line/table-lines.ts';

/** Returns the columns of a terminal's table for Markdown, with outside text escaped. */
export const toMarkdownColumns = <Row>(columns: readonly Column<Row>[]): MarkdownColumn<Row>[] =>
  columns.map(({ title, cell }) => ({
    title,
    of: (row) => {
      const value = cell(row);
      return typeof value === 'number' ? value : escapeMarkdown(value);
    },
  }));
