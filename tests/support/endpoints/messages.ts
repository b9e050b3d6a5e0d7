import { z } from 'zod';
import type { Message, OtherWire, Profile, Refused } from './profile.ts';
import { findBrokenRule } from './function-schema-rules.ts';
import { objectsIn, refused } from './rules.ts';

/** The fields of MessageCreateParams in anthropics/anthropic-sdk-typescript 1.12; `temperature` and its like are gone. */
const fields = (
  'model max_tokens messages system tools tool_choice metadata stop_sequences stream thinking output_config ' +
  'cache_control container diagnostics inference_geo service_tier speed user_profile_id workspace_id'
).split(' ');

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  thinking: z.string().optional(),
  signature: z.string().optional(),
  cache_control: z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).optional(),
});
type Block = z.infer<typeof block>;
const turn = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string().transform((text): Block[] => [{ type: 'text', text }]), z.array(block)]),
});
type Turn = z.infer<typeof turn>;

const request = z.looseObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  messages: z.array(turn).min(1),
  system: z.union([z.string().transform((): Block[] => []), z.array(block)]).default([]),
  stream: z.boolean().optional(),
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }).optional(),
    })
    .optional(),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
        description: z.string().min(1).optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
        cache_control: z.unknown().optional(),
        defer_loading: z.boolean().default(false),
      }),
    )
    .default([]),
});
type Asked = z.infer<typeof request>;

const thought = { type: 'thinking', thinking: 'I shall read it first.', signature: 'c2lnbmVk' };

