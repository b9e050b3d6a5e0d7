import type { Profile, Rule } from './profile.ts';
import { assistantCalls, ordersToolMessages, refused, takesFunctionsUpTo, wantsKey } from './rules.ts';
import { writeOpenAiRefusal } from './openai.ts';
import { failureInAnswer } from './troubles.ts';

/** api-docs.deepseek.com: `text` or `json_object` only (llm-exe/llm-exe#662, UKGovernmentBEIS/inspect_ai#4916). */
const takesJsonObjectOnly: Rule = ({ body: { response_format: format, messages } }) => {
  if (format === undefined || format.type === 'text') return null;
  if (format.type !== 'json_object')
    return refused('This response_format type is unavailable now', undefined, 'invalid_request_error');
  return /json/i.test(JSON.stringify(messages))
    ? null
    : refused(
        "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.",
        undefined,
        'invalid_request_error',
      );
};

/** api-docs.deepseek.com, "Thinking mode: tool calls"; abhigyanpatwari/GitNexus#43. */
const wantsReasoning: Rule = ({ body: { messages } }) => {
  const at = messages.findIndex(
    (message) => assistantCalls([message]).length > 0 && message['reasoning_content'] !== thoughts,
  );
  return at < 0
    ? null
    : refused(
        `Missing \`reasoning_content\` field in the assistant message at message index ${at}. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls`,
        undefined,
        'invalid_request_error',
      );
};

const thoughts = 'The user wants a file. I shall read it first.';

export const deepSeek: Profile = {
  name: 'DeepSeek (thinking)',
  baseUrl: 'https://api.deepseek.com',
  model: 'deepseek-v4-pro',
  rules: [
    wantsKey('authorization', /^Bearer sk-/),
    takesJsonObjectOnly,
    wantsReasoning,
    takesFunctionsUpTo(128),
    ordersToolMessages,
  ],
  writeRefusal: writeOpenAiRefusal,
  adorn: (answer) => ({
    ...answer,
    others: { reasoning_content: thoughts },
    usage: {
      prompt_tokens: 2_000,
      completion_tokens: 200,
      total_tokens: 2_200,
      prompt_cache_hit_tokens: 1_500,
      completion_tokens_details: { reasoning_tokens: 150 },
    },
  }),
};

/** Its model that does not think, whose messages have no reasoning. */
export const deepSeekChat: Profile = {
  name: 'DeepSeek (chat)',
  baseUrl: deepSeek.baseUrl,
  model: 'deepseek-chat',
  rules: [wantsKey('authorization', /^Bearer sk-/), takesJsonObjectOnly, takesFunctionsUpTo(128), ordersToolMessages],
  writeRefusal: writeOpenAiRefusal,
};

/** docs.mistral.ai, chat completion. */
const mistralFields = (
  'model messages temperature top_p max_tokens stream stop random_seed metadata ' +
  'response_format tools tool_choice presence_penalty frequency_penalty n prediction ' +
  'parallel_tool_calls prompt_mode reasoning_effort guardrails safe_prompt prompt_cache_key'
).split(' ');
const mistralMessageFields: readonly string[] = ['role', 'content', 'tool_calls', 'prefix', 'tool_call_id', 'name'];

/** editor-code-assistant/eca#231, Gitlawb/openclaude#739: every field that is not published is refused, in messages too. */
const forbidsExtras: Rule = ({ fields, body: { messages } }) => {
  const extra = fields.filter((name) => !mistralFields.includes(name)).map((name) => ['body', name]);
  const inMessages = messages.flatMap((message, at) =>
    Object.keys(message)
      .filter((name) => !mistralMessageFields.includes(name))
      .map((name) => ['body', 'messages', String(at), message.role, name]),
  );
  const all = [...extra, ...inMessages];
  return all.length === 0 ? null : { status: 422, message: JSON.stringify(all), code: 'extra_forbidden' };
};

/** "Tool call id was ... but must be a-z, A-Z, 0-9, with a length of 9." */
const wantsOwnIds: Rule = ({ body: { messages } }) => {
  const ids = messages.flatMap(({ tool_calls: calls = [], tool_call_id: id }) => [
    ...calls.map((call) => call.id),
    ...(id === undefined ? [] : [id]),
  ]);
  const wrong = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
  return wrong === undefined
    ? null
    : refused(`Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`);
};

const thinking = { type: 'thinking', thinking: [{ type: 'text', text: thoughts }] };

