import { cutDescription } from '#core/catalog/shown-description.ts';
import { maxAnswerTokensOfForm } from '#core/evaluation/answer-tokens.ts';
import type { Dialect, StructuredOutput } from '#core/models/dialect.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import type { ChatMessage, FunctionDefinition, ToolCallRequest } from '#core/ports.ts';

/** Under which names the items of an answer of the Responses API, and the blocks of Anthropic's Messages, are kept, which go back as they came. */
export const keptItems = 'responseItems';
export const keptBlocks = 'contentBlocks';

/** What a model is asked, without regard to its endpoint. */
export interface Question {
  readonly messages: readonly ChatMessage[];
  readonly seed: number;
  readonly functions?: readonly FunctionDefinition[];
  readonly parallelCalls?: boolean;
  /** The form of the answer: its name and JSON schema, and what the request says about it. */
  readonly form?: {
    readonly format: StructuredOutput;
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
  };
  /** How many times the most completion tokens the answer may have; by default as many as its form needs, at most once. */
  readonly room?: number;
}

/** What requests of a model have in common. */
export interface RequestSettings {
  /** The endpoint and its model. */
  readonly address: string;
  readonly model: string;
  readonly maxCompletionTokens: number;
  readonly temperature?: number | undefined;
}

/** Returns the body of a chat completion request in a dialect. */
export function composeChatCompletionRequest(
  question: Question,
  settings: RequestSettings,
  dialect: Dialect,
): Record<string, unknown> {
  const { address, model, temperature } = settings;
  const { messages, seed, form } = question;
  return {
    messages: messages.map((message) => makeWireMessage(message, dialect.returnsFields ? address : null)),
    ...(dialect.seed === 'none' ? {} : { [dialect.seed]: seed }),
    ...(form === undefined ? {} : makeResponseFormat(form)),
    ...makeToolAndEffortFields(question, dialect),
    ...(temperature === undefined ? {} : { temperature }),
    model,
    ...(dialect.tokenLimit === 'none'
      ? {}
      : { [dialect.tokenLimit]: chooseCompletionTokenLimit(question, settings, dialect) }),
    // The headers of a stream come at once, and so the place is free while the model writes.
    stream: true,
    ...(dialect.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...dialect.extraBody,
  };
}

/**
 * Returns how many completion tokens a request asks for: what the form of its answer needs and the model's thoughts, or all that
 * an answer may have if there is no form, or `room` times that.
 */
export function chooseCompletionTokenLimit(
  { form, room = 1 }: Question,
  { maxCompletionTokens }: RequestSettings,
  dialect: Dialect,
): number {
  const needed = (maxAnswerTokensOfForm(form?.name ?? '') ?? maxCompletionTokens) + dialect.thinkingTokens;
  const asked = room === 1 ? Math.min(needed, maxCompletionTokens) : maxCompletionTokens * room;
  return Math.min(asked, dialect.mostCompletionTokens ?? asked);
}

function makeResponseFormat({ format, name, schema }: NonNullable<Question['form']>) {
  switch (format) {
    case 'schema':
      return { response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } } };
    case 'json-object':
      return { response_format: { type: 'json_object' } };
    case 'prompt':
      return {};
  }
}

function makeToolAndEffortFields({ functions = [], parallelCalls = false }: Question, dialect: Dialect) {
  const { effort, effortWithFunctions } = dialect;
  if (functions.length === 0) return effort === null ? {} : { reasoning_effort: effort };
  const withFunctions = effortWithFunctions ?? effort;
  return {
    tools: functions.map((each) => makeWireFunction(each, dialect)),
    ...(dialect.parallelFlag ? { parallel_tool_calls: parallelCalls } : {}),
    ...(withFunctions === null ? {} : { reasoning_effort: withFunctions }),
  };
}

/** Returns a function as chat completions define it; its parameters are written already. */
export const makeWireFunction = (
  { name, description, parameters }: FunctionDefinition,
  { longestDescription }: Dialect,
) => ({
  type: 'function',
  function: {
    name,
    description: cutDescription(description, longestDescription ?? undefined),
    parameters,
  },
});

/** Writes a message; what its endpoint wrote beside what we read goes back to that endpoint only, which is at `address`. */
function makeWireMessage(message: ChatMessage, address: string | null): Record<string, unknown> {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const { content, toolCalls } = message;
      const own = message.own?.address === address ? message.own : undefined;
      const { [keptItems]: _items, [keptBlocks]: _blocks, ...others } = own?.message ?? {};
      const said = { role: 'assistant', content, ...others };
      if (toolCalls.length === 0) return said;
      return { ...said, tool_calls: toolCalls.map((call, at) => ({ ...own?.calls[at], ...makeWireCall(call) })) };
    }
  }
}

const makeWireCall = ({ id, ...call }: ToolCallRequest) => ({
  id,
  type: 'function',
  function: makeAcceptableCall(call),
});

/**
 * Returns a call that endpoints take: they refuse a conversation for a name of the wrong form, or for arguments that are
 * no JSON object, which are the model's mistakes. The message of the call's result says what was wrong.
 */
export const makeAcceptableCall = ({ name, argumentsText }: Omit<ToolCallRequest, 'id'>) => ({
  name: /^[\w-]{1,64}$/.test(name) ? name : 'invalid_name',
  arguments: isTextOfJsonObject(argumentsText) ? argumentsText : '{}',
});

function isTextOfJsonObject(text: string): boolean {
  const json = parseJsonWithinLimits(text);
  return json.ok && typeof json.value === 'object' && json.value !== null && !Array.isArray(json.value);
}
