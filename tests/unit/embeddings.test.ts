import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { makeOpenAiModels, type ModelConfig } from '#adapters/model/openai.ts';
import { prompts } from '#adapters/prompts/index.ts';

const config: ModelConfig = {
  baseUrl: 'https://models.example.com/v1',
  apiKey: 'sk-secret',
  model: 'e-1',
  promptPricePerMTok: 2,
  completionPricePerMTok: 10,
  timeoutMs: 2_000,
  maxCompletionTokens: 500,
};

/** An embedder behind a fetch of given replies (the last one for ever), with a clock that only sleeping moves. */
function embedderOver(replies: (() => Response | Promise<Response>)[]) {
  const bodies: unknown[] = [];
  const sleeps: number[] = [];
  let time = 0;
  const fetch: FetchLike = async (url, init) => {
    expect(String(url)).toBe('https://models.example.com/v1/embeddings');
    expect(new Headers(init?.headers).get('authorization')).toBe('Bearer sk-secret');
    bodies.push(JSON.parse(z.string().parse(init?.body)));
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    if (reply === undefined) throw new Error('no reply');
    return reply();
  };
  const { embed } = makeOpenAiModels(
    { embedder: config },
    {
      admission: new Admission(),
      fetch: makeGuardedFetch({ admission: new Admission(), allowLocal: false, maxBytes: 10_000, fetch }),
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
  return { embed, bodies, sleeps };
}

const text =
  (body: string, status = 200) =>
  () =>
    new Response(body, { status, headers: { 'content-type': 'application/json' } });
const json = (body: unknown, status = 200) => text(JSON.stringify(body), status);
const usage = { prompt_tokens: 50, total_tokens: 50 };
const vectors = (...data: (readonly [index: number, embedding: readonly number[]])[]) =>
  json({ data: data.map(([index, embedding]) => ({ object: 'embedding', index, embedding })), usage });

describe('embeddings', () => {
  test('return a vector for each text, and the cost', async () => {
    const { embed, bodies } = embedderOver([vectors([0, [1, 0]], [1, [0.5, -2e-3]])]);
    expect(await embed(['one', 'two'])).toEqual({
      ok: true,
      vectors: [
        [1, 0],
        [0.5, -0.002],
      ],
      call: {
        role: 'embedder',
        model: 'e-1',
        prompt: 'none',
        promptTokens: 50,
        completionTokens: 0,
        costUsd: 0.0001,
        latencyMs: 0,
        retries: 0,
      },
      queuedMs: 0,
    });
    expect(bodies).toEqual([{ model: 'e-1', input: ['one', 'two'], encoding_format: 'float' }]);
  });

  test('keep the order of the texts', async () => {
    const { embed } = embedderOver([vectors([1, [2]], [2, [3]], [0, [1]])]);
    expect(await embed(['a', 'b', 'c'])).toMatchObject({ ok: true, vectors: [[1], [2], [3]] });
  });

  test('have estimated tokens if the endpoint does not number or count them', async () => {
    const { embed } = embedderOver([json({ data: [{ embedding: [1] }, { embedding: [2] }] })]);
    const call = { promptTokens: 3, completionTokens: 0, costUsd: 0.000006 };
    expect(await embed(['12345', '6789'])).toMatchObject({ ok: true, vectors: [[1], [2]], call });
  });

  test('are retried and counted after a transient error', async () => {
    const { embed, sleeps } = embedderOver([json({}, 429), json({}, 503), vectors([0, [1]])]);
    expect(await embed(['a'])).toMatchObject({ ok: true, call: { retries: 2, latencyMs: 0 } });
    expect(sleeps).toEqual([375, 750]);
  });

  test.each([
    ['429', json({ error: { message: 'sk-secret' } }, 429), 'rate-limited', 4],
    ['400', json({ error: { message: 'sk-secret' } }, 400), 'http-status', 0],
    ['no connection', () => Promise.reject(new TypeError('fetch failed')), 'unreachable', 4],
    ['a vector too few', vectors([0, [1]]), 'malformed-protocol', 0],
    ['a vector too many', vectors([0, [1]], [1, [1]], [2, [1]]), 'malformed-protocol', 0],
    ['two lengths', vectors([0, [1]], [1, [1, 2]]), 'malformed-protocol', 0],
    ['empty vectors', vectors([0, []], [1, []]), 'malformed-protocol', 0],
    ['two vectors for one text', vectors([0, [1]], [0, [2]]), 'malformed-protocol', 0],
    ['a vector for no text', vectors([0, [1]], [2, [2]]), 'malformed-protocol', 0],
    ['infinity', text('{"data":[{"embedding":[1e999]},{"embedding":[1]}]}'), 'malformed-protocol', 0],
    ['null in a vector', text('{"data":[{"embedding":[null]},{"embedding":[1]}]}'), 'malformed-protocol', 0],
    ['base64', json({ data: [{ embedding: 'AACAPw==' }, { embedding: 'AACAPw==' }] }), 'malformed-protocol', 0],
    ['other JSON', json({ choices: [] }), 'malformed-protocol', 0],
    ['broken JSON', text('{'), 'malformed-protocol', 0],
    ['more than the bound', text(' '.repeat(20_000)), 'malformed-protocol', 0],
  ] satisfies [string, () => Response | Promise<Response>, string, number][])(
    'fail with a fault: %s',
    async (_what, reply, code, repeats) => {
      const { embed, sleeps } = embedderOver([reply]);
      const answer = await embed(['a', 'b']);
      expect(answer).toMatchObject({ ok: false, fault: { where: 'model', name: 'embedder', code } });
      expect(sleeps).toHaveLength(repeats);
      expect(JSON.stringify(answer)).not.toContain('sk-secret');
    },
  );

  test('fail with a fault if there is no embedder', async () => {
    const fetch = () => Promise.reject(new Error('never'));
    const { embed } = makeOpenAiModels(
      { judge: config },
      { admission: new Admission(), fetch, answerForm: prompts.answerForm, repair: prompts.repair },
    );
    expect(await embed(['a'])).toMatchObject({ ok: false, fault: { name: 'embedder', code: 'unreachable' } });
  });
});
