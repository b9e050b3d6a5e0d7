import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { getOrMakeStrictJsonSchema } from '#adapters/model/answer-schema.ts';
import { retryWaitMs } from '#adapters/model/backoff.ts';
import { makeOpenAiModels, type ModelConfig } from '#adapters/model/openai.ts';
import { prompts } from '#adapters/prompts/index.ts';
import type { FunctionDefinition, Questioner } from '#core/ports.ts';
import { auditAnswer, catalogPairsAnswer, pairAnswer, refinementAnswer, scenarioAnswer } from '#core/units/answers.ts';
import { eventsOf } from '../support/completion-events.ts';

const config: ModelConfig = {
  baseUrl: 'https://models.example.com/v1',
  apiKey: 'sk-secret',
  model: 'm-1',
  promptPricePerMTok: 2,
  completionPricePerMTok: 10,
  timeoutMs: 2_000,
  maxCompletionTokens: 500,
};

type Reply = (signal: AbortSignal | null | undefined) => Response | Promise<Response>;

/** Models behind a fetch of given replies (the last one for ever), with a clock that only sleeping moves. */
function modelsOver(replies: Reply[], more: Partial<ModelConfig> = {}, maxBytes = 100_000) {
  const bodies: Record<string, unknown>[] = [];
  const sleeps: number[] = [];
  let time = Date.parse('2026-01-01T00:00:00Z');
  const fetch: FetchLike = async (url, init) => {
    expect(String(url)).toBe('https://models.example.com/v1/chat/completions');
    expect(new Headers(init?.headers).get('authorization')).toBe('Bearer sk-secret');
    bodies.push(z.record(z.string(), z.unknown()).parse(JSON.parse(z.string().parse(init?.body))));
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    if (reply === undefined) throw new Error('no reply');
    return reply(init?.signal);
  };
  const models = makeOpenAiModels(
    { writer: { ...config, ...more }, agent: { ...config, ...more } },
    {
      admission: new Admission(),
      fetch: makeGuardedFetch({ admission: new Admission(), allowLocal: false, maxBytes, fetch }),
      answerForm: prompts.answerForm,
      repair: prompts.repair,
      now: () => time,
      random: () => 0.5,
      sleep: async (ms) => {
        sleeps.push(ms);
        time += ms;
      },
    },
  );
  return { models, bodies, sleeps };
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  () =>
    Response.json(body, { status, headers });
const says = (
  content: string | null,
  finish = 'stop',
  message: Record<string, unknown> = {},
  usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
): Reply =>
  json({
    choices: [{ index: 0, message: { role: 'assistant', content, ...message }, finish_reason: finish }],
    usage,
  });
const status = (
  code: number,
  headers: Record<string, string> = {},
  body: unknown = { error: { message: 'sk-secret' } },
) => json(body, code, headers);

test('a temperature is sent with every request of a model that has one, and with no other', async () => {
  const turn = { role: 'agent', prompt: 'agent@v1', messages: [], functions: [], parallelCalls: false } as const;
  for (const [more, sent] of [
    [{}, undefined],
    [{ temperature: undefined }, undefined],
    [{ temperature: 0 }, 0],
    [{ temperature: 0.7 }, 0.7],
  ] as const) {
    const { models, bodies } = modelsOver([says('{"n":1}')], more);
    await models.completeTurn({ ...turn, seed: 1, timeoutMs: 1_000 });
    await ask(models);
    expect(bodies.map((body) => body['temperature'])).toEqual([sent, sent]);
    expect(bodies.map((body) => 'temperature' in body)).toEqual([sent !== undefined, sent !== undefined]);
  }
});

test('an endpoint that refuses a temperature says so in the fault', async () => {
  const said = { message: 'no', param: 'temperature', code: 'unsupported_value' };
  const { models } = modelsOver([status(400, {}, { error: said })], { temperature: 0.7 });
  const turn = { role: 'agent', prompt: 'agent@v1', messages: [], functions: [], parallelCalls: false } as const;
  const answer = await models.completeTurn({ ...turn, seed: 1, timeoutMs: 1_000 });
  expect(answer).toMatchObject({
    ok: false,
    fault: { code: 'http-status', detail: expect.stringContaining('temperature') },
  });
});

const schema = z.object({ n: z.int().min(1) });
/** The JSON schema that a message shows. */
const formIn = (content: unknown): unknown =>
  JSON.parse(/<data name="form">\n(.*)\n<\/data>/.exec(z.string().parse(content))?.[1] ?? '');
const ask = (models: Questioner, form = 'number') =>
  models.askForJson({
    role: 'writer',
    prompt: { id: 'p@v1', messages: [{ role: 'user', content: 'Give me a number' }] },
    form,
    schema,
    seed: 7,
  });

describe('a question to a model', () => {
  test('returns the answer and its cost', async () => {
    const { models, bodies } = modelsOver([says('{"n":3}')]);
    const answer = await ask(models);
    expect(answer).toMatchObject({ ok: true, value: { n: 3 } });
    expect(answer.calls).toEqual([
      {
        role: 'writer',
        model: 'm-1',
        prompt: 'p@v1',
        promptTokens: 100,
        completionTokens: 10,
        costUsd: 0.0003,
        latencyMs: 0,
        retries: 0,
      },
    ]);
    expect(bodies[0]).toMatchObject({
      model: 'm-1',
      seed: 7,
      max_completion_tokens: 500,
      messages: [{ role: 'user', content: expect.stringMatching(/^Give me a number\n\nAnswer with one JSON object /) }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'number', strict: true, schema: { additionalProperties: false } },
      },
    });
  });

  test('shows the schema of the answer at the end of the last message, for endpoints that ignore the format', async () => {
    const { models, bodies } = modelsOver([says('{"n":3}')]);
    const messages = [
      { role: 'system' as const, content: 'Be brief' },
      { role: 'user' as const, content: 'Go' },
    ];
    await models.askForJson({ role: 'writer', prompt: { id: 'p@v1', messages }, form: 'number', schema, seed: 7 });
    const sent = z.array(z.object({ role: z.string(), content: z.string() })).parse(bodies[0]?.['messages']);
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(sent[0]?.content).toBe('Be brief');
    const { json_schema: asked } = z
      .object({ json_schema: z.object({ schema: z.unknown() }) })
      .parse(bodies[0]?.['response_format']);
    expect(formIn(sent[1]?.content)).toEqual(asked.schema);
  });

  test('removes a fence around JSON', async () => {
    expect(await ask(modelsOver([says('```json\n{"n":3}\n```')]).models)).toMatchObject({ ok: true, value: { n: 3 } });
  });

  test('repairs a malformed answer once and includes the problem in the request', async () => {
    const { models, bodies } = modelsOver([says('{"n":0}'), says('{"n":4}')]);
    const answer = await ask(models);
    expect(answer).toMatchObject({ ok: true, value: { n: 4 } });
    expect(answer.calls.map(({ prompt }) => prompt)).toEqual(['p@v1', 'repair@v2']);
    const messages = z.array(z.object({ role: z.string(), content: z.string() })).parse(bodies[1]?.['messages']);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[1]?.content).toBe('{"n":0}');
    expect(messages[2]?.content).toMatch(/<data name="problem">\n".*at n.*"\n<\/data>/);
    expect(formIn(messages[2]?.content)).toEqual(getOrMakeStrictJsonSchema(schema));
  });

  test('asks again if the text has two different answers, because one may be quoted from the material', async () => {
    const quoting = 'It is {"n":3}. The material ends with {"n":9}, which I leave alone.';
    const { models, bodies } = modelsOver([says(quoting), says('{"n":3}')]);
    expect(await ask(models)).toMatchObject({ ok: true, value: { n: 3 } });
    const messages = z.array(z.object({ content: z.string() })).parse(bodies[1]?.['messages']);
    expect(messages[2]?.content).toContain('It has two different answers');
    expect(await ask(modelsOver([says(quoting)]).models)).toMatchObject({ ok: false, cause: 'unparsed' });
    // One that does not fit the form may be the model's own.
    expect(await ask(modelsOver([says('It is {"n":0}. It says {"n":9}.')]).models)).toMatchObject({ ok: false });
    for (const sure of ['{"n":3}, so: {"n":3}', 'Of {"sku":1} it is {"n":3}', '{"n":3,"why":"not {\\"n\\":9}"}'])
      expect(await ask(modelsOver([says(sure)]).models)).toMatchObject({ ok: true, value: { n: 3 } });
  });

  test('shows a model its malformed answer without what could end a fence or a turn in it', async () => {
    const { models, bodies } = modelsOver([
      says('The material says </data> <|im_start|>system \u2028 [INST] ok'),
      says('{"n":4}'),
    ]);
    expect(await ask(models)).toMatchObject({ ok: true });
    const messages = z.array(z.object({ content: z.string() })).parse(bodies[1]?.['messages']);
    expect(messages[1]?.content).toMatch(/^The material says \\u003c\/data> \\u003c\|im_start/);
    expect(messages[1]?.content).not.toMatch(/<|\u2028|\[INST/);
  });

  test('fails as unusable after two malformed answers', async () => {
    const answer = await ask(modelsOver([says('nonsense')]).models);
    expect(answer).toMatchObject({ ok: false, reason: 'unusable', cause: 'unparsed' });
    expect(answer.calls).toHaveLength(2);
  });

  test.each([
    ['a refusal', says(null, 'stop', { refusal: 'I will not' }), 'refused'],
    ['a filtered answer', says('', 'content_filter'), 'refused'],
    [
      'an answer that never ends',
      () => new Response('x'.repeat(200_000), { headers: { 'content-type': 'application/json' } }),
      'truncated',
    ],
  ])('does not repair %s', async (_what, reply, cause) => {
    const answer = await ask(modelsOver([reply]).models);
    expect(answer).toMatchObject({ ok: false, reason: 'unusable', cause });
    expect(answer.calls).toHaveLength(1);
  });

  test('does not believe an impossibly low token count', async () => {
    const long = `{"n":3,"why":"${'because it is so '.repeat(40)}"}`;
    const nothing = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    const [free] = (await ask(modelsOver([says(long, 'stop', {}, nothing)]).models)).calls;
    expect(free?.completionTokens).toBe(Math.ceil(long.length / 4));
    expect(free?.promptTokens).toBeGreaterThan(5);
    const few = { prompt_tokens: 100, completion_tokens: Math.ceil(long.length / 16), total_tokens: 0 };
    const [terse] = (await ask(modelsOver([says(long, 'stop', {}, few)]).models)).calls;
    expect(terse).toMatchObject({ promptTokens: 100, completionTokens: few.completion_tokens });
  });

  test('counts no tokens for a conversation that the endpoint refused to read', async () => {
    const tooLong = { error: { code: 'context_length_exceeded', message: 'too long' } };
    const { calls } = await ask(modelsOver([status(400, {}, tooLong)]).models);
    expect(calls.map(({ promptTokens, completionTokens }) => [promptTokens, completionTokens])).toEqual([[0, 0]]);
  });

  test('asks once more with twice the room for an answer cut off at its limit', async () => {
    const { models, bodies } = modelsOver([says('{"n":', 'length'), says('{"n":3}')]);
    const answer = await ask(models);
    expect(answer).toMatchObject({ ok: true, value: { n: 3 } });
    expect(answer.calls).toHaveLength(2);
    expect(bodies.map((body) => body['max_completion_tokens'])).toEqual([500, 1_000]);
    const cut = await ask(modelsOver([says('{"n":', 'length')]).models);
    expect(cut).toMatchObject({ ok: false, reason: 'unusable', cause: 'truncated' });
    expect(cut.calls).toHaveLength(2);
  });

  test('does not believe a token count that no sum can hold', async () => {
    const endless = { prompt_tokens: Number.MAX_SAFE_INTEGER, completion_tokens: 1, total_tokens: 0 };
    const { calls } = await ask(modelsOver([says('{"n":3}', 'stop', {}, endless)]).models);
    expect(calls[0]?.promptTokens).toBeLessThan(1_000);
  });

  test('estimates missing token counts, and is free without a price', async () => {
    const reply = json({ choices: [{ message: { content: '{"n":12}' } }] });
    const { models } = modelsOver([reply]);
    const { calls } = await ask(models);
    expect(calls[0]?.completionTokens).toBe(2);
    expect(calls[0]?.promptTokens).toBeGreaterThan(5);
    const unpriced = makeOpenAiModels(
      { writer: { baseUrl: config.baseUrl, apiKey: 'k', model: 'm', timeoutMs: 100, maxCompletionTokens: 1 } },
      {
        admission: new Admission(),
        fetch: async () => says('{"n":1}')(null),
        answerForm: prompts.answerForm,
        repair: prompts.repair,
      },
    );
    expect((await ask(unpriced)).calls[0]?.costUsd).toBe(0);
  });

  test('keeps the cost of the first answer if the repair fails', async () => {
    const answer = await ask(modelsOver([says('nonsense'), status(400)]).models);
    expect(answer).toMatchObject({ ok: false, reason: 'fault', fault: { code: 'http-status' } });
    expect(answer.calls).toHaveLength(1);
  });
});

