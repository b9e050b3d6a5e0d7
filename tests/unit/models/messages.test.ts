import { describe, expect, test } from 'vitest';
import { composeAnthropicMessagesRequest } from '#adapters/model/compose-messages-request.ts';
import { parseAnthropicMessageAnswer, readStreamedAnthropicMessage } from '#adapters/model/message.ts';
import { dialectOfModel } from '#core/models/dialect.ts';

const model = { baseUrl: 'https://api.anthropic.com/v1', model: 'claude-opus-5-5' };
const thought = { type: 'thinking', thinking: 'hm', signature: 'c2ln' };
const use = { type: 'tool_use', id: 'toolu_1', name: 'a', input: { x: 1 } };
const said = (text: string) => ({ type: 'text', text });

describe('an answer of the Messages API', () => {
  test('has its text and calls, and keeps its blocks as they came', () => {
    const content = [thought, said('so'), use];
    expect(parseAnthropicMessageAnswer({ content, stop_reason: 'tool_use' })).toMatchObject({
      content: 'so',
      finish: 'tool-calls',
      toolCalls: [{ id: 'toolu_1', name: 'a', argumentsText: '{"x":1}' }],
      own: { message: { contentBlocks: content } },
    });
  });

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'refused'],
  ])('that stops by %s ends as %s', (stop_reason, finish) => {
    expect(parseAnthropicMessageAnswer({ content: [said('x')], stop_reason })?.finish).toBe(finish);
  });

  test('that refuses says why', () => {
    const stop_details = { type: 'refusal', category: 'cyber', explanation: 'it could do harm' };
    const read = parseAnthropicMessageAnswer({ content: [], stop_reason: 'refusal', stop_details });
    expect(read).toMatchObject({ finish: 'refused', refusal: 'it could do harm' });
  });

  test('counts what was cached and written as parts of the prompt', () => {
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 5,
      output_tokens: 30,
      output_tokens_details: { thinking_tokens: 20 },
    };
    expect(parseAnthropicMessageAnswer({ content: [], usage })?.usage).toEqual({
      prompt: 115,
      completion: 30,
      cached: 100,
      written: 5,
      reasoning: 20,
    });
    expect(
      parseAnthropicMessageAnswer({ content: [], usage: { input_tokens: 10, cache_read_input_tokens: null } })?.usage,
    ).toEqual({
      prompt: 10,
    });
  });

  test('is no chat completion', () => {
    expect(parseAnthropicMessageAnswer({ choices: [] })).toBeUndefined();
  });
});

describe('a stream of the Messages API', () => {
  const read = (...events: readonly unknown[]) => {
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    return readStreamedAnthropicMessage(new Blob([text]).stream(), new AbortController().signal);
  };
  const start = { type: 'message_start', message: { content: [], usage: { input_tokens: 7, output_tokens: 1 } } };
  const call = { type: 'content_block_start', index: 0, content_block: { ...use, input: {} } };
  const piece = (partial_json: string) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'input_json_delta', partial_json },
  });
  const end = { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } };
  const stop = { type: 'message_stop' };

  test('is put together block by block, with the counts of its first and last events', async () => {
    expect(await read(start, { type: 'ping' }, call, piece('{"x"'), piece(':1}'), end, stop)).toEqual({
      kind: 'complete',
      body: { content: [use], stop_reason: 'tool_use', usage: { input_tokens: 7, output_tokens: 9 } },
    });
  });

  test('keeps arguments that are no JSON as they came', async () => {
    const streamed = await read(start, call, piece('{"x":'), end, stop);
    expect(streamed).toMatchObject({ kind: 'complete', body: { content: [{ ...use, input: '{"x":' }] } });
    expect(streamed.kind === 'complete' && parseAnthropicMessageAnswer(streamed.body)?.toolCalls).toMatchObject([
      { argumentsText: '{"x":' },
    ]);
  });

  test('is cut, malformed, endless, or an error', async () => {
    expect(await read(start, call)).toEqual({ kind: 'cut' });
    expect(await read('no event')).toEqual({ kind: 'malformed' });
    expect(await read(stop)).toEqual({ kind: 'malformed' });
    expect(await read(start, call, piece('x'.repeat(5_000_000)))).toEqual({ kind: 'endless' });
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    expect(await read(start, { type: 'error', error })).toMatchObject({ kind: 'error', error });
  });
});

