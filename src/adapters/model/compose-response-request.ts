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
  const deferral = splitDeferredFunctions(functions, dialect);
  const effort = functions.length === 0 ? dialect.effort : (dialect.effortWithFunctions ?? dialect.effort);
  return {
    model,
    input: messages.flatMap((message) =>
      makeInputItems(message, { address: dialect.returnsFields ? address : null, ...deferral }),
    ),
    ...(form === undefined ? {} : makeTextFormat(form)),
    ...(functions.length === 0 ? {} : { tools: deferral.tools }),
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

/** The functions of a request: those that it defines, the name of its search, and those that results of the search define. */
interface Deferral {
  readonly tools: readonly unknown[];
  readonly search: string | null;
  readonly loaded: ReadonlyMap<string, unknown>;
}

/** Where an endpoint takes loaded functions as such, its search is a tool of its own kind, whose results define them. */
function splitDeferredFunctions(functions: readonly FunctionDefinition[], dialect: Dialect): Deferral {
  const make = (each: FunctionDefinition) => makeResponsesApiTool(each, dialect);
  const search = functions.find(({ loading }) => loading === 'search');
  if (!dialect.deferredFunctions || search === undefined)
    return { tools: functions.map(make), search: null, loaded: new Map() };
  const { description, parameters } = search;
  const loaded = functions.filter(({ loading }) => loading === 'loaded');
  return {
    tools: [
      { type: 'tool_search', execution: 'client', description, parameters },
      ...functions.filter(({ loading }) => loading === undefined).map(make),
    ],
    search: search.name,
    loaded: new Map(loaded.map((each) => [each.name, { ...make(each), defer_loading: true }])),
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

function makeInputItems(
  message: ChatMessage,
  { address, search, loaded }: Omit<Deferral, 'tools'> & { readonly address: string | null },
): unknown[] {
  if (message.role === 'tool' && search !== null && message.loads !== undefined) {
    const tools = message.loads.flatMap((name) => loaded.get(name) ?? []);
    const done = { execution: 'client', status: 'completed' } as const;
    return [{ type: 'tool_search_output', call_id: message.toolCallId, ...done, tools }];
  }
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.toolCallId, output: message.content }];
  if (message.role !== 'assistant') return [{ role: message.role, content: message.content }];
  const { content, toolCalls, own } = message;
  const items = own?.address === address ? own.message[keptItems] : undefined;
  if (Array.isArray(items)) return items.map(makeAcceptableItem);
  const said = content === '' ? [] : [{ role: 'assistant', content }];
  const calls = toolCalls.map(({ id, ...call }) => {
    const acceptable = makeAcceptableCall(call);
    if (call.name !== search) return { type: 'function_call', call_id: id, ...acceptable };
    const args: unknown = JSON.parse(acceptable.arguments);
    return { type: 'tool_search_call', call_id: id, execution: 'client', status: 'completed', arguments: args };
  });
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
