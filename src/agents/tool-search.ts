import { z } from 'zod';
import type { Tool } from '#core/catalog/tool.ts';
import { makeFunctionNames } from '#core/catalog/function-names.ts';
import type { FindTools, FunctionDefinition, ToolCallRequest } from '#core/ports.ts';
import { firstCharacters } from '#core/values/excerpt.ts';
import { routeQueryChars } from '#core/traces/trace.ts';
import type { LoopResult } from './attempt-log.ts';
import { runAgentLoop, type AttemptInput, type Calling, type IssuedCall, type IssuedRoute } from './attempt.ts';
import { listFunctionsOfTools, parseIssuedCall } from './function-calling.ts';
import { argumentChars, parseArgumentsOrNull } from './steps.ts';

/** The one function that a model has from the start. Functions of tools have `__` in their names, so none is called the same. */
export const toolSearchFunction: FunctionDefinition = {
  name: 'tool_search',
  description:
    'Searches all tools for those that fit a description best, and loads them: from your next turn on you can call them as functions. Search for one ability at a time; search again, in other words, if nothing fits.',
  parameters: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What the tool has to do: the action, and what it acts on.' },
    },
    required: ['query'],
  },
  loading: 'search',
};

/** Functions of tools that are loaded at most: endpoints take 128 functions and fewer, and some tools are shown besides. */
export const mostLoadedFunctions = 100;

/**
 * Runs an attempt of a model that sees a search and at most a chosen few tools, as agents with deferred loading do: what a
 * search finds is added to its functions, from the next turn on. Functions are only ever added at the end of the list, in the order in
 * which they were found, so that a provider's cache of the turns before stays of use.
 */
export async function runToolSearchAttempt(input: AttemptInput): Promise<LoopResult> {
  const { trace, ...rest } = await runAgentLoop(makeCallingByToolSearch(input), input);
  return { ...rest, trace: { ...trace, routes: trace.routes ?? [] } };
}

/** Returns the functions of the first turn: the search, and those of the tools that are shown. */
export const listFirstFunctions = (tools: readonly Tool[], shown: readonly string[] = []): FunctionDefinition[] => {
  const functions = listFunctionsOfTools(tools);
  return [toolSearchFunction, ...functions.filter((_, at) => shown.includes(tools[at]?.name ?? ''))];
};

function makeCallingByToolSearch({ tools, shown, findTools, limits }: AttemptInput): Calling {
  if (findTools === undefined) throw new Error('the loop tool-search needs a search for tools');
  const names = makeFunctionNames(tools.map(({ name }) => name));
  const toolsByFunction = new Map([...names].map(([tool, name]) => [name, tool]));
  const first = listFirstFunctions(tools, shown);
  const fromStart = new Set(first.map(({ name }) => name));
  const definitions = new Map(
    listFunctionsOfTools(tools)
      .filter(({ name }) => !fromStart.has(name))
      .map((definition) => [definition.name, { ...definition, loading: 'loaded' as const }]),
  );
  const loaded = new Map<string, FunctionDefinition>();
  const load = (found: readonly string[]): Loaded => {
    const wanted = found.flatMap((tool) => definitions.get(names.get(tool) ?? '') ?? []);
    const left: string[] = [];
    for (const definition of wanted)
      if (loaded.has(definition.name) || loaded.size < mostLoadedFunctions) loaded.set(definition.name, definition);
      else left.push(definition.name);
    return { names: wanted.flatMap(({ name }) => (loaded.has(name) ? [name] : [])), left };
  };
  return {
    listFunctions: () => [...first, ...loaded.values()],
    toolsByFunction,
    parallelCalls: limits.parallelCalls,
    readMove({ content, toolCalls, own }) {
      if (toolCalls.length === 0) return { kind: 'answer', text: content };
      const said = { role: 'assistant', content, toolCalls, own } as const;
      // What a search of this turn finds is not callable before the next one.
      const callable = new Set([...fromStart, ...loaded.keys()]);
      const calls = toolCalls.map((call) =>
        call.name === toolSearchFunction.name
          ? makeIssuedSearch(call, findTools, load)
          : parseCallOfLoaded(call, callable, toolsByFunction),
      );
      return { kind: 'calls', said, calls };
    },
    unfinishedText: (content) => content,
  };
}

/** The functions that a search found, best first: those that are loaded, and those that are not because too many are. */
interface Loaded {
  readonly names: readonly string[];
  readonly left: readonly string[];
}

function describeLoaded({ names, left }: Loaded): string {
  if (names.length === 0 && left.length === 0) return 'No tool was found. Search in other words.';
  const full = `${mostLoadedFunctions} functions are loaded, which is the most: ${left.join(', ')} cannot be called.`;
  return [
    ...(names.length === 0 ? [] : [`Loaded, best first; call them from your next turn on: ${names.join(', ')}.`]),
    ...(left.length === 0 ? [] : [full]),
  ].join(' ');
}

const searchForm = z.object({ query: z.string().trim().min(1) });

function makeIssuedSearch(
  { id, argumentsText }: ToolCallRequest,
  find: FindTools,
  load: (found: readonly string[]) => Loaded,
): IssuedRoute {
  const args = argumentsText.length > argumentChars ? null : parseArgumentsOrNull(argumentsText);
  const given = searchForm.safeParse(args);
  let loads: readonly string[] = [];
  return {
    kind: 'route',
    query: { tool: given.success ? firstCharacters(given.data.query, routeQueryChars) : '', server: null },
    find: given.success ? find : null,
    problem: given.success ? '' : 'Nothing was searched for: the arguments are not {"query": "<text>"}.',
    takeFound(found) {
      const result = load(found.map(({ name }) => name));
      loads = result.names;
      return describeLoaded(result);
    },
    makeReplyMessage: (content) => ({ role: 'tool', toolCallId: id, content, loads }),
  };
}

/** Parses a call of a function, which a search of an earlier turn must have loaded. */
function parseCallOfLoaded(
  call: ToolCallRequest,
  callable: ReadonlySet<string>,
  toolsByFunction: ReadonlyMap<string, string>,
): IssuedCall {
  const parsed = parseIssuedCall(call, toolsByFunction);
  if (callable.has(call.name) || parsed.problem !== null) return parsed;
  const text = `${call.name} is not loaded: search for it with ${toolSearchFunction.name}, and call it in a later turn.`;
  return { ...parsed, problem: { text } };
}
