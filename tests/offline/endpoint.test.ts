import { URL } from 'node:url';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLazyEmbedder } from '../../offline/embedder/embedder.ts';
import { startModelsEndpoint, type ModelsEndpoint } from '../../offline/models/endpoint.ts';
import { testCards } from './models-cards.ts';
import { formRequest, scenarioForm, toolOf } from './models-support.ts';

let endpoint: ModelsEndpoint;
let client: OpenAI;

beforeAll(async () => {
  endpoint = await startModelsEndpoint({ port: 0, cards: testCards });
  client = new OpenAI({ apiKey: 'none', baseURL: endpoint.url, maxRetries: 0 });
});
afterAll(() => endpoint.close());

const tools = [...testCards.values()].slice(0, 4).map(toolOf);
const post = (path: string, body: string): Promise<Response> =>
  fetch(endpoint.url + path, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

const ask = async (): Promise<string> => {
  const response = await post(
    '/chat/completions',
    JSON.stringify(formRequest('offline-writer', 'scenario', { tools, known: [] }, 7)),
  );
  expect(response.status).toBe(200);
  return response.text();
};

const embeddingOf = (input: string): string => JSON.stringify({ model: 'offline-embedder', input });

const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

describe('the models endpoint', () => {
  it('lists its models', async () => {
    const names: string[] = [];
    for await (const model of client.models.list()) names.push(model.id);
    expect(names).toEqual([
      'offline-writer',
      'offline-writer-blind',
      'offline-critic',
      'offline-judge',
      'offline-judge-lenient',
      'offline-judge-strict',
      'offline-steady',
      'offline-hasty',
      'offline-forgetful',
      'offline-embedder',
    ]);
  });

  it('fills in a form, the same for the same seed, with plausible usage', async () => {
    const one = await ask();
    expect(await ask()).toBe(one);
    const body: OpenAI.ChatCompletion = JSON.parse(one);
    expect(body.choices[0]?.finish_reason).toBe('stop');
    expect(scenarioForm.parse(JSON.parse(body.choices[0]?.message.content ?? '')).scenario).not.toBeNull();
    expect(body.usage?.prompt_tokens).toBeGreaterThan(100);
  });

  it('streams the same text and calls that it returns unstreamed', async () => {
    const request = {
      model: 'offline-steady',
      messages: [{ role: 'user' as const, content: 'Please raise 2 to the power of 7.' }],
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        function: { name: name.replace('/', '__'), description, parameters: inputSchema },
      })),
    };
    const whole = await client.chat.completions.create(request);
    const stream = await client.chat.completions.create({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    let name = '';
    let args = '';
    let finish: string | null = null;
    let total: number | undefined;
    for await (const chunk of stream) {
      const [choice] = chunk.choices;
      name += choice?.delta.tool_calls?.[0]?.function?.name ?? '';
      args += choice?.delta.tool_calls?.[0]?.function?.arguments ?? '';
      finish = choice?.finish_reason ?? finish;
      total = chunk.usage?.total_tokens ?? total;
    }
    const [call] = whole.choices[0]?.message.tool_calls ?? [];
    expect(call?.type === 'function' ? [call.function.name, call.function.arguments] : null).toEqual([name, args]);
    expect([name, JSON.parse(args), finish]).toEqual(['calc__power_of', { base: 2, exponent: 7 }, 'tool_calls']);
    expect(total).toBe(whole.usage?.total_tokens);
  });

  it('embeds paraphrases closer together than unrelated texts, without common words', async () => {
    const { data } = await client.embeddings.create({
      model: 'offline-embedder',
      input: ['Store the blue file', 'Keep a copy of this azure document', 'How far is the moon?'],
    });
    const [one = [], near = [], far = []] = data.map(({ embedding }) => embedding);
    expect(one).toHaveLength(512);
    expect(dot(one, one)).toBeCloseTo(1, 4);
    expect(dot(one, near)).toBeGreaterThan(dot(one, far) + 0.3);
    const plain = await client.embeddings.create({
      model: 'offline-embedder',
      input: 'Store the blue file',
      encoding_format: 'float',
    });
    plain.data[0]?.embedding.forEach((value, index) => expect(value).toBeCloseTo(one[index] ?? Number.NaN, 5));
  });

  it.each([
    ['no JSON', '/chat/completions', '{', 400],
    ['no messages', '/chat/completions', '{"model":"offline-writer"}', 400],
    ['an unknown model', '/chat/completions', '{"model":"gpt","messages":[{"role":"user","content":"x"}]}', 404],
    ['an unknown form', '/chat/completions', JSON.stringify(formRequest('offline-writer', 'poem', {}, 1)), 400],
    ['an empty text', '/embeddings', '{"model":"offline-embedder","input":["x",""]}', 400],
    ['a text that is too long', '/embeddings', embeddingOf('x'.repeat(32_769)), 400],
    ['no text', '/embeddings', '{"model":"offline-embedder","input":[]}', 400],
    ['an embedder that chats', '/embeddings', '{"model":"offline-writer","input":"x"}', 404],
    ['an unknown route', '/images', '{}', 404],
  ])('answers %s with an error in the usual form', async (_, path, body, status) => {
    const response = await post(path, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      error: {
        message: expect.any(String),
        type: 'invalid_request_error',
        param: null,
        code: status === 404 && path !== '/images' ? 'model_not_found' : null,
      },
    });
  });

  it('answers with a server error if the embedding model fails', async () => {
    const embedder = makeLazyEmbedder(new URL('data:text/javascript,throw new Error("no weights")'));
    const broken = await startModelsEndpoint({ port: 0, cards: testCards, embedder });
    const response = await fetch(`${broken.url}/embeddings`, { method: 'POST', body: embeddingOf('a text') });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      error: { type: 'server_error', message: 'The embedding model failed: no weights.' },
    });
    await broken.close();
  });
});
