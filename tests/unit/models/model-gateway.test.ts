import { describe, expect, test } from 'vitest';
import { passModelRequest, type Passed, type PassOptions } from '#adapters/model/pass-request.ts';
import { PassingAnswer } from '#adapters/model/passing-answer.ts';
import { callNamesToKeep, countOwnToolCalls } from '#core/models/gateway/model-request.ts';
import {
  answerHeadersToPass,
  modelAddress,
  parseModelPath,
  readTokenOfModelClient,
  requestHeadersToPass,
  type GatewayWire,
} from '#core/models/gateway/wire.ts';
import { makeSecretFilter } from '#core/values/withheld-bytes.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));
const textOf = (pieces: readonly Uint8Array[]): string =>
  pieces.map((piece) => new TextDecoder().decode(piece)).join('');

describe('where a model request goes', () => {
  const address = (baseUrl: string, path: string, query = ''): string => {
    const asked = parseModelPath(path);
    if (asked === null) throw new Error(`nothing is at ${path}`);
    return modelAddress(baseUrl, asked, new URLSearchParams(query));
  };

  test.each([
    ['https://api.openai.com/v1', 'openai/v1/chat/completions', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/v1/', 'openai/v1/responses', 'https://api.openai.com/v1/responses'],
    [
      'https://x.azure.com/openai/v1?api-version=2',
      'openai/v1/responses',
      'https://x.azure.com/openai/v1/responses?api-version=2',
    ],
    ['https://api.anthropic.com', 'anthropic/v1/messages', 'https://api.anthropic.com/v1/messages'],
    [
      'https://api.anthropic.com/v1',
      'anthropic/v1/messages/count_tokens',
      'https://api.anthropic.com/v1/messages/count_tokens',
    ],
    [
      'https://generativelanguage.googleapis.com/v1beta/openai',
      'gemini/v1beta/models/gemini-3:generateContent',
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-3:generateContent',
    ],
    [
      'http://localhost:1',
      'gemini/v1beta/models/a%20b:countTokens',
      'http://localhost:1/v1beta/models/a%20b:countTokens',
    ],
  ])('%s and %s make %s', (baseUrl, path, expected) => {
    expect(address(baseUrl, path)).toBe(expected);
  });

  test('keeps of the query what says the form of the answer, and never a key', () => {
    const path = 'gemini/v1beta/models/g:streamGenerateContent';
    expect(address('https://a.test/v1beta', path, 'alt=sse&key=secret&host=b.test')).toBe(
      'https://a.test/v1beta/models/g:streamGenerateContent?alt=sse',
    );
  });

  test('is nowhere for any other path', () => {
    for (const path of [
      '',
      'openai/v1/files',
      'anthropic/v1/models',
      'gemini/v1beta/models/a/b:generateContent',
      'openai/v1/chat/completions/',
    ])
      expect(parseModelPath(path)).toBeNull();
  });

  test('takes no header along that could hold a secret, in either direction', () => {
    const sent = new Headers({
      authorization: 'Bearer a',
      'x-api-key': 'b',
      cookie: 'c',
      'anthropic-beta': 'd',
      'x-own': 'e',
    });
    expect(Object.fromEntries(requestHeadersToPass(sent))).toEqual({ 'anthropic-beta': 'd' });
    const got = new Headers({
      'set-cookie': 'a',
      'retry-after': '3',
      'x-ratelimit-remaining-tokens': '4',
      'x-key': 'b',
    });
    expect(Object.fromEntries(answerHeadersToPass(got))).toEqual({
      'retry-after': '3',
      'x-ratelimit-remaining-tokens': '4',
    });
  });

  test('the token comes as each API has its key', () => {
    expect(readTokenOfModelClient(new Headers({ authorization: 'Bearer t' }))).toBe('t');
    for (const name of ['x-api-key', 'api-key', 'x-goog-api-key'])
      expect(readTokenOfModelClient(new Headers({ [name]: 't' }))).toBe('t');
    expect(readTokenOfModelClient(new Headers())).toBeUndefined();
  });
});

describe('a secret in a stream', () => {
  const secret = 'sk-aab-secret';

  test('is taken out wherever the pieces are cut, and everything else stays', () => {
    const text = `sk-aa ${secret}${secret} sk-aab-secre sk-aab-secreT é`;
    const whole = bytes(text);
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const filter = makeSecretFilter(secret);
      const passed = [filter.pass(whole.subarray(0, cut)), filter.pass(whole.subarray(cut)), filter.end()];
      expect(new TextDecoder().decode(new Uint8Array(passed.flatMap((piece) => [...piece])))).toBe(
        'sk-aa [redacted][redacted] sk-aab-secre sk-aab-secreT é',
      );
    }
  });

  test('holds back only what may be its beginning', () => {
    const filter = makeSecretFilter(secret);
    expect(textOf([filter.pass(bytes('data: hello\n\n'))])).toBe('data: hello\n\n');
    expect(textOf([filter.pass(bytes('x sk-a'))])).toBe('x ');
    expect(textOf([filter.pass(bytes('a'))])).toBe('');
    expect(textOf([filter.pass(bytes('!'))])).toBe('sk-aa!');
  });

  test('of fewer than eight characters stays, because anything holds it by chance', () => {
    expect(textOf([makeSecretFilter('none').pass(bytes('none'))])).toBe('none');
  });
});

