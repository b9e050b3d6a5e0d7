import { expect, test } from 'vitest';
import type { Profile } from '../support/endpoints/profile.ts';
import { profileNamed, profiles } from '../support/endpoints/profiles.ts';
import { serveProfile } from '../support/endpoints/serve.ts';

const said = (call: object, more: object = {}) => [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'abcdefgh1', type: 'function', function: { name: 'a', arguments: '{}' }, ...call }],
    ...more,
  },
  { role: 'tool', tool_call_id: 'abcdefgh1', content: 'done' },
];
const functionWith = (more: object) => ({
  tools: [
    {
      type: 'function',
      function: { name: 'a', description: '', parameters: { type: 'object', properties: {} }, ...more },
    },
  ],
});
const openSchema = {
  type: 'json_schema',
  json_schema: { name: 'n', strict: true, schema: { type: 'object', properties: { n: {} } } },
};

/** A conversation with Anthropic's Messages API. */
const turns = (
  thought: object = {},
  call: object = {},
  result: unknown = 'done',
): { role: string; content: unknown }[] => [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'I shall read it first.', signature: 'c2lnbmVk', ...thought },
      { type: 'tool_use', id: 'toolu_0', name: 'a', input: {}, ...call },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_0', content: result }] },
];
const reference = (name: string) => ({ type: 'tool_reference', tool_name: name });
const deferredTool = (name: string) => ({
  name,
  description: 'does it',
  input_schema: { type: 'object' },
  defer_loading: true,
});
const markedTool = (n: number) => ({
  name: `a${n}`,
  description: 'does a',
  input_schema: { type: 'object' },
  cache_control: { type: 'ephemeral' },
});
const formOf = (properties: object) => ({
  output_config: {
    format: {
      type: 'json_schema',
      schema: { type: 'object', properties, required: ['n'], additionalProperties: false },
    },
  },
});

/** Each endpoint, and what it refuses. */
const refused: readonly (readonly [name: string, body: object, status: number])[] = [
  ['OpenAI gpt-5.4', { random_seed: 1 }, 400],
  ['OpenAI gpt-5.4', { max_tokens: 1 }, 400],
  ['OpenAI gpt-5.4', { temperature: 0.5 }, 400],
  ['OpenAI gpt-5.4', { response_format: openSchema }, 400],
  ['OpenAI gpt-5.4', functionWith({ parameters: { type: 'object' } }), 400],
  ['OpenAI gpt-5.4', functionWith({ name: 'files/read' }), 400],
  ['OpenAI gpt-5.4', { tools: Array.from({ length: 129 }, () => functionWith({}).tools[0]) }, 400],
  ['OpenAI gpt-5.4', { messages: said({}).slice(0, 2).concat({ role: 'user', content: 'and?' }) }, 400],
  ['OpenAI gpt-5.4', { messages: said({}).slice(2) }, 400],
  ['OpenAI o4-mini', { parallel_tool_calls: false }, 400],
  ['OpenAI gpt-5.6', functionWith({}), 400],
  ['Azure OpenAI', functionWith({ description: 'x'.repeat(1_025) }), 400],
  ['Gemini (compatibility layer)', { seed: 1 }, 400],
  ['Gemini (compatibility layer)', functionWith({ parameters: { $schema: 'x' } }), 400],
  [
    'Gemini (compatibility layer)',
    functionWith({ parameters: { properties: { a: { type: ['string', 'null'] } } } }),
    400,
  ],
  ['Gemini (compatibility layer)', { messages: said({}) }, 400],
  ['DeepSeek (thinking)', { response_format: openSchema }, 400],
  ['DeepSeek (thinking)', { response_format: { type: 'json_object' } }, 400],
  ['DeepSeek (thinking)', { messages: said({}) }, 400],
  ['Mistral', { seed: 1 }, 422],
  ['Mistral', { messages: said({}, { reasoning_content: 'x' }) }, 422],
  ['Mistral', { messages: said({ id: 'call-1' }) }, 400],
  ['Anthropic (Messages)', { seed: 1 }, 400],
  ['Anthropic (Messages)', { temperature: 0.5 }, 400],
  ['Anthropic (Messages)', { max_tokens: undefined }, 400],
  ['Anthropic (Messages)', { messages: [{ role: 'user', content: ' ' }] }, 400],
  ['Anthropic (Messages)', { messages: [...turns(), { role: 'user', content: 'and?' }] }, 400],
  ['Anthropic (Messages)', { messages: turns().slice(0, 2).concat({ role: 'user', content: 'and?' }) }, 400],
  ['Anthropic (Messages)', { messages: turns().slice(0, 1).concat(turns().slice(2)) }, 400],
  ['Anthropic (Messages)', { messages: turns({ thinking: 'else' }) }, 400],
  ['Anthropic (Messages)', { messages: turns({ cache_control: { type: 'ephemeral' } }) }, 400],
  ['Anthropic (Messages)', { messages: turns({}, { name: 'files/read' }) }, 400],
  ['Anthropic (Messages)', { messages: turns({}, { input: '{' }) }, 400],
  ['Anthropic (Messages)', { tools: [{ name: 'a', description: 'does a', input_schema: {} }] }, 400],
  ['Anthropic (Messages)', { tools: [{ name: 'a/b', description: 'does a', input_schema: { type: 'object' } }] }, 400],
  ['Anthropic (Messages)', { tools: Array.from({ length: 5 }, (_, n) => markedTool(n)) }, 400],
  ['Anthropic (Messages)', formOf({ n: { type: 'integer', minimum: 1 } }), 400],
  ['Anthropic (Messages)', { tools: [markedTool(1), { ...markedTool(2), defer_loading: true }] }, 400],
  ['Anthropic (Messages)', { tools: [deferredTool('a')] }, 400],
  [
    'Anthropic (Messages)',
    { messages: turns({}, {}, [reference('b')]), tools: [markedTool(1), deferredTool('a')] },
    400,
  ],
  ['OpenRouter', { messages: said({}) }, 400],
  ['Groq', { messages: said({}, { reasoning: 'x' }) }, 400],
  ['vLLM (32k window, thinks aloud)', { max_completion_tokens: 32_768 }, 400],
  ['vLLM (32k window, thinks aloud)', { messages: said({ function: { name: 'a', arguments: '{' } }) }, 400],
  ['llama.cpp', { messages: [{ role: 'user', content: 'x'.repeat(140_000) }] }, 400],
  ['Ollama', { messages: said({ function: { name: 'a', arguments: '' } }) }, 400],
];

