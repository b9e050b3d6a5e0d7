import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';
import { firstCharacters } from '#core/values/excerpt.ts';

/** Characters of a text that is embedded: the time that it takes grows with a text's length, and a description may be endless. */
export const embeddedChars = 2_000;

/** What is embedded of a server (`server`) or a tool (`server/tool`). */
export interface RetrievalText {
  readonly name: string;
  readonly text: string;
}

/** The fields of a tool that say what it does. */
type DescribedTool = Pick<Tool, 'name' | 'description'>;

/** Returns what is embedded of a tool: its name on its server, and its description. */
export const makeRetrievalTextOfTool = ({ name, description = '' }: DescribedTool): RetrievalText => ({
  name,
  text: firstCharacters(joinNameAndTextIfAny(toolNameWithoutServer(name), description), embeddedChars),
});

/**
 * Returns what is embedded of a server: its name and its description or, where it has none, the names of its tools and the
 * first sentences of their descriptions.
 */
export const makeRetrievalTextOfServer = (
  server: string,
  description: string | undefined,
  tools: readonly DescribedTool[],
): RetrievalText => ({
  name: server,
  text: firstCharacters(joinNameAndTextIfAny(server, description?.trim() || describeByTools(tools)), embeddedChars),
});

/** Describes a server by its tools: their names and the first sentences of their descriptions, each as long as all fit. */
function describeByTools(tools: readonly DescribedTool[]): string {
  const chars = Math.floor(embeddedChars / Math.max(1, tools.length));
  return tools
    .map(({ name, description = '' }) =>
      firstCharacters(joinNameAndTextIfAny(toolNameWithoutServer(name), firstSentence(description)), chars),
    )
    .join('; ');
}

const firstSentence = (text: string): string => /^[\s\S]*?[.!?\u3002](?=\s|$)|^[^\n]*/u.exec(text.trim())?.[0] ?? '';

const joinNameAndTextIfAny = (name: string, text: string): string =>
  text.trim() === '' ? name : `${name}: ${text.trim()}`;
