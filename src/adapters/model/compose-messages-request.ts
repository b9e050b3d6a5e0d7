import type { Dialect } from '#core/models/dialect.ts';
import type { ChatMessage, FunctionDefinition } from '#core/ports.ts';
import {
  chooseCompletionTokenLimit,
  keptBlocks,
  makeAcceptableCall,
  makeWireFunction,
  type Question,
  type RequestSettings,
} from './compose-request.ts';

type Block = Readonly<Record<string, unknown>>;
interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

/** Marks the end of what the endpoint is to keep in its cache. */
const cached = { cache_control: { type: 'ephemeral' } };

/**
 * Returns the body of a request to Anthropic's Messages API, which has no seed. Tools and system prompt are cached, and a
 * conversation with tools or earlier turns as a whole, since its next turn repeats it. The blocks of earlier answers go back as they
 * came, thoughts with their signatures among them.
 */
export function composeAnthropicMessagesRequest(
  question: Question,
  settings: RequestSettings,
  dialect: Dialect,
): Record<string, unknown> {
  const { messages, functions = [], parallelCalls = false, form } = question;
  const { address, model, temperature } = settings;
  const effort = functions.length === 0 ? dialect.effort : (dialect.effortWithFunctions ?? dialect.effort);
  const output = {
    ...(effort === null ? {} : { effort }),
    ...(form?.format === 'schema' ? { format: { type: 'json_schema', schema: schemaWithoutBounds(form.schema) } } : {}),
  };
  const { system, turns } = splitIntoSystemBlocksAndTurns(messages, {
    address: dialect.returnsFields ? address : null,
    loaded: listDeferredFunctionNames(functions, dialect),
  });
  const isContinued = functions.length > 0 || messages.some(({ role }) => role === 'assistant');
  return {
    model,
    max_tokens: chooseCompletionTokenLimit(question, settings, dialect),
    ...(system.length === 0 ? {} : { system: blocksWithLastMarkedForCache(system) }),
    messages: isContinued ? turnsWithLastMarkedForCache(turns) : turns,
    ...(functions.length === 0 ? {} : { tools: makeToolDefinitionBlocks(functions, dialect) }),
    ...(functions.length === 0 || parallelCalls || !dialect.parallelFlag
      ? {}
      : { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
    ...(Object.keys(output).length === 0 ? {} : { output_config: output }),
    ...(temperature === undefined ? {} : { temperature }),
    stream: true,
    ...dialect.extraBody,
  };
}

const blocksWithLastMarkedForCache = (blocks: readonly Block[]): Block[] =>
  blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, ...cached } : block));

const turnsWithLastMarkedForCache = (turns: readonly Turn[]): Turn[] =>
  turns.map((turn, at) =>
    at === turns.length - 1 ? { ...turn, content: blocksWithLastMarkedForCache(turn.content) } : turn,
  );

/** Returns the functions that are sent as loaded, whose definitions are no part of what is cached. */
function listDeferredFunctionNames(
  functions: readonly FunctionDefinition[],
  { deferredFunctions }: Dialect,
): Set<string> {
  const loaded = functions.filter(({ loading }) => deferredFunctions && loading === 'loaded');
  return new Set(loaded.map(({ name }) => name));
}

function makeToolDefinitionBlocks(functions: readonly FunctionDefinition[], dialect: Dialect): Block[] {
  const deferred = listDeferredFunctionNames(functions, dialect);
  const isDeferred = ({ name }: FunctionDefinition): boolean => deferred.has(name);
  const make = (each: FunctionDefinition): Block => makeToolDefinitionBlock(each, dialect);
  return [
    ...blocksWithLastMarkedForCache(functions.filter((each) => !isDeferred(each)).map(make)),
    ...functions.filter(isDeferred).map((each) => ({ ...make(each), defer_loading: true })),
  ];
}