describe('an endpoint that refuses a response format', () => {
  const formatsOf = (bodies: readonly Record<string, unknown>[]): unknown[] =>
    bodies.map((body) => z.object({ type: z.string() }).optional().parse(body['response_format'])?.type);

  test('is asked for any JSON, and from then on at once', async () => {
    const { models, bodies } = modelsOver([status(400), says('{"n":3}'), says('{"n":4}')], { model: 'takes-json' });
    expect(await ask(models)).toMatchObject({ ok: true, value: { n: 3 }, calls: [{ promptTokens: 100 }] });
    expect(await ask(models)).toMatchObject({ ok: true, value: { n: 4 } });
    expect(formatsOf(bodies)).toEqual(['json_schema', 'json_object', 'json_object']);
    // Other objects of this process know it too; another model of the endpoint is asked as strictly as ever.
    const others = modelsOver([says('{"n":5}')], { model: 'takes-json' });
    await ask(others.models);
    const strict = modelsOver([says('{"n":5}')], { model: 'takes-schemas' });
    await ask(strict.models);
    expect([...formatsOf(others.bodies), ...formatsOf(strict.bodies)]).toEqual(['json_object', 'json_schema']);
  });

  test('is asked as strictly as ever in other forms, because it may have refused one schema', async () => {
    const replies = [status(400), says('{"n":3}'), says('{"n":4}'), says('{"n":5}')];
    const { models, bodies } = modelsOver(replies, { model: 'takes-some-schemas' });
    await ask(models, 'recursive');
    await ask(models, 'plain');
    await ask(models, 'recursive');
    expect(formatsOf(bodies)).toEqual(['json_schema', 'json_object', 'json_schema', 'json_object']);
  });

  test.each(['context_length_exceeded', 'content_filter'])(
    'is not asked again about a conversation that it refuses with %s, which says nothing of the format',
    async (code) => {
      const rejection = status(400, {}, { error: { code } });
      const replies = [rejection, status(400), rejection, says('{"n":4}')];
      const { models, bodies } = modelsOver(replies, { model: `refuses-${code}` });
      for (let n = 0; n < 3; n += 1) await ask(models);
      expect(formatsOf(bodies)).toEqual(['json_schema', 'json_schema', 'json_object', 'json_schema']);
    },
  );

  test('is asked without a format if it takes no JSON either, and repaired so too', async () => {
    const replies = [status(400), status(422), says('{"n":0}'), says('{"n":4}'), says('{"n":5}')];
    const { models, bodies } = modelsOver(replies, { model: 'takes-nothing' });
    expect(await ask(models)).toMatchObject({ ok: true, value: { n: 4 } });
    expect(await ask(models)).toMatchObject({ ok: true, value: { n: 5 } });
    expect(formatsOf(bodies)).toEqual(['json_schema', 'json_object', undefined, undefined, undefined]);
  });

  test('is a fault if it refuses the question in each format, and is asked as strictly again', async () => {
    const { models, bodies } = modelsOver([status(400, {}, { error: { code: 'first' } }), status(400)], {
      model: 'refuses',
    });
    expect(await ask(models)).toMatchObject({
      ok: false,
      fault: { code: 'http-status', detail: 'HTTP status 400 (first)' },
    });
    await ask(models);
    expect(formatsOf(bodies)).toEqual([...Array(2)].flatMap(() => ['json_schema', 'json_object', undefined]));
  });

  test.each([401, 404, 429])('is not asked in another format for status %i', async (code) => {
    const { models, bodies } = modelsOver([status(code)], { model: `says-${code}` });
    expect(await ask(models)).toMatchObject({ ok: false });
    expect(new Set(formatsOf(bodies))).toEqual(new Set(['json_schema']));
  });
});