export const mistral: Profile = {
  name: 'Mistral',
  baseUrl: 'https://api.mistral.ai/v1',
  model: 'magistral-medium-latest',
  rules: [wantsKey('authorization', /^Bearer sk-/), forbidsExtras, wantsOwnIds, ordersToolMessages],
  writeRefusal: ({ status, message, code }) =>
    code === 'extra_forbidden'
      ? {
          object: 'error',
          message: {
            detail: parsePlaces(message).map((loc) => ({
              type: code,
              loc,
              msg: 'Extra inputs are not permitted',
              input: 1,
            })),
          },
          type: 'invalid_request_error',
          param: null,
          code: null,
        }
      : { object: 'error', message, type: 'invalid_request_message_order', param: null, code: String(status) },
  // The content of thinking models comes as parts.
  adorn: (answer) => ({
    ...answer,
    content: [thinking, ...(typeof answer.content === 'string' ? [{ type: 'text', text: answer.content }] : [])],
    calls: answer.calls.map((call, at) => ({ ...call, id: `D681PevK${at}` })),
  }),
  writesUsageUnasked: true,
};

const parsePlaces = (text: string): string[][] => {
  const places: unknown = JSON.parse(text);
  return Array.isArray(places) ? places.map((place) => (Array.isArray(place) ? place.map(String) : [])) : [];
};

const reasoningDetails = [
  { type: 'reasoning.encrypted', data: 'c2VjcmV0', id: 'r1', format: 'google-gemini-v1', index: 0 },
];

/** openrouter.ai/docs: reasoning details go back unmodified; the endpoint behind refuses in its own words, quoted in `metadata.raw`. */
const wantsReasoningDetails: Rule = ({ body: { messages } }) =>
  assistantCalls(messages).every(
    (message) => JSON.stringify(message['reasoning_details']) === JSON.stringify(reasoningDetails),
  )
    ? null
    : refused('Function call is missing a thought_signature in functionCall parts.');

export const openRouter: Profile = {
  name: 'OpenRouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  model: 'google/gemini-3.5-flash:nitro',
  rules: [wantsKey('authorization', /^Bearer sk-/), wantsReasoningDetails, ordersToolMessages],
  writeRefusal: ({ status, message }) => ({
    error: {
      code: status,
      message: 'Provider returned error',
      metadata: {
        raw: JSON.stringify([{ error: { code: status, message, status: 'INVALID_ARGUMENT' } }]),
        provider_name: 'Google',
      },
    },
  }),
  adorn: (answer) => ({ ...answer, others: { reasoning: 'Let me see.', reasoning_details: reasoningDetails } }),
  // openrouter.ai/docs/errors: an error while the model writes comes within an answer of status 200.
  fail: (place) => (place < 1 ? failureInAnswer() : null),
};

/** tashfeenahmed/freellmapi#1070, karthink/gptel#774: Groq refuses in requests the fields of reasoning that its answers have. */
const refusesReasoning: Rule = ({ body: { messages } }) => {
  const at = messages.findIndex((message) => 'reasoning' in message || 'reasoning_content' in message);
  return at < 0
    ? null
    : refused(
        `'messages.${at}' : for 'role:assistant' the following must be satisfied[('messages.${at}' : property 'reasoning' is unsupported)]`,
      );
};

export const groq: Profile = {
  name: 'Groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  model: 'deepseek-r1-distill-llama-70b',
  rules: [wantsKey('authorization', /^Bearer sk-/), refusesReasoning, takesFunctionsUpTo(128), ordersToolMessages],
  writeRefusal: ({ message }) => ({ error: { message, type: 'invalid_request_error' } }),
  adorn: (answer) => ({ ...answer, others: { reasoning: thoughts } }),
};

/** platform.claude.com, "OpenAI SDK compatibility": response formats and seeds are ignored, so nothing enforces a form. */
export const anthropic: Profile = {
  name: 'Anthropic (compatibility layer)',
  baseUrl: 'https://api.anthropic.com/v1',
  model: 'claude-sonnet-5',
  rules: [wantsKey('authorization', /^Bearer sk-/), ordersToolMessages],
  writeRefusal: ({ message }) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  adorn: (answer) =>
    answer.content === '{"n": 3}'
      ? {
          ...answer,
          content: `Here is the JSON you asked for:\n\n\`\`\`json\n${answer.content}\n\`\`\`\n\nLet me know {if} it fits.`,
        }
      : answer,
};