const events = (...each: readonly unknown[]): string =>
  each.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** One answer in each wire that asks for a call of `shell`, with all kinds of tokens. */
const streams: Readonly<Record<GatewayWire, string>> = {
  chat:
    events(
      {
        choices: [
          { index: 0, delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'shell', arguments: '{}' } }] } },
        ],
      },
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      {
        choices: [],
        usage: {
          prompt_tokens: 100,
          completion_tokens: 20,
          total_tokens: 120,
          prompt_tokens_details: { cached_tokens: 60 },
          completion_tokens_details: { reasoning_tokens: 5 },
        },
      },
    ) + 'data: [DONE]\n\n',
  responses: events({
    type: 'response.completed',
    response: {
      status: 'completed',
      output: [{ type: 'function_call', call_id: 'a', name: 'shell', arguments: '{}' }],
      usage: {
        input_tokens: 100,
        output_tokens: 20,
        input_tokens_details: { cached_tokens: 60 },
        output_tokens_details: { reasoning_tokens: 5 },
      },
    },
  }),
  messages: events(
    { type: 'message_start', message: { usage: { input_tokens: 40, cache_read_input_tokens: 60, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'shell', input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use' },
      usage: { output_tokens: 20, output_tokens_details: { thinking_tokens: 5 } },
    },
    { type: 'message_stop' },
  ),
  gemini: events(
    {
      candidates: [{ content: { parts: [{ functionCall: { name: 'shell', args: {} } }] } }],
      usageMetadata: { promptTokenCount: 100 },
    },
    {
      candidates: [{ content: { parts: [] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 100,
        candidatesTokenCount: 15,
        thoughtsTokenCount: 5,
        cachedContentTokenCount: 60,
      },
    },
  ),
};

describe('what passes is read without being changed', () => {
  test.each(['chat', 'responses', 'messages', 'gemini'] as const)('over the wire %s, byte by byte', (wire) => {
    const answer = new PassingAnswer(wire, true);
    for (const byte of bytes(streams[wire])) answer.addBytes(new Uint8Array([byte]));
    answer.end();
    const { usage, calls, isWhole, fault } = answer.see();
    expect(usage).toMatchObject({ prompt: 100, completion: 20, cached: 60, reasoning: 5 });
    expect([calls, isWhole, fault]).toEqual([['shell'], true, undefined]);
  });

  test('a stream that its endpoint breaks off is a fault, one that its reader leaves is not', () => {
    for (const [act, fault] of [
      ['breakOff', 'connection-lost'],
      ['end', 'connection-lost'],
      [null, undefined],
    ] as const) {
      const answer = new PassingAnswer('messages', true);
      answer.addBytes(bytes(streams.messages.slice(0, 200)));
      if (act !== null) answer[act]();
      expect(answer.see()).toMatchObject({ usage: { prompt: 100 }, isWhole: act === 'end' });
      expect(answer.see().fault).toBe(fault);
    }
  });
});

test('calls of own tools are told from those of mounted ones, whatever prefix a client writes', () => {
  const requests = [
    { calls: ['mcp__sextant__files__read', 'Bash', 'sextant_files__read', 'files__read'] },
    { calls: ['Bash', 'myfiles__read', 'tool_search'] },
  ];
  expect(countOwnToolCalls(requests, ['files__read'])).toEqual({ Bash: 2, myfiles__read: 1, tool_search: 1 });
  // Codex writes no hyphens.
  expect(countOwnToolCalls([{ calls: ['s0__add_note'] }], ['s0__add-note'])).toEqual({});
  expect(callNamesToKeep(['ok', 'a secret sentence', 'x'.repeat(200)])).toEqual(['ok', 'unnamed', 'unnamed']);
});

/** An endpoint that streams for ever, and says how much was taken from it. */
function endlessEndpoint(everyMs = 0): {
  readonly fetch: PassOptions['fetch'];
  readonly taken: () => number;
  readonly isLeft: () => boolean;
} {
  let [taken, isLeft] = [0, false];
  const piece = bytes(
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(10_000) } }] })}\n\n`,
  );
  return {
    taken: () => taken,
    isLeft: () => isLeft,
    fetch: async () =>
      new Response(
        new ReadableStream<Uint8Array>(
          {
            pull: async (controller) => {
              await new Promise((resolve) => setTimeout(resolve, everyMs));
              taken += 1;
              controller.enqueue(piece);
            },
            cancel: () => void (isLeft = true),
          },
          { highWaterMark: 0 },
        ),
        { headers: { 'content-type': 'text/event-stream' } },
      ),
  };
}

async function pass(
  options: Pick<PassOptions, 'fetch'> & Partial<PassOptions>,
): Promise<Extract<Passed, { ok: true }>> {
  const passed = await passModelRequest(
    { wire: 'chat', url: 'http://a.test', headers: new Headers(), body: bytes('{}'), apiKey: 'key-of-the-endpoint' },
    {
      governed: null,
      tokens: 1,
      patienceMs: 1,
      silenceMs: 1_000,
      slowReaderMs: 1_000,
      signal: new AbortController().signal,
      ...options,
    },
  );
  if (!passed.ok) throw new Error(passed.broken.detail);
  return passed;
}

describe('a stream', () => {
  test('goes no faster than its reader, who is cut off if that is too slow', async () => {
    const endpoint = endlessEndpoint();
    const { response, ended, answer } = await pass({ fetch: endpoint.fetch, slowReaderMs: 50 });
    const reader = response.body?.getReader();
    await reader?.read();
    await ended;
    expect(endpoint.taken()).toBeLessThanOrEqual(2);
    expect(endpoint.isLeft()).toBe(true);
    expect([answer.see().isWhole, answer.see().fault]).toEqual([false, undefined]);
    await expect(reader?.read()).rejects.toThrow('cut off');
  });

  test('is broken off if its endpoint falls silent, and cut off if the attempt ends', async () => {
    const silent = await pass({ fetch: endlessEndpoint(10_000).fetch, silenceMs: 50 });
    await expect(silent.response.text()).rejects.toThrow('cut off');
    await silent.ended;
    expect(silent.answer.see().fault).toBe('connection-lost');
    const end = new AbortController();
    const endpoint = endlessEndpoint(5);
    const cut = await pass({ fetch: endpoint.fetch, signal: end.signal });
    setTimeout(() => end.abort(), 30);
    await expect(cut.response.text()).rejects.toThrow('cut off');
    await cut.ended;
    expect([cut.answer.see().isWhole, cut.answer.see().fault]).toEqual([false, undefined]);
    expect(endpoint.isLeft()).toBe(true);
  });

  test('is left when its reader goes', async () => {
    const endpoint = endlessEndpoint();
    const { response, ended } = await pass({ fetch: endpoint.fetch });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await ended;
    expect(endpoint.isLeft()).toBe(true);
  });

  test('begins before its endpoint has ended', async () => {
    const { response } = await pass({ fetch: endlessEndpoint().fetch });
    const reader = response.body?.getReader();
    expect(textOf([(await reader?.read())?.value ?? bytes('')])).toMatch(/^data: /);
    await reader?.cancel();
  });
});
