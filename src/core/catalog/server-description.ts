import { z } from 'zod';
import { firstCharacters } from '#core/values/excerpt.ts';

/** Characters of a server's description and of its instructions, at most: they are embedded, and read by people. */
export const serverTextChars = 2_000;
const nameChars = 200;

/** Who wrote the description of a server: its owner, the server itself (its instructions), or a model from its tools. */
export const descriptionSource = z.enum(['owner', 'server', 'model']);

/** What a server is for, in words. It comes from outside. */
export const serverDescription = z.object({
  text: z.string().min(1).max(serverTextChars),
  source: descriptionSource,
});
export type ServerDescription = Readonly<z.infer<typeof serverDescription>>;

/** What a server calls itself: MCP's `serverInfo`, cut to 200 characters a field. */
export const serverInfo = z.object({
  name: z.string().max(nameChars),
  title: z.string().max(nameChars).optional(),
  version: z.string().max(nameChars).optional(),
});
export type ServerInfo = Readonly<z.infer<typeof serverInfo>>;

/** A tool that a server lists and that nobody can be offered, and why. */
export const leftOutTool = z.object({ tool: z.string(), problem: z.string() });
export type LeftOutTool = Readonly<z.infer<typeof leftOutTool>>;

/** What a server said about itself when it was listed. */
export interface ServerSelfDescription {
  readonly info: ServerInfo | null;
  /** The version of MCP that it speaks with us; null if it is only described. */
  readonly protocolVersion: string | null;
  /** MCP's `instructions`; null without any. */
  readonly instructions: string | null;
}

/** Returns a server's words about itself, each cut to its limit; what is missing or of another type is left out. */
export function pickSelfDescription(
  info: unknown,
  instructions: unknown,
): Omit<ServerSelfDescription, 'protocolVersion'> {
  const fields = z.record(z.string(), z.unknown()).catch({}).parse(info);
  const [name, title, version] = [
    trimAndCutTextOrNull(fields['name'], nameChars),
    trimAndCutTextOrNull(fields['title'], nameChars),
    trimAndCutTextOrNull(fields['version'], nameChars),
  ];
  return {
    info:
      name === null ? null : { name, ...(title === null ? {} : { title }), ...(version === null ? {} : { version }) },
    instructions: trimAndCutTextOrNull(instructions, serverTextChars),
  };
}

/** What is known when a server's description is chosen. */
export interface KnownDescriptions {
  /** What the owner says now; empty withdraws what they said before, undefined says nothing. */
  readonly owned: string | undefined;
  /** The description before this listing. */
  readonly kept: ServerDescription | null;
  readonly instructions: string | null;
  /** Whether the tools are those of the listing before. */
  readonly isSameListing: boolean;
}

/**
 * Returns the description of a server: its owner's, else its instructions, else what a model wrote about the same tools.
 * Null if there is none, and a model has to be asked.
 */
export function chooseServerDescriptionOrNull({
  owned,
  kept,
  instructions,
  isSameListing,
}: KnownDescriptions): ServerDescription | null {
  const stated = trimAndCutTextOrNull(owned, serverTextChars);
  if (stated !== null) return { text: stated, source: 'owner' };
  if (owned === undefined && kept?.source === 'owner') return kept;
  if (instructions !== null) return { text: instructions, source: 'server' };
  return kept?.source === 'model' && isSameListing ? kept : null;
}

/** Returns what a model wrote as the description of a server; null if it wrote nothing. */
export function makeModelWrittenDescriptionOrNull(text: string | null): ServerDescription | null {
  const written = trimAndCutTextOrNull(text, serverTextChars);
  return written === null ? null : { text: written, source: 'model' };
}

function trimAndCutTextOrNull(text: unknown, chars: number): string | null {
  const trimmed = typeof text === 'string' ? firstCharacters(text.trim(), chars).trim() : '';
  return trimmed === '' ? null : trimmed;
}
