import type { Dialect } from '#core/models/dialect.ts';
import type { ChatMessage, FunctionDefinition } from '#core/ports.ts';
import {
  findLimit,
  keptItems,
  repairCall,
  writeFunction,
  type Question,
  type RequestSettings,
} from './compose-request.ts';

/**
 * Returns the body of a request to the Responses API, which has no seed. Nothing is stored at the endpoint: the items of its
 * earlier answers, reasoning in encrypted form among them, go back with each request.
 */
export function composeResponseRequest(
  question: Question,
  settings: RequestSettings,
  dialect: Dialect,
): Record<string, unknown> {
  const { messages, functions = [], parallelCalls = false, form } = question;
  const { address, model, temperature } = settings;
  const effort = functions.length === 0 ? dialect.effort : (dialect.effortWithFunctions ?? dialect.effort);
  return {
    model,
    input: messages.flatMap((message) => writeItems(message, dialect.returnsFields ? address : null)),
    ...(form === undefined ? {} : writeTextFormat(form)),
    ...(functions.length === 0 ? {} : { tools: functions.map((each) => writeTool(each, dialect)) }),
    ...(functions.length > 0 && dialect.parallelFlag ? { parallel_tool_calls: parallelCalls } : {}),
    ...(effort === null ? {} : { reasoning: { effort } }),
    ...(temperature === undefined ? {} : { temperature }),
    max_output_tokens: findLimit(question, settings, dialect),
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
    ...dialect.extraBody,
  };
}

/** Functions are strict unless they say otherwise, and most schemas of tools do not fit strict mode. */
const writeTool = (offered: FunctionDefinition, dialect: Dialect) => ({
  type: 'function',
  ...writeFunction(offered, dialect).function,
  strict: false,
});

function writeTextFormat({ format, name, schema }: NonNullable<Question['form']>) {
  switch (format) {
    case 'schema':
      return { text: { format: { type: 'json_schema', name, strict: true, schema } } };
    case 'json-object':
      return { text: { format: { type: 'json_object' } } };
    case 'prompt':
      return {};
  }
}

function writeItems(message: ChatMessage, address: string | null): unknown[] {
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.toolCallId, output: message.content }];
  if (message.role !== 'assistant') return [{ role: message.role, content: message.content }];
  const { content, toolCalls, own } = message;
  const items = own?.address === address ? own.message[keptItems] : undefined;
  if (Array.isArray(items)) return items.map(repairItem);
  const said = content === '' ? [] : [{ role: 'assistant', content }];
  const calls = toolCalls.map(({ id, ...call }) => ({ type: 'function_call', call_id: id, ...repairCall(call) }));
  return [...said, ...calls];
}

function repairItem(item: unknown): unknown {
  if (!isCall(item)) return item;
  return { ...item, ...repairCall({ name: item.name, argumentsText: item.arguments }) };
}

const isCall = (item: unknown): item is { readonly name: string; readonly arguments: string } =>
  typeof item === 'object' &&
  item !== null &&
  'name' in item &&
  'arguments' in item &&
  typeof item.name === 'string' &&
  typeof item.arguments === 'string';
