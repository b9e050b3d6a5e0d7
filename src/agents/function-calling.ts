import { makeFunctionNames } from '#core/catalog/function-names.ts';
import { cutDescription } from '#core/catalog/shown-description.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { maxJsonDepth } from '#core/values/json-depth.ts';
import type { FunctionDefinition, ToolCallRequest } from '#core/ports.ts';
import type { LoopResult } from './attempt-log.ts';
import { runAgentLoop, type AttemptInput, type Calling, type IssuedCall } from './attempt.ts';
import { argumentChars, parseArgumentsOrNull } from './steps.ts';

/** Runs an attempt of a model with native function calling. */
export const runFunctionCallingAttempt = (input: AttemptInput): Promise<LoopResult> =>
  runAgentLoop(makeCallingByFunctions(input.tools, input.limits.parallelCalls), input);

/** Returns the functions by which a model sees tools. */
export function listFunctionsOfTools(tools: readonly Tool[]): FunctionDefinition[] {
  const names = makeFunctionNames(tools.map(({ name }) => name));
  return tools.map(({ name, description, inputSchema }) => ({
    name: names.get(name) ?? name,
    description: cutDescription(description ?? ''),
    parameters: inputSchema,
  }));
}

function makeCallingByFunctions(tools: readonly Tool[], parallelCalls: boolean): Calling {
  const names = makeFunctionNames(tools.map(({ name }) => name));
  const toolsByFunction = new Map([...names].map(([tool, name]) => [name, tool]));
  const functions = listFunctionsOfTools(tools);
  return {
    listFunctions: () => functions,
    toolsByFunction,
    parallelCalls,
    readMove({ content, toolCalls, own }) {
      if (toolCalls.length === 0) return { kind: 'answer', text: content };
      const said = { role: 'assistant', content, toolCalls, own } as const;
      return { kind: 'calls', said, calls: toolCalls.map((call) => parseIssuedCall(call, toolsByFunction)) };
    },
    unfinishedText: (content) => content,
  };
}

/** Parses a call of a tool's function. */
export function parseIssuedCall(call: ToolCallRequest, toolsByFunction: ReadonlyMap<string, string>): IssuedCall {
  const tool = toolsByFunction.get(call.name);
  const tooLong = call.argumentsText.length > argumentChars;
  const args = tooLong ? null : parseArgumentsOrNull(call.argumentsText);
  const makeReplyMessage: IssuedCall['makeReplyMessage'] = (content) => ({
    role: 'tool',
    toolCallId: call.id,
    content,
  });
  if (tool === undefined) {
    const text = `There is no function called ${JSON.stringify(call.name.slice(0, 300))}.`;
    return { tool: call.name, arguments: args, problem: { text }, makeReplyMessage };
  }
  if (args === null) {
    const wrong = tooLong
      ? `have more than ${argumentChars} characters`
      : `are not a JSON object of at most ${maxJsonDepth} levels, or a number in them is too large`;
    return {
      tool,
      arguments: null,
      problem: { text: `The arguments ${wrong}: the function was not called.` },
      makeReplyMessage,
    };
  }
  return { tool, arguments: args, problem: null, makeReplyMessage };
}