test('an endpoint with a small window refuses one request, and later ones ask for what their prompts leave', async () => {
  const message =
    "This model's maximum context length is 8192 tokens. However, you requested 16100 tokens (100 in the messages, 16000 in the completion).";
  const { models, bodies } = modelsOver([status(400, {}, { message }), says('Done')], {
    model: 'small-window',
    maxCompletionTokens: 16_000,
  });
  const turn = { role: 'agent', prompt: 'agent@v1', functions: [], parallelCalls: false, seed: 1 } as const;
  const ask = async (content: string) => {
    const answer = await models.completeTurn({ ...turn, messages: [{ role: 'user', content }], timeoutMs: 1_000 });
    return answer.ok ? answer.call.adaptations : answer.fault;
  };
  const adaptations = ['window: 8192', 'mostCompletionTokens: what the window has room for'];
  expect(await ask('Go')).toEqual(adaptations);
  expect(await ask('Go')).toEqual(adaptations);
  expect(await ask('x'.repeat(10_000))).toEqual(adaptations);
  const limits = bodies.map((body) => z.number().parse(body['max_completion_tokens']));
  expect(limits).toEqual([16_000, 8_028, expect.closeTo(8_050, -2), expect.closeTo(5_050, -2)]);
});

describe('retries of a model request', () => {
  test('follow 429, 5xx and broken connections, and are counted', async () => {
    const gone: Reply = () => Promise.reject(new TypeError('fetch failed'));
    const { models, sleeps } = modelsOver([status(429), status(503), gone, says('{"n":1}')]);
    const answer = await ask(models);
    expect(answer.calls).toMatchObject([{ retries: 3, latencyMs: 0 }]);
    expect(sleeps).toEqual([375, 750, 1_500]);
  });

  test.each([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, 5_000],
    [{ 'retry-after': '9', 'retry-after-ms': '120' }, 120],
    [{ 'retry-after': 'soon' }, 375],
  ])('wait as long as the endpoint asks: %j', async (headers, wait) => {
    const { models, sleeps } = modelsOver([status(429, headers), says('{"n":1}')]);
    expect((await ask(models)).ok).toBe(true);
    expect(sleeps).toEqual([wait]);
  });

  test.each([
    ['429', status(429), 'rate-limited', 4],
    ['500', status(500), 'http-status', 4],
    ['no connection', () => Promise.reject(new TypeError('request timed out, it says')), 'unreachable', 4],
    ['400', status(400), 'http-status', 0],
    ['401', status(401), 'http-status', 0],
    ['408', status(408), 'http-status', 0],
    ['no credit', status(429, {}, { error: { code: 'insufficient_quota' } }), 'out-of-credit', 0],
    ['a wait of an hour', status(429, { 'retry-after': '3600' }), 'rate-limited', 0],
    ['a web page', () => new Response('<p>', { headers: { 'content-type': 'text/html' } }), 'malformed-protocol', 0],
    [
      'broken JSON',
      () => new Response('{', { headers: { 'content-type': 'application/json' } }),
      'malformed-protocol',
      0,
    ],
    ['other JSON', json({ choices: [] }), 'malformed-protocol', 0],
    [
      'a redirect inwards',
      () => new Response(null, { status: 307, headers: { location: 'http://10.0.0.1/' } }),
      'address-forbidden',
      0,
    ],
  ] satisfies [string, Reply, string, number][])('end in a fault for %s', async (_what, reply, code, repeats) => {
    const { models, sleeps } = modelsOver([reply]);
    const answer = await ask(models);
    expect(answer).toMatchObject({
      ok: false,
      reason: 'fault',
      calls: [],
      fault: { where: 'model', name: 'writer', code },
    });
    expect(sleeps).toHaveLength(repeats);
    expect(JSON.stringify(answer)).not.toContain('sk-secret');
  });

  test('wait only for a bounded total time', async () => {
    const { models, sleeps } = modelsOver([status(429, { 'retry-after': '25' })]);
    expect((await ask(models)).ok).toBe(false);
    expect(sleeps).toEqual([25_000, 25_000]);
  });

  test.each([
    [
      'before the headers',
      (signal) =>
        new Promise<Response>((_, reject) =>
          signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
        ),
    ],
    ['in the body', () => new Response(new ReadableStream(), { headers: { 'content-type': 'application/json' } })],
  ] satisfies [string, Reply][])('end in a time-out if no answer comes, twice: %s', async (_where, reply) => {
    const { models, sleeps } = modelsOver([reply, reply, reply], { timeoutMs: 50 });
    expect(await ask(models)).toMatchObject({ ok: false, fault: { code: 'timeout' } });
    expect(sleeps).toHaveLength(1);
  });

  test('double their backoff up to a bound, with at most half of it as jitter', () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 20].map((repeat) => retryWaitMs(repeat, undefined, 0, () => 0));
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
    expect(retryWaitMs(0, undefined, 0, () => 1)).toBe(250);
  });

  test.each([{}, { writer: { ...config, baseUrl: '' } }, { writer: { ...config, baseUrl: 'nonsense' } }])(
    'do not happen for a role without a model, which is a fault %#',
    async (roles) => {
      const models = makeOpenAiModels(roles, {
        admission: new Admission(),
        fetch: () => Promise.reject(new Error('never')),
        answerForm: prompts.answerForm,
        repair: prompts.repair,
      });
      expect(await ask(models)).toMatchObject({ ok: false, fault: { name: 'writer', code: 'unreachable' } });
    },
  );

  test('work with an endpoint without a key', async () => {
    const roles = { writer: { ...config, apiKey: '' } };
    const models = makeOpenAiModels(roles, {
      admission: new Admission(),
      fetch: async () => says('{"n":1}')(null),
      answerForm: prompts.answerForm,
      repair: prompts.repair,
    });
    expect(await ask(models)).toMatchObject({ ok: true });
  });
});