describe('a request to the Messages API', () => {
  const settings = { address: 'here', model: 'm', maxCompletionTokens: 100 };
  const mark = { cache_control: { type: 'ephemeral' } };
  const compose = (question: object, set = {}) =>
    composeAnthropicMessagesRequest(
      { messages: [{ role: 'user', content: 'go' }], seed: 1, ...question },
      settings,
      dialectOfModel(model, set),
    );
  const functions = [{ name: 'a', description: 'does a', parameters: { properties: {} } }];
  const answer = (blocks: readonly unknown[], address = 'here') => ({
    role: 'assistant',
    content: 'so',
    toolCalls: [{ id: 'toolu_1', name: 'a', argumentsText: '{"x":1}' }],
    own: { address, message: { contentBlocks: blocks }, calls: [] },
  });
  const result = { role: 'tool', toolCallId: 'toolu_1', content: 'done' };
  const conversation = (said: object) => ({
    messages: [{ role: 'system', content: 'be brief' }, { role: 'user', content: 'go' }, said, result],
    functions,
  });

  test('caches tools, system prompt and conversation, and has no seed', () => {
    const blocks = [thought, said('so'), use];
    expect(compose(conversation(answer(blocks)))).toEqual({
      model: 'm',
      max_tokens: 100,
      system: [{ ...said('be brief'), ...mark }],
      messages: [
        { role: 'user', content: [said('go')] },
        { role: 'assistant', content: blocks },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [said('done')], ...mark }],
        },
      ],
      tools: [{ name: 'a', description: 'does a', input_schema: { type: 'object', properties: {} }, ...mark }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      stream: true,
    });
  });

  test('caches no conversation that ends with one question', () => {
    expect(compose({})['messages']).toEqual([{ role: 'user', content: [said('go')] }]);
  });

  test('writes again what another endpoint said, and repairs what would be refused', () => {
    const assistant = (message: object) => compose(conversation(message))['messages'];
    expect(assistant(answer([thought], 'another'))).toContainEqual({ role: 'assistant', content: [said('so'), use] });
    const wrong = [thought, said(' '), { ...use, name: 'a/b', input: '{' }];
    const repaired = { ...use, name: 'invalid_name', input: {} };
    expect(assistant(answer(wrong))).toContainEqual({ role: 'assistant', content: [thought, repaired] });
  });

  test('joins turns of one role, and leaves out those without words', () => {
    const messages = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: ' ', toolCalls: [] },
      { role: 'user', content: 'two' },
    ];
    expect(compose({ messages })['messages']).toEqual([
      { role: 'user', content: [said('one'), { ...said('two'), ...mark }] },
    ]);
  });

  test('asks for a form without bounds, and for an effort', () => {
    const schema = {
      type: 'object',
      properties: { format: { type: 'array', maxItems: 3, items: { enum: ['format'] } } },
    };
    const form = { format: 'schema', name: 'n', schema };
    expect(compose({ form }, { effort: 'low' })['output_config']).toEqual({
      effort: 'low',
      format: {
        type: 'json_schema',
        schema: { type: 'object', properties: { format: { type: 'array', items: { enum: ['format'] } } } },
      },
    });
    expect(compose({ form: { ...form, format: 'prompt' } })).not.toHaveProperty('output_config');
  });
});

test('a dialect has what its wire needs', () => {
  expect(dialectOfModel(model)).toMatchObject({
    wire: 'messages',
    authentication: 'x-api-key',
    structuredOutput: 'schema',
  });
  expect(dialectOfModel(model, { wire: 'chat' })).toMatchObject({
    authentication: 'bearer',
    structuredOutput: 'prompt',
  });
  const other = { baseUrl: 'https://models.example.com', model: 'm' };
  expect(dialectOfModel(other, { wire: 'messages' })).toMatchObject({ authentication: 'x-api-key' });
  expect(dialectOfModel(other)).toMatchObject({ wire: 'chat', authentication: 'bearer' });
});
