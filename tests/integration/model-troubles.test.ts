import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runFunctionCallingAttempt } from '#agents/function-calling.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { agentLimits } from '#core/models/limits.ts';
import { profileNamed } from '../support/endpoints/profiles.ts';
import type { Answer, Profile, Refused } from '../support/endpoints/profile.ts';
import { connections, modelsAt } from '../support/endpoints/models-at.ts';
import { failureInAnswer } from '../support/endpoints/troubles.ts';
import { serveProfile, type ServedProfile } from '../support/endpoints/serve.ts';

const toolNamed = (name: string): Tool => ({
  name,
  server: 'files',
  domain: 'files',
  category: 'filesystem',
  description: 'reads',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
});

const withProfile = async <T>(profile: Profile, use: (served: ServedProfile) => Promise<T>): Promise<T> => {
  const served = await serveProfile(profile);
  try {
    return await use(served);
  } finally {
    await served.close();
  }
};

/** Lets an agent work at a stand-in. */
const attempt = (profile: Profile, tools: readonly Tool[] = [toolNamed('files/read')]) =>
  withProfile(profile, async (served) => {
    const prompt = { id: 'agent@v1', messages: [{ role: 'user' as const, content: 'Read two files' }] };
    const limits = agentLimits.parse({});
    const model = modelsAt(served, profile, profile.baseUrl);
    const result = await runFunctionCallingAttempt({
      tools,
      model,
      connections,
      limits,
      seed: 1,
      now: () => 0,
      prompt,
    });
    return { ...result, refused: served.refusals.length, accepted: served.accepted.length };
  });

const ask = (profile: Profile) =>
  withProfile(profile, (served) =>
    modelsAt(served, profile, profile.baseUrl).askForJson({
      role: 'writer',
      prompt: { id: 'p@v1', messages: [{ role: 'user', content: 'Give me a number' }] },
      form: 'number',
      schema: z.object({ n: z.int() }),
      seed: 1,
    }),
  );

const changedCalls =
  (change: Partial<Answer['calls'][number]>) =>
  (answer: Answer): Answer => ({
    ...answer,
    calls: answer.calls.map((call) => ({ ...call, ...change })),
  });

describe('a malformed call', () => {
  test.each([
    ['OpenAI gpt-5.4', { name: 'files/read' }],
    ['Ollama', { arguments: '{"path": ' }],
    ['llama.cpp', { arguments: '["path"]' }],
    ['vLLM (32k window, thinks aloud)', { arguments: '' }],
  ])('is the mistake of the model, which continues, at %s: %j', async (name, wrong) => {
    const { trace, refused } = await attempt({ ...profileNamed(name), adorn: changedCalls(wrong) });
    expect(trace).toMatchObject({ end: 'answered', fault: null });
    expect(trace.steps).toHaveLength(2);
    expect(refused).toBeLessThanOrEqual(name.startsWith('vLLM') ? 3 : 0);
  });
});

describe('a conversation that is too long', () => {
  test.each(['llama.cpp', 'vLLM (32k window, thinks aloud)'])('is the limit of the agent at %s', async (name) => {
    const tools = Array.from({ length: 80 }, (_, n) => ({
      ...toolNamed(`files/read-${n}`),
      description: 'x'.repeat(2_000),
    }));
    const { trace, calls } = await attempt(profileNamed(name), tools);
    expect(trace).toMatchObject({ end: 'token-limit', overflowed: true, fault: null, promptTokens: 0 });
    expect(calls).toHaveLength(1);
  });
});

test('more functions than the endpoint takes are refused before anything is asked', async () => {
  const tools = Array.from({ length: 129 }, (_, n) => toolNamed(`files/read-${n}`));
  const result = await attempt(profileNamed('OpenAI gpt-5.4'), tools);
  expect(result).toMatchObject({ tooManyFunctions: true, refused: 0, accepted: 0, calls: [] });
  expect(result.fault?.detail).toBe('the endpoint takes at most 128 functions in one request, and there are 129');
});

describe('an answer that cannot be used', () => {
  const openRouter = profileNamed('OpenRouter');

  test('is asked for again if the endpoint failed while the model wrote, and its tokens count', async () => {
    const { calls } = await ask({
      ...openRouter,
      fail: (place) => (place < 2 ? failureInAnswer({ prompt_tokens: 70, completion_tokens: 5 }) : null),
    });
    expect(calls).toMatchObject([{ promptTokens: 2_140, completionTokens: 210, retries: 2 }]);
  });

  test('is a fault if the endpoint keeps failing, and its tokens count', async () => {
    const answer = await ask({
      ...openRouter,
      fail: (place) => (place < 99 ? failureInAnswer({ prompt_tokens: 70, completion_tokens: 5 }) : null),
    });
    expect(answer).toMatchObject({ ok: false, reason: 'fault', fault: { code: 'connection-lost' } });
    expect(answer.calls).toMatchObject([{ promptTokens: 350, completionTokens: 25 }]);
  });
});

