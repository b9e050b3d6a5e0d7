import { z } from 'zod';
import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { mostTitleChars, type Overlay } from '#core/evaluation/overlay/overlay.ts';

/** Characters of what a model may write: Claude Code shows its model 2,048 of a description. */
const mostDescriptionChars = 2_000;
const mostArgumentChars = 500;
/** Characters of a schema that is copied into an overlay for the descriptions of its arguments: those of ten tools fit. */
const mostSchemaChars = 12_000;

/** What a model answers: new texts by the number of the tool. It has no place for names, types, or anything else. */
export const wordingAnswer = z.object({
  tools: z
    .array(
      z.object({
        n: z.int(),
        title: z.string().nullable(),
        description: z.string().nullable(),
        arguments: z.array(z.object({ name: z.string(), description: z.string() })).max(100),
      }),
    )
    .max(50),
});
export type WordingAnswer = Readonly<z.infer<typeof wordingAnswer>>;

export const leftOutReasons = [
  'unknown-tool',
  'repeated-tool',
  'unknown-argument',
  'too-long',
  'hidden-characters',
  'schema-too-large',
] as const;

/** A text of a model's answer that is not taken: of which tool and what part, and why. */
export const leftOutText = z.object({
  /** `server/tool`, or its number if there is no such tool. */
  tool: z.string(),
  /** `title`, `description`, or the name of an argument; null for the tool as a whole. */
  part: z.string().nullable(),
  reason: z.enum(leftOutReasons),
});
export type LeftOutText = Readonly<z.infer<typeof leftOutText>>;

type AskedTool = Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema'>;
type ToolChange = Overlay['tools'][string];

/** The changes of an overlay that a model proposes, and what it wrote that is no part of them. */
export interface ReadProposal {
  readonly tools: Overlay['tools'];
  readonly leftOut: readonly LeftOutText[];
}

/**
 * Takes from a model's answer what an overlay may say: texts for the tools that it was asked about, of bounded length, without
 * characters that nobody sees. Texts that stay as they are change nothing. Names, types and everything else of a schema stay the
 * servers' own.
 */
export function readWordingAnswer({ tools }: WordingAnswer, asked: readonly AskedTool[]): ReadProposal {
  const changes = new Map<string, ToolChange>();
  const leftOut: LeftOutText[] = [];
  const read = new Set<string>();
  for (const answered of tools) {
    const tool = asked[answered.n - 1];
    if (tool === undefined) leftOut.push({ tool: String(answered.n), part: null, reason: 'unknown-tool' });
    else if (read.has(tool.name)) leftOut.push({ tool: tool.name, part: null, reason: 'repeated-tool' });
    else {
      read.add(tool.name);
      const change = readChange(tool, answered, (part, reason) => leftOut.push({ tool: tool.name, part, reason }));
      if (Object.keys(change).length > 0) changes.set(tool.name, change);
    }
  }
  return { tools: Object.fromEntries(changes), leftOut };
}

type LeaveOut = (part: string, reason: LeftOutText['reason']) => void;

function readChange(
  { title, description, inputSchema }: AskedTool,
  answered: WordingAnswer['tools'][number],
  leaveOut: LeaveOut,
): ToolChange {
  const newTitle = readText(answered.title, title, mostTitleChars, (reason) => leaveOut('title', reason));
  const newDescription = readText(answered.description, description, mostDescriptionChars, (reason) =>
    leaveOut('description', reason),
  );
  const newSchema = readSchema(inputSchema, answered.arguments, leaveOut);
  return {
    ...(newTitle === null ? {} : { title: newTitle }),
    ...(newDescription === null ? {} : { description: newDescription }),
    ...(newSchema === null ? {} : { inputSchema: newSchema }),
  };
}

/** Characters that no reader sees, but for line breaks, tabs, and those by which scripts and emoji join letters. */
const hidden = /(?!\n|\t|\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}]/u;

/** Returns a text that differs from the present one; null if it is empty, the same, or left out. */
function readText(
  text: string | null,
  present: string | undefined,
  most: number,
  leaveOut: (reason: LeftOutText['reason']) => void,
): string | null {
  const trimmed = text?.replaceAll('\r\n', '\n').trim() ?? '';
  if (trimmed === '' || trimmed === present?.trim()) return null;
  const reason = trimmed.length > most ? 'too-long' : hidden.test(trimmed) ? 'hidden-characters' : null;
  if (reason !== null) leaveOut(reason);
  return reason === null ? trimmed : null;
}

/** Returns a tool's own schema with other descriptions of its arguments; null if none is another. */
function readSchema(
  schema: JsonObject,
  described: WordingAnswer['tools'][number]['arguments'],
  leaveOut: LeaveOut,
): Record<string, unknown> | null {
  const { properties } = schema;
  const changed = new Map<string, JsonObject>();
  for (const { name, description } of described) {
    const own = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isJsonObject(own)) {
      leaveOut(name.slice(0, 100), 'unknown-argument');
      continue;
    }
    const present = typeof own['description'] === 'string' ? own['description'] : undefined;
    const text = readText(description, present, mostArgumentChars, (reason) => leaveOut(name, reason));
    if (text !== null) changed.set(name, { ...own, description: text });
  }
  if (changed.size === 0 || !isJsonObject(properties)) return null;
  if (JSON.stringify(schema).length > mostSchemaChars) {
    for (const name of changed.keys()) leaveOut(name, 'schema-too-large');
    return null;
  }
  const entries = Object.entries(properties).map(([name, own]) => [name, changed.get(name) ?? own]);
  return { ...schema, properties: Object.fromEntries(entries) };
}
