import type { Dialect } from '#core/models/dialect.ts';
import type { ChatMessage, FunctionDefinition } from '#core/ports.ts';
import {
  chooseCompletionTokenLimit,
  keptItems,
  makeAcceptableCall,
  makeWireFunction,
  type Question,
  type RequestSettings,
} from './compose-request.ts';

/**
 * Returns the body of a request to the Responses API, which has no seed. Nothing is stored at the endpoint: the items of its
 * earlier answers, reasoning in encrypted form among them, go back with each request.
 */
export function composeResponsesApiRequest(
  question: Question,
  settings: RequestSettings,
  dialect: Dialect,
): Record<string, unknown> {
  const { messages, functions = [], parallelCalls = false, form } = question;
  const { address, model, temperature } = settings;
  const effort = functions.length === 0 ? dialect.effort : (dialect.effortWithFunctions ?? dialect.effort);
  return {
    model,
    input: messages.flatMap((message) => makeInputItems(message, dialect.returnsFields ? address : null)),
    ...(form === undefined ? {} : makeTextFormat(form)),
    ...(functions.length === 0 ? {} : { tools: functions.map((each) => makeResponsesApiTool(each, dialect)) }),
    ...(functions.length > 0 && dialect.parallelFlag ? { parallel_tool_calls: parallelCalls } : {}),
    ...(effort === null ? {} : { reasoning: { effort } }),
    ...(temperature === undefined ? {} : { temperature }),
    max_output_tokens: chooseCompletionTokenLimit(question, settings, dialect),
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
    ...dialect.extraBody,
  };
}

/** Functions are strict unless they say otherwise, and most schemas of tools do not fit strict mode. */
const makeResponsesApiTool = (offered: FunctionDefinition, dialect: Dialect) => ({
  type: 'function',
  ...makeWireFunction(offered, dialect).function,
  strict: false,
});

function makeTextFormat({ format, name, schema }: NonNullable<Question['form']>) {
  switch (format) {
    case 'schema':
      return { text: { format: { type: 'json_schema', name, strict: true, schema } } };
    case 'json-object':
      return { text: { format: { type: 'json_object' } } };
    case 'prompt':
      return {};
  }
}

function makeInputItems(message: ChatMessage, address: string | null): unknown[] {
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.toolCallId, output: message.content }];
  if (message.role !== 'assistant') return [{ role: message.role, content: message.content }];
  const { content, toolCalls, own } = message;
  const items = own?.address === address ? own.message[keptItems] : undefined;
  if (Array.isArray(items)) return items.map(makeAcceptableItem);
  const said = content === '' ? [] : [{ role: 'assistant', content }];
  const calls = toolCalls.map(({ id, ...call }) => ({
    type: 'function_call',
    call_id: id,
    ...makeAcceptableCall(call),
  }));
  return [...said, ...calls];
}

function makeAcceptableItem(item: unknown): unknown {
  if (!isFunctionCallItem(item)) return item;
  return { ...item, ...makeAcceptableCall({ name: item.name, argumentsText: item.arguments }) };
}

const isFunctionCallItem = (item: unknown): item is { readonly name: string; readonly arguments: string } =>
  typeof item === 'object' &&
  item !== null &&
  'name' in item &&
  'arguments' in item &&
  typeof item.name === 'string' &&
  typeof item.arguments === 'string';