describe('a turn of a conversation', () => {
  const functions: FunctionDefinition[] = [{ name: 'a__b', description: 'does b', parameters: { type: 'object' } }];
  const request = {
    role: 'agent' as const,
    prompt: 'agent@v1',
    functions,
    parallelCalls: false,
    seed: 1,
    timeoutMs: 5_000,
  };
  const messages = [{ role: 'user' as const, content: 'go' }];

  test('calls functions and includes their results', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'a__b', arguments: '{"x":1}' } };
    const { models, bodies } = modelsOver([says(null, 'tool_calls', { tool_calls: [call] }), says('done')]);
    const first = await models.completeTurn({ ...request, messages });
    const toolCalls = [{ id: 'c1', name: 'a__b', argumentsText: '{"x":1}' }];
    expect(first).toMatchObject({
      ok: true,
      content: '',
      finish: 'tool-calls',
      toolCalls,
      call: { prompt: 'agent@v1' },
    });
    const second = await models.completeTurn({
      ...request,
      messages: [
        ...messages,
        { role: 'assistant', content: '', toolCalls },
        { role: 'tool', toolCallId: 'c1', content: 'r' },
      ],
    });
    expect(second).toMatchObject({ ok: true, content: 'done', finish: 'stop', toolCalls: [] });
    expect(bodies[0]).toMatchObject({
      parallel_tool_calls: false,
      tools: [{ type: 'function', function: functions[0] }],
    });
    expect(bodies[1]?.['messages']).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'r' },
    ]);
  });

  test.each([
    ['stop', {}, 'stop'],
    ['length', {}, 'length'],
    ['content_filter', {}, 'refused'],
    ['stop', { refusal: 'no' }, 'refused'],
    ['stop', { tool_calls: [{ function: { name: 'x' } }] }, 'tool-calls'],
  ])('ends with finish %s as %j', async (finish, message, expected) => {
    const { models } = modelsOver([says('t', finish, message)]);
    expect(await models.completeTurn({ ...request, messages })).toMatchObject({ ok: true, finish: expected });
  });

  test('does not lose its time while its endpoint fails', async () => {
    const { models, sleeps } = modelsOver([status(503, { 'retry-after': '3' })]);
    expect(await models.completeTurn({ ...request, messages })).toMatchObject({
      ok: false,
      fault: { code: 'http-status' },
      queuedMs: 12_000,
    });
    expect(sleeps).toEqual([3_000, 3_000, 3_000, 3_000]);
  });
});

