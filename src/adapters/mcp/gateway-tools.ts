import { schemaWithoutHeaderKeywords } from '#core/catalog/param-headers.ts';
import type { Tool } from '#core/catalog/tool.ts';

const pageTools = 200;

interface ListedTools {
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly nextCursor?: string;
}

/** Returns a page of tools/list; undefined for an unknown cursor. Everything except the names is the servers' own, and no argument is wanted in a header: the gateway writes those itself. */
export function toolsPageIfCursorValid(
  tools: readonly Tool[],
  names: ReadonlyMap<string, string>,
  cursor: string | undefined,
): ListedTools | undefined {
  const from = cursor === undefined ? 0 : parseCursorOrUndefined(cursor, tools.length);
  if (from === undefined) return undefined;
  const end = from + pageTools;
  const page = tools.slice(from, end).map((tool) => makeListedTool(tool, names.get(tool.name) ?? tool.name));
  return end < tools.length ? { tools: page, nextCursor: String(end) } : { tools: page };
}

/** A cursor is the index of a page's first tool. */
function parseCursorOrUndefined(cursor: string, count: number): number | undefined {
  const place = /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN;
  return place > 0 && place < count && place % pageTools === 0 ? place : undefined;
}

const makeListedTool = (tool: Tool, name: string): Readonly<Record<string, unknown>> => {
  const { title, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    title,
    description,
    inputSchema: schemaWithoutHeaderKeywords(inputSchema),
    outputSchema,
    annotations,
  };
};
