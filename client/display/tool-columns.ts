import { effectOfTool } from '#core/catalog/effect.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { Column } from '../command-line/table-lines.ts';

/** The columns of a list of tools. */
export const toolColumns: readonly Column<Tool>[] = [
  { title: 'tool', cell: ({ name }) => name },
  { title: 'effect', cell: (tool) => effectOfTool(tool) },
  { title: 'category', cell: ({ category }) => category },
  { title: 'description', cell: ({ description }) => description ?? '', flexible: true },
];