/** Anthropic's Messages API. Its model thinks before each answer. */
export const answerMessagesRequest: OtherWire = (body, headers, answer) => {
  const read = request.safeParse(body);
  const wrong = findWrongHeader(headers) ?? findWrongField(body);
  if (wrong !== null) return wrong;
  if (!read.success)
    return refused(read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  const asked = read.data;
  const refusal =
    findWrongText(asked) ??
    findWrongOrder(asked.messages) ??
    findWrongCache(asked) ??
    findWrongDeferral(asked) ??
    findWrongSchema(asked) ??
    findWrongFunction(asked);
  if (refusal !== null) return refusal;
  const { content, calls } = answer({
    messages: [
      ...toMessages('system', asked.system),
      ...asked.messages.flatMap(({ role, content: said }) => toMessages(role, said)),
    ],
    tools: listVisibleTools(asked).map(({ name, description = '', input_schema: parameters }) => ({
      type: 'function' as const,
      function: { name, description, parameters },
    })),
  });
  const text = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
  const uses = calls.map(({ name, id, arguments: input }) => ({
    type: 'tool_use',
    id,
    name,
    input: typeof input === 'string' ? JSON.parse(input) : input,
  }));
  return writeAnswer([thought, ...text, ...uses]);
};

/** The names of the tools that results of searches refer to. */
const listReferences = ({ messages }: Asked): string[] =>
  messages
    .flatMap(({ content }) => content)
    .flatMap((each) => (each.type === 'tool_result' ? references.parse(each['content'] ?? []) : []))
    .flatMap(({ type, tool_name: name }) => (type === 'tool_reference' ? [name ?? ''] : []));

const references = z.array(z.looseObject({ type: z.string(), tool_name: z.string().optional() })).catch([]);

/** The model sees a deferred tool only once a result has referred to it. */
function listVisibleTools(asked: Asked): Asked['tools'] {
  const found = listReferences(asked);
  return asked.tools.filter(({ name, defer_loading: isDeferred }) => !isDeferred || found.includes(name));
}

/** platform.claude.com, "Tool search tool: custom implementation"; router-for-me/CLIProxyAPI#4561 has the words of the first. */
function findWrongDeferral(asked: Asked): Refused | null {
  const { tools } = asked;
  const cached = tools.find(({ cache_control: mark, defer_loading: isDeferred }) => isDeferred && mark !== undefined);
  if (cached !== undefined)
    return refused(
      `Tool '${cached.name}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.`,
    );
  if (tools.length > 0 && tools.every(({ defer_loading: isDeferred }) => isDeferred))
    return refused('tools: At least one tool must have defer_loading=false');
  const unknown = listReferences(asked).find((name) => !tools.some((tool) => tool.name === name));
  return unknown === undefined ? null : refused(`Tool reference '${unknown}' not found in available tools`);
}

/** Returns a turn as chat completions have it. */
function toMessages(role: string, content: readonly Block[]): Message[] {
  const results = content.filter(({ type }) => type === 'tool_result');
  const calls = content.filter(({ type }) => type === 'tool_use');
  const text = content.map((each) => (each.type === 'text' ? (each.text ?? '') : '')).join('\n\n');
  return [
    ...results.map((each) => ({
      role: 'tool',
      tool_call_id: each.tool_use_id ?? '',
      content: textOf(each['content']),
    })),
    ...(text === '' && calls.length === 0
      ? []
      : [
          {
            role,
            content: text,
            ...(calls.length === 0
              ? {}
              : {
                  tool_calls: calls.map(({ id = '', name = '', input }) => ({
                    id,
                    type: 'function',
                    function: { name, arguments: JSON.stringify(input) },
                  })),
                }),
          },
        ]),
  ];
}

const textOf = (content: unknown): string =>
  z
    .array(block)
    .catch([])
    .parse(content)
    .map(({ text = '' }) => text)
    .join('');

/** platform.claude.com, "Migrating to API version 2026-10-21": the key, and the version that the SDK speaks. */
function findWrongHeader(headers: Headers): Refused | null {
  const key = headers.get('x-api-key') ?? headers.get('authorization')?.replace(/^Bearer /, '') ?? '';
  if (!key.startsWith('sk-')) return refused('invalid x-api-key', undefined, 'authentication_error', 401);
  return headers.get('anthropic-version') === '2026-10-21' ? null : refused('anthropic-version: header is required');
}

function findWrongField(body: unknown): Refused | null {
  const other = Object.keys(z.looseObject({}).parse(body)).find((name) => !fields.includes(name));
  return other === undefined ? null : refused(`${other}: Extra inputs are not permitted`);
}

/** cline/cline#1290: "text content blocks must be non-empty", and not of whitespace only. */
function findWrongText({ system, messages }: Asked): Refused | null {
  const blocks = [...system, ...messages.flatMap(({ content }) => content)];
  const empty = blocks.some(({ type, text }) => type === 'text' && (text ?? '').trim() === '');
  if (empty) return refused('messages: text content blocks must contain non-whitespace text');
  const bare = messages.findIndex(({ content }) => content.length === 0);
  return bare < 0 ? null : refused(`messages.${bare}: all messages must have non-empty content`);
}

/**
 * platform.claude.com, "Handle tool calls": the results of all calls begin the next message. "Extended thinking": the thoughts
 * before a call come back unchanged. anthropics/claude-code#3512, tghamm/Anthropic.SDK#184 have the words.
 */
function findWrongOrder(turns: readonly Turn[]): Refused | null {
  const last = turns.at(-1);
  if (turns[0]?.role !== 'user') return refused('messages: first message must use the "user" role');
  if (last?.role === 'assistant') return refused('This model does not support assistant message prefill.');
  for (const [at, { role, content }] of turns.entries()) {
    const before = turns[at - 1];
    if (before?.role === role) return refused('messages: roles must alternate between "user" and "assistant"');
    const open = (before?.content ?? []).flatMap(({ type, id = '' }) => (type === 'tool_use' ? [id] : []));
    const results = content.flatMap(({ type, tool_use_id: id = '' }) => (type === 'tool_result' ? [id] : []));
    const unasked = results.find((id) => !open.includes(id));
    if (unasked !== undefined)
      return refused(
        `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unasked}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    const unanswered = open.filter((id) => !results.includes(id));
    const isFirst = content.slice(0, results.length).every(({ type }) => type === 'tool_result');
    if (unanswered.length > 0 || !isFirst)
      return refused(
        `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${unanswered.join(', ')}.`,
      );
    const wrong = role === 'assistant' ? findWrongCall(content, at) : null;
    if (wrong !== null) return wrong;
  }
  return null;
}

function findWrongCall(content: readonly Block[], at: number): Refused | null {
  const calls = content.filter(({ type }) => type === 'tool_use');
  const malformed = calls.find(
    ({ name = '', input }) =>
      !/^[a-zA-Z0-9_-]{1,128}$/.test(name) || !z.record(z.string(), z.unknown()).safeParse(input).success,
  );
  if (malformed !== undefined) return refused(`messages.${at}.content.1.tool_use.name: String should match pattern`);
  const { type, thinking, signature } = content[0] ?? {};
  const isThought = type === thought.type && thinking === thought.thinking && signature === thought.signature;
  return calls.length === 0 || isThought
    ? null
    : refused(`messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`.`);
}

/** platform.claude.com, "Prompt caching": at most four breakpoints, none on thoughts. */
function findWrongCache({ system, messages, tools }: Asked): Refused | null {
  const blocks = [...system, ...tools, ...messages.flatMap(({ content }) => content)];
  const marked = blocks.filter(({ cache_control: mark }) => mark !== undefined);
  if (marked.some((each) => 'type' in each && each.type.endsWith('thinking')))
    return refused('messages: thinking blocks cannot have cache_control');
  return marked.length <= 4
    ? null
    : refused(`A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`);
}

/** platform.claude.com, "Structured outputs: JSON schema limitations"; laravel/ai#715, agentjido/req_llm#706. */
const refusedKeywords: readonly string[] = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
];

function findWrongFunction({ tools }: Asked): Refused | null {
  for (const [at, { input_schema: schema }] of tools.entries()) {
    const broken = findBrokenRule(schema, 'anthropic');
    if (broken !== null) return refused(`tools.${at}.custom.input_schema: ${broken}`);
  }
  return null;
}

function findWrongSchema({ output_config: config }: Asked): Refused | null {
  for (const [node, path] of objectsIn(config?.format?.schema ?? {})) {
    if (/(?:^|\.)properties$/.test(path)) continue;
    const keyword = Object.keys(node).find((key) => refusedKeywords.includes(key));
    if (keyword !== undefined)
      return refused(
        `output_config.format.schema: For '${String(node['type'])}' type, property '${keyword}' is not supported`,
      );
    if (node['type'] === 'object' && node['additionalProperties'] !== false)
      return refused(
        "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
      );
  }
  return null;
}

const usage = { input_tokens: 500, cache_creation_input_tokens: 300, cache_read_input_tokens: 1_200 };

function writeAnswer(content: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] {
  const isCall = content.some(({ type }) => type === 'tool_use');
  const start = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  };
  return [
    { type: 'message_start', message: start },
    { type: 'ping' },
    ...content.flatMap((each, index) => [
      { type: 'content_block_start', index, content_block: emptied(each) },
      ...deltasOf(each).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 200, output_tokens_details: { thinking_tokens: 120 } },
    },
    { type: 'message_stop' },
  ];
}

const emptied = (each: Readonly<Record<string, unknown>>) =>
  each['type'] === 'tool_use' ? { ...each, input: {} } : { type: each['type'], text: '', thinking: '', signature: '' };

function deltasOf({ type, text, thinking, signature, input }: Readonly<Record<string, unknown>>): unknown[] {
  if (type === 'text') return pieces(String(text)).map((piece) => ({ type: 'text_delta', text: piece }));
  if (type === 'tool_use')
    return pieces(JSON.stringify(input)).map((piece) => ({ type: 'input_json_delta', partial_json: piece }));
  return [
    ...pieces(String(thinking)).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
    { type: 'signature_delta', signature },
  ];
}

const pieces = (text: string): string[] => [text.slice(0, 9), text.slice(9)];

export const anthropicMessages: Profile = {
  name: 'Anthropic (Messages)',
  baseUrl: 'https://api.anthropic.com/v1',
  model: 'claude-opus-5-5',
  rules: [],
  isWithoutChat: true,
  otherWires: { '/messages': answerMessagesRequest },
  writeRefusal: ({ message, status, code = status === 404 ? 'not_found_error' : 'invalid_request_error' }) => ({
    type: 'error',
    error: { type: code, message },
    request_id: 'req_1',
  }),
};