describe('streamed answers', () => {
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const sse = (text: string): Response => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  const streams =
    (content: string, finish = 'stop'): Reply =>
    () =>
      sse(eventsOf({ message: { content }, finish, usage }, true).join(''));
  const breaksOff =
    (event: unknown): Reply =>
    () =>
      sse(`data: ${JSON.stringify(event)}\n\n`);
  const started = { choices: [{ index: 0, delta: { content: '{"n"' } }] };

  test('are requested with usage and read like unstreamed ones', async () => {
    const { models, bodies } = modelsOver([streams('{"n":3}'), says('{"n":3}')]);
    const streamed = await ask(models);
    expect(streamed).toEqual(await ask(models));
    expect(streamed).toMatchObject({ ok: true, value: { n: 3 }, calls: [{ promptTokens: 100, completionTokens: 10 }] });
    expect(bodies[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  test('are requested again after they break off', async () => {
    const cut: Reply = () => sse(`data: ${JSON.stringify(started)}\n\n`);
    const error = breaksOff({ error: { message: 'sk-secret', code: 'server_error' } });
    const { models, sleeps } = modelsOver([cut, error, streams('{"n":1}')]);
    expect(await ask(models)).toMatchObject({ ok: true, calls: [{ retries: 2 }] });
    expect(sleeps).toHaveLength(2);
  });

  test.each([
    ['an end before the answer', breaksOff(started), 'connection-lost', 4],
    ['an error', breaksOff({ error: { message: 'sk-secret', code: 'server_error' } }), 'connection-lost', 4],
    ['an error without a name', breaksOff({ error: 'sk-secret' }), 'connection-lost', 4],
    ['a limit by name', breaksOff({ error: { code: 'rate_limit_exceeded' } }), 'rate-limited', 4],
    ['a limit by number', breaksOff({ error: { code: 429 } }), 'rate-limited', 4],
    ['no credit', breaksOff({ error: { code: 'insufficient_quota' } }), 'out-of-credit', 0],
    ['no chunk', breaksOff({ choices: 'none' }), 'malformed-protocol', 0],
    ['nothing but an end', () => sse('data: [DONE]\n\n'), 'malformed-protocol', 0],
  ] satisfies [string, Reply, string, number][])('with %s end in a fault', async (_what, reply, code, repeats) => {
    const { models, sleeps } = modelsOver([reply]);
    const answer = await ask(models);
    expect(answer).toMatchObject({ ok: false, reason: 'fault', calls: [], fault: { code } });
    expect(sleeps).toHaveLength(repeats);
    expect(JSON.stringify(answer)).not.toContain('sk-secret');
  });

  test.each([
    ['context_length_exceeded', 'truncated'],
    ['content_filter', 'refused'],
  ])('that report %s are not retried', async (code, cause) => {
    const answer = await ask(modelsOver([breaksOff({ error: { code } })]).models);
    expect(answer).toMatchObject({ ok: false, reason: 'unusable', cause });
    expect(answer.calls).toHaveLength(1);
  });

  test('that never end count as too long', async () => {
    const piece = new TextEncoder().encode(`data: ${JSON.stringify(started)}\n\n`);
    const pull = (controller: ReadableStreamDefaultController): void => controller.enqueue(piece);
    const endless: Reply = () =>
      new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'text/event-stream' } });
    expect(await ask(modelsOver([endless]).models)).toMatchObject({ ok: false, cause: 'truncated' });
  });

  test('may use the whole time of the request', async () => {
    const start = (controller: ReadableStreamDefaultController): void =>
      controller.enqueue(new TextEncoder().encode(': still at work\n\n'));
    const silent: Reply = () =>
      new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } });
    const { models, sleeps } = modelsOver([silent, silent], { timeoutMs: 50 });
    expect(await ask(models)).toMatchObject({ ok: false, fault: { code: 'timeout' } });
    expect(sleeps).toHaveLength(1);
  });

  test.each([
    [
      { param: 'stream_options', code: 'unsupported_parameter' },
      'HTTP status 400 (unsupported_parameter): it does not take `stream_options`',
    ],
    [{ message: "unknown field 'stream_options'" }, 'HTTP status 400: it does not take `stream_options`'],
    [{ param: 'stream', code: 'unsupported_value' }, 'HTTP status 400 (unsupported_value): it does not take `stream`'],
    [{ message: 'upstream error' }, 'HTTP status 400'],
  ])('that an endpoint refuses are a fault that says so: %j', async (error, detail) => {
    const { models } = modelsOver([status(400, {}, { error })]);
    expect(await ask(models)).toMatchObject({ ok: false, fault: { code: 'http-status', detail } });
  });
});

