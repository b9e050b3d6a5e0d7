import { textOfMessage, type ChatRequest, type Reply } from './protocol.ts';
import { hash32 } from './seeded.ts';

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** A plausible number of tokens for a text. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / 4);

/** A reply in the form of a chat completion. */
export const makeChatCompletion = (request: ChatRequest, reply: Reply): unknown => {
  const usage = estimateUsage(request, reply);
  return {
    ...makeCompletionHead(request, usage, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', refusal: null, ...makeWireMessage(reply) },
        logprobs: null,
        finish_reason: finishReasonOf(reply),
      },
    ],
    usage,
  };
};

/** A reply as the chunks of a streamed completion. */
export const makeChatCompletionChunks = (request: ChatRequest, reply: Reply): unknown[] => {
  const usage = estimateUsage(request, reply);
  const withUsage = request.stream_options?.include_usage === true;
  const head = {
    ...makeCompletionHead(request, usage, 'chat.completion.chunk'),
    ...(withUsage ? { usage: null } : {}),
  };
  const chunk = (delta: unknown, finish: string | null = null): unknown => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });
  return [
    chunk({ role: 'assistant', content: 'text' in reply ? '' : null }),
    ...makeDeltas(reply).map((delta) => chunk(delta)),
    chunk({}, finishReasonOf(reply)),
    ...(withUsage ? [{ ...head, choices: [], usage }] : []),
  ];
};

const makeCompletionHead = (request: ChatRequest, usage: Usage, object: string): Record<string, unknown> => ({
  id: `chatcmpl-${hash32(JSON.stringify([request.messages, request.seed, usage])).toString(16)}`,
  object,
  created: 0,
  model: request.model,
  system_fingerprint: 'offline-rules',
});

const makeWireMessage = (reply: Reply): Readonly<Record<string, unknown>> =>
  'text' in reply ? { content: reply.text } : { content: null, tool_calls: makeWireCalls(reply) };

const makeWireCalls = (
  reply: Exclude<Reply, { text: string }>,
): { id: string; type: string; function: WireFunction }[] =>
  reply.calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));

interface WireFunction {
  readonly name: string;
  readonly arguments: string;
}

const makeDeltas = (reply: Reply): unknown[] => {
  if ('text' in reply) return (reply.text.match(/[\s\S]{1,80}/gu) ?? []).map((content) => ({ content }));
  return makeWireCalls(reply).flatMap((call, index) => [
    { tool_calls: [{ index, id: call.id, type: call.type, function: { name: call.function.name, arguments: '' } }] },
    { tool_calls: [{ index, function: { arguments: call.function.arguments } }] },
  ]);
};

const finishReasonOf = (reply: Reply): string => ('text' in reply ? 'stop' : 'tool_calls');

const estimateUsage = (request: ChatRequest, reply: Reply): Usage => {
  const said = request.messages.map((message) =>
    message.role === 'assistant'
      ? textOfMessage(message) + JSON.stringify(message.tool_calls ?? [])
      : textOfMessage(message),
  );
  const offered = request.tools.length === 0 ? '' : JSON.stringify(request.tools);
  const prompt = estimateTokens(said.join('\n') + offered);
  const completion = estimateTokens('text' in reply ? reply.text : JSON.stringify(reply.calls));
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
};
