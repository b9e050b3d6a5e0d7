import { z } from 'zod';
import { toolNameWithoutServer, type Tool } from './tool.ts';

/** Characters of a tool's description that models get, about 2,000 tokens in each request that offers it. */
export const shownDescriptionChars = 8_000;

const cutMark = ' [cut]';

/** Returns at most `longest` characters of a description; one that was cut says so at its end. */
export const cutDescription = (text: string, longest = shownDescriptionChars): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, Math.max(0, longest - cutMark.length)).toWellFormed()}${cutMark}`.slice(0, longest);

/** A tool whose description is longer than what models get of it. */
export const longDescription = z.object({ tool: z.string(), chars: z.int() });

/** Returns the tools whose descriptions are cut for models, by the names that their server gives them. */
export const listToolsWithLongDescriptions = (tools: readonly Tool[]): z.infer<typeof longDescription>[] =>
  tools.flatMap(({ name, description = '' }) =>
    description.length <= shownDescriptionChars
      ? []
      : [{ tool: toolNameWithoutServer(name), chars: description.length }],
  );