function makeToolDefinitionBlock(each: FunctionDefinition, dialect: Dialect): Block {
  const { name, description, parameters } = makeWireFunction(each, dialect).function;
  return {
    name,
    ...(description.trim() === '' ? {} : { description }),
    input_schema: { ...parameters, type: 'object' },
  };
}

/** Keywords that structured output refuses; zod checks them after the answer. `minItems` may only be 0 or 1. */
const bounds: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
]);

function schemaWithoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(schemaWithoutBounds);
  if (!isBlock(schema)) return schema;
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' && isBlock(value))
      result[key] = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, schemaWithoutBounds(each)]));
    else if (key === 'enum') result[key] = value;
    else if (!bounds.has(key)) result[key] = schemaWithoutBounds(value);
  }
  return result;
}

/** For whom turns are written: the endpoint whose own blocks go back, if any do, and the functions that results may refer to. */
interface Receiver {
  readonly address: string | null;
  readonly loaded: ReadonlySet<string>;
}

/** A conversation is turns of alternating roles that begin with the user's; what the system says comes apart. */
function splitIntoSystemBlocksAndTurns(messages: readonly ChatMessage[], to: Receiver) {
  const turns: Turn[] = [];
  const system: Block[] = [];
  for (const message of messages) {
    if (message.role === 'system') system.push(...makeTextBlocks(message.content));
    else appendOrMergeTurn(turns, makeTurn(message, to));
  }
  return turns.length === 0 ? { system: [], turns: [{ role: 'user', content: system } as const] } : { system, turns };
}

function appendOrMergeTurn(turns: Turn[], { role, content }: Turn): void {
  const last = turns.at(-1);
  if (content.length === 0) return;
  if (last?.role === role) turns[turns.length - 1] = { role, content: [...last.content, ...content] };
  else turns.push({ role, content });
}

/** Texts without words are refused. */
const makeTextBlocks = (text: string): Block[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

function makeTurn(message: Exclude<ChatMessage, { role: 'system' }>, { address, loaded }: Receiver): Turn {
  switch (message.role) {
    case 'user':
    case 'system':
      return { role: 'user', content: makeTextBlocks(message.content) };
    case 'tool': {
      const found = (message.loads ?? []).filter((name) => loaded.has(name));
      const content =
        found.length === 0
          ? makeTextBlocks(message.content)
          : found.map((name) => ({ type: 'tool_reference', tool_name: name }));
      const result = { type: 'tool_result', tool_use_id: message.toolCallId };
      return { role: 'user', content: [content.length === 0 ? result : { ...result, content }] };
    }
    case 'assistant': {
      const { content, toolCalls, own } = message;
      const blocks = own?.address === address ? own.message[keptBlocks] : undefined;
      if (Array.isArray(blocks)) return { role: 'assistant', content: makeAcceptableBlocks(blocks) };
      const calls = toolCalls.map(({ id, ...call }) => makeToolUseBlock(id, call));
      return { role: 'assistant', content: [...makeTextBlocks(content), ...calls] };
    }
  }
}

function makeToolUseBlock(id: unknown, call: { readonly name: string; readonly argumentsText: string }): Block {
  const { name, arguments: input } = makeAcceptableCall(call);
  return { type: 'tool_use', id, name, input: JSON.parse(input) };
}

/** Returns the blocks of an answer as they came, except for what would be refused: texts without words, calls of the wrong form, thoughts alone. */
function makeAcceptableBlocks(blocks: readonly unknown[]): Block[] {
  const kept = blocks.filter(isBlock).flatMap((block): Block[] => {
    const { type, text, name, input, id } = block;
    if (type === 'text' && typeof text === 'string' && text.trim() === '') return [];
    if (type !== 'tool_use' || typeof name !== 'string') return [block];
    const argumentsText = typeof input === 'string' ? input : JSON.stringify(input ?? {});
    return [{ ...block, ...makeToolUseBlock(id, { name, argumentsText }) }];
  });
  return kept.every(({ type }) => String(type).endsWith('thinking')) ? [] : kept;
}

const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
