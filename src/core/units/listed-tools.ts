import { z } from 'zod';
import { cutDescription } from '#core/catalog/shown-description.ts';
import type { Tool } from '#core/catalog/tool.ts';

/** A tool of a whole catalog as a prompt lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  /** The names of its arguments at the top level. */
  readonly arguments: readonly string[];
}

/** Characters of all descriptions in a prompt together, about 20,000 tokens. */
const maxDescriptionChars = 80_000;
/** What is left of a description in a large catalog, regardless of how many tools it has. */
const leastDescriptionChars = 100;

const objectSchema = z.object({ properties: z.record(z.string(), z.unknown()) });

/** Returns tools as a prompt lists them that shows a whole catalog: of long descriptions as much as fits if all tools get the same. */
export function listToolsForPrompt(tools: readonly Tool[]): ListedTool[] {
  const share = Math.max(leastDescriptionChars, Math.floor(maxDescriptionChars / Math.max(1, tools.length)));
  return tools.map(({ name, title, description = title ?? '', inputSchema }) => ({
    name,
    description: cutDescription(description, share),
    arguments: Object.keys(objectSchema.safeParse(inputSchema).data?.properties ?? {}),
  }));
}
