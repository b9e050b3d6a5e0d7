import { z } from 'zod';
import type { Answer, Message, OtherWire, Refused } from './profile.ts';
import { refused } from './rules.ts';

/** The fields of CreateResponse in openai/openai-openapi. */
const fields = (
  'access_programs background context_management conversation include input instructions max_output_tokens max_tool_calls ' +
  'metadata model parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_retention reasoning ' +
  'safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p ' +
  'truncation user'
).split(' ');

const item = z.looseObject({
  type: z.string().default('message'),
  id: z.string().optional(),
  role: z.string().optional(),
  content: z.unknown().optional(),
  call_id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.unknown().optional(),
  encrypted_content: z.string().optional(),
  output: z.unknown().optional(),
  execution: z.string().optional(),
  tools: z.unknown().optional(),
});
type Item = z.infer<typeof item>;

const request = z.looseObject({
  model: z.string(),
  input: z.array(item).min(1),
  store: z.boolean().default(true),
  stream: z.boolean().optional(),
  include: z.array(z.string()).default([]),
  max_output_tokens: z.int().min(16).optional(),
  text: z
    .looseObject({
      format: z
        .looseObject({ type: z.string(), name: z.string().optional(), schema: z.unknown().optional() })
        .optional(),
    })
    .optional(),
  tools: z.array(z.lazy(() => tool)).default([]),
});

const tool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  description: z.string().default(''),
  parameters: z.record(z.string(), z.unknown()).default({}),
  strict: z.boolean().default(true),
  execution: z.enum(['server', 'client']).default('server'),
  defer_loading: z.boolean().default(false),
});
type Tool = z.infer<typeof tool>;

const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VjcmV0' };

/** OpenAI's Responses API. Its model reasons before each answer. */
export const answerResponseRequest: OtherWire = (body, _headers, answer) => {
  const read = request.safeParse(body);
  if (!read.success) return refused(read.error.message);
  const { input, tools, text } = read.data;
  const wrong =
    findUnknownField(read.data) ??
    findUnstored(read.data) ??
    findWrongOrder(input) ??
    findWrongTool(tools) ??
    findWrongTool(listLoadedTools(input)) ??
    findWrongFormat(read.data);
  if (wrong !== null) return wrong;
  const { content, calls } = answer({
    messages: toMessages(input),
    tools: [...tools, ...listLoadedTools(input)].map(({ type, name = type, description, parameters }) => ({
      type: 'function' as const,
      function: { name, description, parameters },
    })),
    form: text?.format?.name,
  });
  const isSearch = ({ name }: Answer['calls'][number]): boolean => tools.some(({ type }) => type === name);
  const items = calls.map((call) => (isSearch(call) ? writeSearch(call) : writeCall(call)));
  return writeEvents(calls.length > 0 ? items : [writeMessage(String(content))]);
};

/** developers.openai.com, "Tool search", with `execution: client`: what the model may call beside the tools of the request. */
const listLoadedTools = (input: readonly Item[]): Tool[] =>
  input.flatMap(({ type, tools }) => (type === 'tool_search_output' ? z.array(tool).parse(tools) : []));

const writeSearch = ({ id, arguments: args }: Answer['calls'][number]) => ({
  type: 'tool_search_call',
  id: `tsc_${id}`,
  call_id: id,
  execution: 'client',
  arguments: typeof args === 'string' ? JSON.parse(args) : args,
  status: 'completed',
});

const writeCall = ({ id, name, arguments: args }: Answer['calls'][number]) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: args,
  status: 'completed',
});

const writeMessage = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

const usage = {
  input_tokens: 2_000,
  input_tokens_details: { cached_tokens: 1_000, cache_write_tokens: 0 },
  output_tokens: 200,
  output_tokens_details: { reasoning_tokens: 120 },
  total_tokens: 2_200,
};

function writeEvents(said: readonly unknown[]): readonly unknown[] {
  const output = [reasoning, ...said];
  const response = { id: 'resp_1', object: 'response', status: 'completed', error: null, incomplete_details: null };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response: { ...response, output, usage } },
  ];
}

