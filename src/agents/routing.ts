import { z } from 'zod';
import { cutDescription } from '#core/catalog/shown-description.ts';
import { schemaWithoutDialect } from '#core/catalog/shown-schemas.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';
import { maxJsonDepth } from '#core/values/json-depth.ts';
import type { ChatMessage, FindTools, FunctionDefinition, ToolCallRequest } from '#core/ports.ts';
import type { RankedTool } from '#core/similarity/retrieval/rank-tools.ts';
import { firstCharacters } from '#core/values/excerpt.ts';
import { routeQueryChars } from '#core/traces/trace.ts';
import type { LoopResult } from './attempt-log.ts';
import { runAgentLoop, type AttemptInput, type Calling, type IssuedCall, type IssuedRoute } from './attempt.ts';
import { argumentChars, parseArgumentsOrNull } from './steps.ts';

/** The two functions of the model, whatever is mounted. */
export const routingFunctions: readonly FunctionDefinition[] = [
  {
    name: 'route',
    description:
      'Searches all tools for those that fit a description best. Returns their servers, names, descriptions and input schemas, best first. Search for one ability at a time; search again, in other words, if nothing fits.',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What the tool has to do: the action, and what it acts on.' },
        server: { type: 'string', description: 'What kind of server would have it: its field, platform or service.' },
      },
      required: ['query'],
    },
  },
  {
    name: 'execute',
    description: 'Calls a tool that a search has returned, and returns its result.',
    parameters: {
      type: 'object',
      properties: {
        server: { type: 'string', description: "The tool's server, as the search names it." },
        tool: { type: 'string', description: "The tool's name, as the search gives it." },
        arguments: { type: 'object', description: "Arguments that fit the tool's input schema; {} if it needs none." },
      },
      required: ['server', 'tool'],
    },
  },
];

/**
 * Runs an attempt of a model that sees no tools: it searches for them with `route`, by LiveMCPBench's agent (2025, section
 * 2.4), and calls them with `execute`. As in that agent, any tool that there is can be executed, also one that no search
 * has returned; of one that there is not the model is told so.
 */
export async function runRoutingAttempt(input: AttemptInput): Promise<LoopResult> {
  const { trace, ...rest } = await runAgentLoop(makeCallingByRouting(input), input);
  return { ...rest, trace: { ...trace, routes: trace.routes ?? [] } };
}

function makeCallingByRouting({ tools, findTools, limits }: AttemptInput): Calling {
  if (findTools === undefined) throw new Error('the loop routing needs a search for tools');
  const mounted = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    listFunctions: () => routingFunctions,
    parallelCalls: limits.parallelCalls,
    readMove({ content, toolCalls, own }) {
      if (toolCalls.length === 0) return { kind: 'answer', text: content };
      const said = { role: 'assistant', content, toolCalls, own } as const;
      return { kind: 'calls', said, calls: toolCalls.map((call) => parseRouteOrExecute(call, mounted, findTools)) };
    },
    unfinishedText: (content) => content,
  };
}

const routeForm = z.object({ query: z.string().trim().min(1), server: z.string().nullish() });
const executeForm = z.object({
  server: z.string().min(1),
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).nullish(),
});

function parseRouteOrExecute(
  call: ToolCallRequest,
  mounted: ReadonlyMap<string, Tool>,
  find: FindTools,
): IssuedCall | IssuedRoute {
  const makeReplyMessage = (content: string): ChatMessage => ({ role: 'tool', toolCallId: call.id, content });
  const args = call.argumentsText.length > argumentChars ? null : parseArgumentsOrNull(call.argumentsText);
  if (call.name === 'route') return makeIssuedRoute(args, mounted, find, makeReplyMessage);
  if (call.name === 'execute') return makeIssuedExecution(args, mounted, makeReplyMessage);
  const text = `There is no function called ${JSON.stringify(call.name.slice(0, 300))}. There are route and execute.`;
  return { tool: call.name, arguments: args, problem: { text }, makeReplyMessage };
}

function makeIssuedRoute(
  args: unknown,
  mounted: ReadonlyMap<string, Tool>,
  find: FindTools,
  makeReplyMessage: IssuedCall['makeReplyMessage'],
): IssuedRoute {
  const given = routeForm.safeParse(args);
  const about = (server: string | null | undefined): string | null =>
    server === null || server === undefined || server.trim() === ''
      ? null
      : firstCharacters(server.trim(), routeQueryChars);
  return {
    kind: 'route',
    query: given.success
      ? { tool: firstCharacters(given.data.query, routeQueryChars), server: about(given.data.server) }
      : { tool: '', server: null },
    find: given.success ? find : null,
    problem: given.success
      ? ''
      : 'Nothing was searched for: the arguments are not {"query": "<text>", "server": "<text>"}.',
    takeFound: (found) => foundToolsJson(found, mounted),
    makeReplyMessage,
  };
}

/** Returns the tools of a search as the model sees them: JSON, best first. */
function foundToolsJson(found: readonly RankedTool[], mounted: ReadonlyMap<string, Tool>): string {
  if (found.length === 0) return 'No tool was found.';
  const shown = found.flatMap(({ name, fit }) => {
    const tool = mounted.get(name);
    if (tool === undefined) return [];
    const { server, description = '', inputSchema } = tool;
    const score = Math.round(fit * 10_000) / 10_000;
    return [
      {
        server,
        tool: toolNameWithoutServer(name),
        description: cutDescription(description),
        inputSchema: schemaWithoutDialect(inputSchema),
        score,
      },
    ];
  });
  return JSON.stringify(shown);
}

function makeIssuedExecution(
  args: Readonly<Record<string, unknown>> | null,
  mounted: ReadonlyMap<string, Tool>,
  makeReplyMessage: IssuedCall['makeReplyMessage'],
): IssuedCall {
  const given = executeForm.safeParse(args);
  if (!given.success) {
    const text = `Nothing was called: the arguments are not {"server": "<name>", "tool": "<name>", "arguments": {...}} of at most ${argumentChars} characters and ${maxJsonDepth} levels.`;
    return { tool: 'execute', arguments: args === null ? null : { ...args }, problem: { text }, makeReplyMessage };
  }
  const { server, tool, arguments: own } = given.data;
  // Some models repeat the server in the name of the tool.
  const name = tool.startsWith(`${server}/`) ? tool : `${server}/${tool}`;
  if (mounted.has(name)) return { tool: name, arguments: own ?? {}, problem: null, makeReplyMessage };
  const text = `There is no tool called ${JSON.stringify(tool.slice(0, 300))} on a server called ${JSON.stringify(server.slice(0, 300))}. Search with route, and give the names as it returns them.`;
  return { tool: name, arguments: own ?? {}, problem: { text }, makeReplyMessage };
}
