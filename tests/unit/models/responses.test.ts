import { describe, expect, test } from 'vitest';
import { composeResponsesApiRequest } from '#adapters/model/compose-response-request.ts';
import { parseResponsesApiAnswer, readStreamedResponsesApiAnswer } from '#adapters/model/response.ts';
import { dialectOfModel } from '#core/models/dialect.ts';

const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VjcmV0' };
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'a', arguments: '{"x":1}' };
const said = (text: string) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });

describe('an answer of the Responses API', () => {
  test('has its text and calls, and keeps its items as they came', () => {
    const output = [reasoning, said('so: '), call];
    expect(parseResponsesApiAnswer({ status: 'completed', output })).toMatchObject({
      content: 'so: ',
      finish: 'tool-calls',
      toolCalls: [{ id: 'call_1', name: 'a', argumentsText: '{"x":1}' }],
      own: { message: { responseItems: output } },
    });
  });

  test.each([
    [{ status: 'completed', output: [said('yes')] }, 'stop'],
    [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [] }, 'length'],
    [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output: [] }, 'refused'],
    [{ status: 'completed', output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'no' }] }] }, 'refused'],
  ])('ends as its status says: %j', (body, finish) => {
    expect(parseResponsesApiAnswer(body)?.finish).toBe(finish);
  });

  test('is no chat completion', () => {
    expect(parseResponsesApiAnswer({ choices: [] })).toBeUndefined();
  });
});

describe('a stream of the Responses API', () => {
  const read = (...events: readonly unknown[]) => {
    const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    return readStreamedResponsesApiAnswer(new Blob([text]).stream(), new AbortController().signal);
  };
  const done = (item: unknown) => ({ type: 'response.output_item.done', item });

  test('has all of the answer in its last event, or the items in those before', async () => {
    const output = [reasoning, call];
    const whole = { status: 'completed', output, usage: { input_tokens: 1 } };
    expect(await read({ type: 'response.created' }, { type: 'response.completed', response: whole })).toEqual({
      kind: 'complete',
      body: whole,
    });
    const empty = { type: 'response.completed', response: { status: 'completed', output: [] } };
    expect(await read(...output.map(done), empty)).toMatchObject({ kind: 'complete', body: { output } });
  });

  test('is cut, malformed, or an error', async () => {
    expect(await read(done(call))).toEqual({ kind: 'cut' });
    expect(await read('no event')).toEqual({ kind: 'malformed' });
    expect(await read({ type: 'error', code: 'server_error', message: 'x' })).toMatchObject({
      kind: 'error',
      error: { code: 'server_error' },
    });
    const failed = { status: 'failed', error: { code: 'server_error' }, output: [] };
    expect(await read({ type: 'response.failed', response: failed })).toMatchObject({ kind: 'complete', body: failed });
  });

  test('is endless beyond its bound', async () => {
    const delta = { type: 'response.output_text.delta', delta: 'x'.repeat(5_000_000) };
    expect(await read(delta)).toEqual({ kind: 'endless' });
  });
});

describe('a request to the Responses API', () => {
  const settings = { address: 'https://api.openai.com/v1 m', model: 'm', maxCompletionTokens: 100 };
  const dialect = dialectOfModel({ baseUrl: 'https://api.openai.com/v1', model: 'm' }, { effort: 'low' });
  const turn = {
    role: 'assistant',
    content: 'so',
    toolCalls: [{ id: 'call_1', name: 'a/b', argumentsText: '{' }],
  } as const;
  const compose = (own?: { address: string; message: Record<string, unknown>; calls: [] }) =>
    composeResponsesApiRequest(
      {
        messages: [
          { role: 'user', content: 'go' },
          { ...turn, own },
          { role: 'tool', toolCallId: 'call_1', content: 'no' },
        ],
        functions: [{ name: 'a', description: 'does a', parameters: { type: 'object' } }],
        seed: 1,
      },
      settings,
      dialect,
    );
  const result = { type: 'function_call_output', call_id: 'call_1', output: 'no' };

  test('stores nothing, offers functions that are not strict, and has an effort', () => {
    expect(compose()).toEqual({
      model: 'm',
      input: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: 'so' },
        { type: 'function_call', call_id: 'call_1', name: 'invalid_name', arguments: '{}' },
        result,
      ],
      tools: [{ type: 'function', name: 'a', description: 'does a', parameters: { type: 'object' }, strict: false }],
      parallel_tool_calls: false,
      reasoning: { effort: 'low' },
      max_output_tokens: 100,
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: true,
    });
  });

  test('has the items of its own earlier answers, with valid calls', () => {
    const message = { responseItems: [reasoning, { ...call, name: 'a/b' }] };
    const repaired = { ...call, name: 'invalid_name' };
    expect(compose({ address: settings.address, message, calls: [] })['input']).toEqual([
      { role: 'user', content: 'go' },
      reasoning,
      repaired,
      result,
    ]);
    expect(compose({ address: 'another', message, calls: [] })['input']).not.toContain(reasoning);
  });
});