/** Returns the items of a conversation as chat completions have them: the calls of one answer are one message. */
function toMessages(input: readonly Item[]): Message[] {
  const messages: Message[] = [];
  for (const {
    type,
    role = 'assistant',
    content,
    call_id: id = '',
    name = '',
    arguments: args = '',
    output,
    tools,
  } of input) {
    const last = messages.at(-1);
    const isSearch = type === 'tool_search_call';
    const written = typeof args === 'string' ? args : JSON.stringify(args);
    const call = { id, type: 'function', function: { name: isSearch ? 'tool_search' : name, arguments: written } };
    if (type === 'message') messages.push({ role, content: typeof content === 'string' ? content : textOf(content) });
    else if (type === 'function_call_output') messages.push({ role: 'tool', tool_call_id: id, content: output });
    else if (type === 'tool_search_output')
      messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(tools) });
    else if ((type === 'function_call' || isSearch) && last?.role === 'assistant')
      messages[messages.length - 1] = { ...last, tool_calls: [...(last.tool_calls ?? []), call] };
    else if (type === 'function_call' || isSearch)
      messages.push({ role: 'assistant', content: '', tool_calls: [call] });
  }
  return messages;
}

const textOf = (parts: unknown): string =>
  z
    .array(z.looseObject({ text: z.string().default('') }))
    .parse(parts)
    .map(({ text }) => text)
    .join('');

function findUnknownField(body: Readonly<Record<string, unknown>>): Refused | null {
  const other = Object.keys(body).find((name) => !fields.includes(name));
  return other === undefined ? null : refused(`Unknown parameter: '${other}'.`, other, 'unknown_parameter');
}

/** developers.openai.com, "Reasoning": without storage, reasoning has to come and go back in encrypted form. */
function findUnstored({ store, include, input }: z.infer<typeof request>): Refused | null {
  if (store) return refused('This organization keeps no data: set store to false.', 'store');
  if (!include.includes('reasoning.encrypted_content')) return refused('Reasoning would be lost.', 'include');
  const bare = input.find(
    ({ type, encrypted_content: text }) => type === 'reasoning' && text !== reasoning.encrypted_content,
  );
  return bare === undefined
    ? null
    : refused(
        `Item with id '${bare.id}' not found. Items are not persisted when \`store\` is set to false.`,
        'input',
        undefined,
        404,
      );
}

/** Calls and results belong together, and a call to its reasoning: "was provided without its required 'reasoning' item". */
function findWrongOrder(input: readonly Item[]): Refused | null {
  const open = new Set<string>();
  for (const [at, { type, id, call_id: call = '', name = '', arguments: args = '' }] of input.entries()) {
    if (type === 'tool_search_call') {
      if (typeof args !== 'object') return refused(`Invalid 'input[${at}].arguments'.`, `input[${at}].arguments`);
      open.add(call);
    }
    if (type === 'function_call') {
      if (!['reasoning', 'function_call', 'tool_search_call'].includes(input[at - 1]?.type ?? ''))
        return refused(
          `Item '${id}' of type 'function_call' was provided without its required 'reasoning' item.`,
          'input',
        );
      if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) return refused(`Invalid 'input[${at}].name'.`, `input[${at}].name`);
      if (!/^\{.*\}$/s.test(String(args)))
        return refused(`Invalid 'input[${at}].arguments'.`, `input[${at}].arguments`);
      open.add(call);
    }
    const isOutput = type === 'function_call_output' || type === 'tool_search_output';
    if (isOutput && !open.delete(call))
      return refused(`No tool call found for function call output with call_id ${call}.`, 'input');
  }
  return open.size === 0 ? null : refused(`No tool output found for function call ${[...open].join()}.`, 'input');
}

/** Functions are flat, and strict unless they say otherwise. */
function findWrongTool(all: readonly Tool[]): Refused | null {
  const tools = all.filter(({ type }) => type !== 'tool_search');
  if (all.some(({ type, execution }) => type === 'tool_search' && execution !== 'client'))
    return refused('Tool search of this stand-in is executed by the client.', 'tools');
  if (tools.some(({ name }) => name === undefined))
    return refused("Missing required parameter: 'tools[0].name'.", 'tools[0].name');
  const strict = tools.find((tool) => tool.strict);
  return strict === undefined
    ? null
    : refused(
        `Invalid schema for function '${strict.name}': In context=(), 'required' is required to be supplied.`,
        'tools[0].parameters',
      );
}

/** A schema is flat beside its name, where chat completions have it within `json_schema`. */
const findWrongFormat = ({ text }: z.infer<typeof request>): Refused | null =>
  text?.format?.type === 'json_schema' && (text.format.name === undefined || text.format.schema === undefined)
    ? refused("Missing required parameter: 'text.format.name'.", 'text.format.name', 'missing_required_parameter')
    : null;