/** Sends a request to a stand-in as its client would; returns the status. */
async function ask(profile: Profile, body: object, headers: Record<string, string>): Promise<number> {
  const served = await serveProfile(profile);
  try {
    const url = new URL(profile.baseUrl);
    const path = profile.isWithoutChat === true ? Object.keys(profile.otherWires ?? {})[0] : '/chat/completions';
    url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
    const limit = profile.isWithoutChat === true ? { max_tokens: 100 } : {};
    const request = { model: profile.model, messages: [{ role: 'user', content: 'go' }], ...limit, ...body };
    const response = await served.fetchFor(profile.baseUrl)(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(request),
    });
    await response.text();
    return response.status;
  } finally {
    await served.close();
  }
}

const keys = { authorization: 'Bearer sk-test', 'api-key': 'sk-test', 'anthropic-version': '2026-10-21' };

test.each(refused)('the stand-in for %s refuses %j with status %i', async (name, body, status) => {
  expect(await ask(profileNamed(name), body, keys)).toBe(status);
});

test.each(profiles.map((profile) => [profile.name, profile] as const))(
  'the stand-in for %s takes a plain question',
  async (_name, profile) => {
    expect(await ask(profile, {}, keys)).toBe(200);
  },
);

test('the stand-in for Anthropic (Messages) takes a whole conversation', async () => {
  const body = { messages: turns(), tools: [markedTool(1)], ...formOf({ n: { type: 'integer' } }) };
  expect(await ask(profileNamed('Anthropic (Messages)'), body, keys)).toBe(200);
});

test('the stand-ins of hosted endpoints refuse a request without a key', async () => {
  const hosted = profiles.filter(({ baseUrl }) => !/localhost|example\.com\/v1/.test(baseUrl));
  expect(await Promise.all(hosted.map((profile) => ask(profile, {}, {})))).toEqual(hosted.map(() => 401));
});
