import type { NullPlan, NullPolicy } from '#core/evaluation/null-agents.ts';
import type { ChatMessage, ChatModel } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import type { LoopResult } from './attempt-log.ts';
import { runAgentLoop, type AttemptInput, type Calling } from './attempt.ts';
import { parseArgumentsOrNull } from './steps.ts';

/** Runs an attempt of a null agent in the loop that all agents have, with a plan in place of a model. */
export const runNullAgent = (
  policy: NullPolicy,
  plan: NullPlan,
  input: Omit<AttemptInput, 'model' | 'prompt'>,
): Promise<LoopResult> =>
  runAgentLoop(calling, {
    ...input,
    prompt: { id: 'none', messages: [] },
    model: makeFakeModelOfPlan(policy, plan, input.limits.callsPerTurn),
  });

/** Calls carry the names of tools, because no endpoint has to accept them. */
const calling: Calling = {
  listFunctions: () => [],
  parallelCalls: true,
  readMove: ({ content, toolCalls }) =>
    toolCalls.length === 0
      ? { kind: 'answer', text: content }
      : {
          kind: 'calls',
          said: { role: 'assistant', content, toolCalls },
          calls: toolCalls.map(({ id, name, argumentsText }) => ({
            tool: name,
            arguments: parseArgumentsOrNull(argumentsText) ?? {},
            problem: null,
            makeReplyMessage: (text): ChatMessage => ({ role: 'tool', toolCallId: id, content: text }),
          })),
        },
  unfinishedText: (content) => content,
};

/** Issues the planned calls, as many per turn as are carried out, and then answers. */
function makeFakeModelOfPlan(policy: NullPolicy, { calls, answer }: NullPlan, callsPerTurn: number): ChatModel {
  const call: ModelCall = {
    role: 'agent',
    model: `null:${policy}`,
    prompt: 'none',
    promptTokens: 0,
    completionTokens: 0,
    costUsd: 0,
    latencyMs: 0,
    retries: 0,
  };
  let issued = 0;
  return {
    completeTurn: async ({ messages }) => {
      const next = calls.slice(issued, issued + callsPerTurn);
      const toolCalls = next.map(({ tool, arguments: args }, place) => ({
        id: `call-${issued + place}`,
        name: tool,
        argumentsText: JSON.stringify(args),
      }));
      issued += next.length;
      return next.length > 0
        ? { ok: true, content: '', toolCalls, finish: 'tool-calls', call }
        : { ok: true, content: answer ?? joinToolResults(messages), toolCalls, finish: 'stop', call };
    },
  };
}

const joinToolResults = (messages: readonly ChatMessage[]): string =>
  messages.flatMap((each) => (each.role === 'tool' ? [each.content] : [])).join('\n');