test('what was cached and thought is counted by itself', async () => {
  const { calls } = await ask(profileNamed('DeepSeek (thinking)'));
  expect(calls).toMatchObject([
    { promptTokens: 2_000, cachedTokens: 1_500, completionTokens: 200, reasoningTokens: 150 },
  ]);
});

test('reasoning that only the total has belongs to the completion', async () => {
  const { calls } = await ask(profileNamed('Gemini (compatibility layer)'));
  expect(calls).toMatchObject([{ promptTokens: 2_000, completionTokens: 640 }]);
});

test('an agent whose model has to do without reasoning says so in its trace', async () => {
  expect((await attempt(profileNamed('OpenAI gpt-5.6 without the Responses API'))).trace.adaptations).toEqual([
    'effortWithFunctions: none',
    'wire: chat',
  ]);
  expect((await attempt(profileNamed('OpenAI gpt-5.4'))).trace).not.toHaveProperty('adaptations');
});

test('over the Responses API a model keeps its reasoning, and what was cached and thought is counted', async () => {
  const { trace, calls, refused } = await attempt(profileNamed('OpenAI gpt-5.6'));
  expect(refused).toBe(0);
  expect(trace).toMatchObject({ end: 'answered', finalText: 'It is done.' });
  expect(trace.steps).toHaveLength(2);
  expect(trace).not.toHaveProperty('adaptations');
  expect(calls).toHaveLength(3);
  for (const call of calls)
    expect(call).toMatchObject({
      promptTokens: 2_000,
      cachedTokens: 1_000,
      completionTokens: 200,
      reasoningTokens: 120,
    });
});

test('over the Messages API a model keeps its thoughts, and what was cached and thought is counted', async () => {
  const { trace, calls, refused } = await attempt(profileNamed('Anthropic (Messages)'));
  expect(refused).toBe(0);
  expect(trace).toMatchObject({ end: 'answered', finalText: 'It is done.' });
  expect(trace.steps).toHaveLength(2);
  expect(trace).not.toHaveProperty('adaptations');
  expect(calls).toHaveLength(3);
  for (const call of calls)
    expect(call).toMatchObject({
      promptTokens: 2_000,
      cachedTokens: 1_200,
      cacheWriteTokens: 300,
      completionTokens: 200,
      reasoningTokens: 120,
    });
});

describe('a refusal of the Messages API', () => {
  const refusing = (refusal: Refused): Profile => ({
    ...profileNamed('Anthropic (Messages)'),
    model: `claude-${refusal.code}`,
    otherWires: { '/messages': () => refusal },
  });

  test.each([
    [401, 'authentication_error', 'invalid x-api-key', 'http-status'],
    [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.', 'out-of-credit'],
    [402, 'billing_error', 'There is no credit.', 'out-of-credit'],
    [429, 'rate_limit_error', 'This request would exceed your rate limit.', 'rate-limited'],
    [529, 'overloaded_error', 'Overloaded', 'http-status'],
  ])('with status %i and %s is a fault: %s (%s)', async (status, code, message, fault) => {
    const { calls, ...answer } = await ask(refusing({ status, code, message }));
    expect(answer).toMatchObject({ ok: false, reason: 'fault', fault: { code: fault } });
    expect(answer).toHaveProperty('fault.detail', expect.stringContaining(`HTTP status ${status}`));
    expect(calls).toEqual([]);
  });

  test('is the limit of the agent if the prompt is too long', async () => {
    const message = 'prompt is too long: 210000 tokens > 200000 maximum';
    const { trace } = await attempt(refusing({ status: 400, code: 'invalid_request_error', message }));
    expect(trace).toMatchObject({ end: 'token-limit', overflowed: true, fault: null });
  });

  test('in the middle of an answer is repeated if the endpoint is overloaded', async () => {
    let failures = 2;
    const messages = profileNamed('Anthropic (Messages)').otherWires?.['/messages'];
    const overloaded = [
      { type: 'message_start', message: { content: [], usage: { input_tokens: 70, output_tokens: 1 } } },
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ];
    const { calls } = await ask({
      ...profileNamed('Anthropic (Messages)'),
      otherWires: {
        '/messages': (body, headers, answer) => {
          failures -= 1;
          return failures >= 0 ? overloaded : (messages?.(body, headers, answer) ?? []);
        },
      },
    });
    expect(calls).toMatchObject([{ retries: 2, promptTokens: 2_140 }]);
  });
});
