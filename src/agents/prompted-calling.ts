import { z } from 'zod';
import { cutDescription } from '#core/catalog/shown-description.ts';
import { schemaWithoutDialect } from '#core/catalog/shown-schemas.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { formatJsonInDataTags } from '#core/values/fenced-text.ts';
import { maxJsonDepth } from '#core/values/json-depth.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import type { ChatMessage } from '#core/ports.ts';
import type { LoopResult } from './attempt-log.ts';
import {
  runAgentLoop,
  malformedTurns,
  type AttemptInput,
  type Calling,
  type IssuedCall,
  type Move,
} from './attempt.ts';
import { argumentChars } from './steps.ts';

/** The required form of a turn. */
const turnForm = z.union([
  z.strictObject({
    call: z.strictObject({ tool: z.string().min(1), arguments: z.record(z.string(), z.unknown()) }),
  }),
  z.strictObject({ answer: z.string() }),
]);

/** The tool of a step whose turn contained no call. */
export const notACall = '(not a call)';

/** JSON-RPC's parse error. */
export const parseError = -32700;

/**
 * Runs an attempt of a model without native function calling. The tools are in the prompt (`agent-prompted`, with
 * `listToolsForPrompt`). In each turn the model writes one JSON object, a call or the answer, and reads the outcome in the
 * next message. Any other turn is a failed step, which the model is told; after three in a row the attempt ends as if
 * its turns were used up, without an answer.
 */
export const runPromptedCallingAttempt = (input: AttemptInput): Promise<LoopResult> =>
  runAgentLoop(makeCallingByJsonTurns(input.tools), input);

/** Returns the tools as the prompt lists them: what a model with native calling would get, under their own names. */
export const listToolsForPrompt = (tools: readonly Tool[]) =>
  tools.map(({ name, description, inputSchema }) => ({
    name,
    description: cutDescription(description ?? ''),
    inputSchema: schemaWithoutDialect(inputSchema),
  }));

function makeCallingByJsonTurns(tools: readonly Tool[]): Calling {
  const names = new Set(tools.map(({ name }) => name));
  return {
    listFunctions: () => [],
    parallelCalls: false,
    readMove({ content }) {
      const said: ChatMessage = { role: 'assistant', content, toolCalls: [] };
      const json = parseJsonWithinLimits(content);
      const turn = json.ok ? turnForm.safeParse(json.value) : null;
      if (turn === null)
        return makeMalformedMove(
          said,
          `it is not JSON of at most ${maxJsonDepth} levels, or a number in it is too large`,
        );
      if (!turn.success) return makeMalformedMove(said, 'it has neither of the two forms');
      if ('answer' in turn.data) return { kind: 'answer', text: turn.data.answer };
      const { tool, arguments: args } = turn.data.call;
      if (content.length > argumentChars) {
        const problem = { text: `The call has more than ${argumentChars} characters: it was not made.` };
        return { kind: 'calls', said, calls: [{ tool, arguments: null, problem, makeReplyMessage }] };
      }
      const call: IssuedCall = names.has(tool)
        ? { tool, arguments: args, problem: null, makeReplyMessage }
        : { tool, arguments: args, problem: makeUnknownToolProblem(tool), makeReplyMessage };
      return { kind: 'calls', said, calls: [call] };
    },
    // An unfinished text is not an answer in the required form.
    unfinishedText: () => '',
  };
}

const makeReplyMessage = (text: string): ChatMessage => ({
  role: 'user',
  content: formatJsonInDataTags('result', text) ?? '',
});

const makeUnknownToolProblem = (name: string) => ({
  text: `There is no tool called ${JSON.stringify(name.slice(0, 300))}.`,
});

function makeMalformedMove(said: ChatMessage, wrong: string): Move {
  const text =
    `The last message could not be used: ${wrong}. Nothing was called. A message is one JSON object and nothing else, ` +
    `{"call": {"tool": "<name>", "arguments": {...}}} or {"answer": "<text>"}. ` +
    `After ${malformedTurns} unusable ones in a row the work ends.`;
  const call = { tool: notACall, arguments: null, problem: { text, code: parseError }, makeReplyMessage };
  return { kind: 'malformed', said, calls: [call] };
}
