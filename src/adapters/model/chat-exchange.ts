import { canHaveSoFewTokens, estimateTokens } from '#core/models/estimate-tokens.ts';
import type { Dialect } from '#core/models/dialect.ts';
import type { Clients } from './clients.ts';
import { findCompletionTokensThatFit } from './completion-room.ts';
import { readStreamedCompletion } from './completion-stream.ts';
import { parseCompletion, type Completion } from './completion.ts';
import type { Exchange, Tokens } from './exchange.ts';
import { parseAnthropicMessageAnswer, readStreamedAnthropicMessage } from './message.ts';
import { parseResponsesApiAnswer, readStreamedResponsesApiAnswer } from './response.ts';
import type { RefusedConversation } from './refusals.ts';

interface ChatRequest {
  readonly clients: Clients;
  readonly wire: Dialect['wire'];
  readonly prompt: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly patienceMs: number;
  /** The completion tokens that the request asks for; 0 if it will not be made again with fewer. */
  readonly asked: number;
}

type Wire = Pick<Exchange<Completion>, 'read' | 'readStream'>;

/** How the answers of each wire are read. */
const wires: Readonly<Record<ChatRequest['wire'], Wire>> = {
  chat: { read: parseCompletion, readStream: readStreamedCompletion },
  responses: { read: parseResponsesApiAnswer, readStream: readStreamedResponsesApiAnswer },
  messages: { read: parseAnthropicMessageAnswer, readStream: readStreamedAnthropicMessage },
};

/** Returns the exchange of one answer of a model. */
export const makeChatExchange = ({
  clients,
  wire,
  prompt,
  body,
  timeoutMs,
  patienceMs,
  asked,
}: ChatRequest): Exchange<Completion> => {
  const text = JSON.stringify(body);
  return {
    prompt,
    timeoutMs,
    patienceMs,
    // Endpoints count what is asked for against their limits, not what is written.
    tokens: estimateTokens(text) + asked,
    start: clients.post(wire, text),
    read: wires[wire].read,
    readStream: wires[wire].readStream,
    expected: 'chat completion',
    // A model that exceeds the limit would not have stopped: that is its own failure, like using up its tokens.
    endless: { ...silence, finish: 'length', endless: true, usage: {} },
    findRejection: ({ refused, said }) => {
      const mayFit = refused === 'context-overflow' && said !== undefined;
      if (mayFit && findCompletionTokensThatFit(said, asked) !== undefined) return undefined;
      return refused === undefined ? undefined : rejectedCompletions.get(refused);
    },
    countTokens: (completion) => reportedOrEstimatedTokens(body, text.length, completion),
  };
};

const silence = { content: '', toolCalls: [], refusal: '' } as const;
const unread = { prompt: 0, completion: 0 };
/** Errors that the conversation causes: it is too long for the model, or its filter stops it. Repeating does not help. */
const rejectedCompletions: ReadonlyMap<RefusedConversation, Completion> = new Map([
  ['context-overflow', { ...silence, finish: 'length', overflowed: true, usage: unread }],
  ['content-filter', { ...silence, finish: 'refused', usage: unread }],
]);

function reportedOrEstimatedTokens(
  body: ChatRequest['body'],
  bodyChars: number,
  { content, toolCalls, usage }: Completion,
): Tokens {
  // Nobody read what the endpoint refused.
  if (usage === unread) return unread;
  // The whole body is longer than its prompt, which costs time to write.
  const isPlausible = usage.prompt !== undefined && canHaveSoFewTokens(usage.prompt, bodyChars);
  const prompt = isPlausible
    ? ''
    : JSON.stringify([body['system'] ?? '', body['messages'] ?? body['input'], body['tools'] ?? []]);
  const written = content + toolCalls.map((call) => call.name + call.argumentsText).join('');
  return {
    ...usage,
    prompt: reportedTokensUnlessTooFew(usage.prompt, prompt),
    completion: reportedTokensUnlessTooFew(usage.completion, written),
  };
}

/** What an endpoint counted, unless it is less than there can be. */
const reportedTokensUnlessTooFew = (tokens: number | undefined, text: string): number =>
  tokens === undefined || !canHaveSoFewTokens(tokens, text.length) ? estimateTokens(text) : tokens;
