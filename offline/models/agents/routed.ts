import { z } from 'zod';
import { splitClauses } from '../connectors.ts';
import { maskLiterals, restoreMaskedLiterals } from '../literals.ts';
import type { FunctionTool } from '../protocol.ts';
import { toolsOfPrompt, type Cards, type KnownTool } from '../tools.ts';
import type { PastCall } from './conversation.ts';

/** The name of the function that loads tools. */
export const toolSearch = 'tool_search';

/** What an agent that searches for its tools has found out so far. */
export interface Searched {
  /** The tools that its searches returned, each once, by `server/tool`. */
  readonly tools: readonly KnownTool[];
  /** Searches that are still to be made, one for each clause of the request. */
  readonly openQueries: readonly string[];
  /** Its calls of tools, under the names of the tools. */
  readonly made: readonly PastCall[];
}

/** Returns whether an agent has to search for its tools: it has the functions `route` and `execute`, and no others. */
export const mustSearchForTools = (functions: readonly Pick<FunctionTool, 'name'>[]): boolean =>
  functions.length === 2 && ['route', 'execute'].every((name) => functions.some((each) => each.name === name));

/** Returns whether an agent loads its tools by a search, and has them as functions then. */
export const mustLoadTools = (functions: readonly Pick<FunctionTool, 'name'>[]): boolean =>
  functions.some(({ name }) => name === toolSearch);

/** Returns the searches of a request that a conversation lacks, one for each clause. */
export const listOpenQueries = (wish: string, past: readonly PastCall[], search: string): readonly string[] => {
  const searches = past.filter(({ name }) => name === search);
  const asked = new Set(searches.map(({ arguments: text }) => parseOrNull(routed, text)?.query));
  return listQueries(wish).filter((query) => !asked.has(query));
};

/** Reads what the searches of a conversation have returned. */
export const readProgressOfSearches = (wish: string, past: readonly PastCall[], cards: Cards): Searched => {
  const searches = past.filter(({ name }) => name === 'route');
  return {
    tools: listFoundToolsOnce(
      searches.map(({ result }) => result),
      cards,
    ),
    openQueries: listOpenQueries(wish, past, 'route'),
    made: past.flatMap((call) => {
      const given = call.name === 'execute' ? parseOrNull(executed, call.arguments) : null;
      if (given === null) return [];
      const { server, tool, arguments: own } = given;
      return [{ ...call, name: `${server}/${tool}`, arguments: JSON.stringify(own) }];
    }),
  };
};

/** Returns the arguments of `execute` for a call of a tool. */
export const makeExecuteArguments = (name: string, args: Readonly<Record<string, unknown>>) => ({
  server: name.slice(0, name.indexOf('/')),
  tool: name.slice(name.indexOf('/') + 1),
  arguments: args,
});

/** One query a clause: what the clause says, values included, because this agent does not know what matters. */
const listQueries = (wish: string): string[] => {
  const masked = maskLiterals(wish);
  const clauses = splitClauses(masked.text).map((text) => restoreMaskedLiterals(text, masked.literals).trim());
  return [...new Set(clauses.filter((clause) => clause !== ''))];
};

const routed = z.object({ query: z.string() });
const executed = z.object({
  server: z.string(),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
const foundTools = z.array(
  z.object({ server: z.string(), tool: z.string(), description: z.string(), inputSchema: z.unknown() }),
);

const listFoundToolsOnce = (results: readonly string[], cards: Cards): readonly KnownTool[] => {
  const listed = results.flatMap((result) => parseOrNull(foundTools, result) ?? []);
  const byName = new Map(
    listed.map(({ server, tool, ...rest }) => [`${server}/${tool}`, { name: `${server}/${tool}`, ...rest }]),
  );
  return toolsOfPrompt([...byName.values()], cards);
};

const parseOrNull = <T>(schema: z.ZodType<T>, text: string): T | null => {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};