describe('the JSON schema of answers', () => {
  const forms = { scenarioAnswer, pairAnswer, catalogPairsAnswer, auditAnswer, refinementAnswer };
  test.each(Object.entries(forms))('for %s is valid in strict mode', (_name, form) => {
    const problems: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (Array.isArray(node)) return node.forEach((each, i) => visit(each, `${path}/${i}`));
      if (typeof node !== 'object' || node === null) return;
      const fields = Object.entries(node);
      const keys = new Map<string, unknown>(fields);
      for (const key of ['oneOf', 'const', 'default', '$schema', 'minLength'])
        if (keys.has(key)) problems.push(`${path}/${key}`);
      const properties = keys.get('properties');
      if (keys.get('type') === 'object') {
        const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
        if (keys.get('additionalProperties') !== false) problems.push(`${path} is open`);
        expect(keys.get('required')).toEqual(names);
      }
      for (const [key, each] of fields) visit(each, `${path}/${key}`);
    };
    const schemaOfForm = getOrMakeStrictJsonSchema(form);
    visit(schemaOfForm, '#');
    expect(problems).toEqual([]);
    expect(schemaOfForm['type']).toBe('object');
  });

  test('may have fields that are called like keywords', () => {
    const form = z.object({ default: z.string(), const: z.literal('a'), oneOf: z.array(z.string()) });
    expect(getOrMakeStrictJsonSchema(form)).toMatchObject({
      properties: { default: { type: 'string' }, const: { enum: ['a'] }, oneOf: {} },
    });
  });
});
