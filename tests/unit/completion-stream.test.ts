import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCompletion } from '#adapters/model/completion.ts';
import { readStreamedCompletion } from '#adapters/model/completion-stream.ts';
import type { StreamedCompletion } from '#adapters/model/event-stream.ts';
import { eventsOf } from '../support/completion-events.ts';

/** A body of these pieces, which breaks at the end or just ends. */
function bodyOf(pieces: readonly Uint8Array[], breaks?: Error): ReadableStream<Uint8Array> {
  const left = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next !== undefined) return controller.enqueue(next);
      if (breaks === undefined) controller.close();
      else controller.error(breaks);
    },
  });
}
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const never = new AbortController().signal;
const read = (text: string, breaks?: Error): Promise<StreamedCompletion> =>
  readStreamedCompletion(bodyOf([bytes(text)], breaks), never);
const event = (data: unknown): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const delta = (of: unknown, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: of, finish_reason: finish }] });
const completion = async (text: string): Promise<ReturnType<typeof parseCompletion>> => {
  const streamed = await read(text);
  return streamed.kind === 'complete' ? parseCompletion(streamed.body) : undefined;
};

test('a streamed completion equals the unstreamed one, wherever its bytes are split', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  const call = fc.record({
    id: fc.uuid(),
    type: fc.constant('function'),
    function: fc.record({ name: fc.string({ minLength: 1, maxLength: 9 }), arguments: text }),
  });
  const whole = fc.record({
    message: fc.record({
      content: fc.option(text),
      refusal: fc.oneof(fc.constant(''), text),
      tool_calls: fc.array(call, { maxLength: 3 }),
    }),
    finish: fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter'),
    usage: fc.record({ prompt_tokens: fc.nat(), completion_tokens: fc.nat(), total_tokens: fc.nat() }),
  });
  await fc.assert(
    fc.asyncProperty(whole, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), async (made, sizes) => {
      const stream = bytes(eventsOf(made, true).join(': still at work\n\n'));
      const pieces: Uint8Array[] = [];
      for (let at = 0, turn = 0; at < stream.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        pieces.push(stream.slice(at, at + size));
        at += size;
      }
      const streamed = await readStreamedCompletion(bodyOf(pieces), never);
      const { message, finish, usage } = made;
      expect(streamed.kind === 'complete' && parseCompletion(streamed.body)).toEqual(
        parseCompletion({ choices: [{ message, finish_reason: finish }], usage }),
      );
    }),
    { numRuns: 200 },
  );
});

describe('a stream of an endpoint with small deviations', () => {
  const usage = { prompt_tokens: 5, completion_tokens: 1 };
  const said = delta({ content: 'yes' });
  const done = event('[DONE]');

  test.each([
    ['write null where there are no choices', `${said}${delta({}, 'stop')}${event({ choices: null, usage })}${done}`],
    ['count in the last piece', `${said}${event({ choices: [{ delta: {}, finish_reason: 'stop' }], usage })}${done}`],
    [
      'count in every piece',
      `${event({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 0 } })}${said}
${event({ choices: [{ delta: null, finish_reason: 'stop' }], usage })}${done}`,
    ],
    [
      'begin with a piece about filters',
      `${event({ choices: [], prompt_filter_results: [] })}${said}${delta({}, 'stop')}${event({ choices: [], usage })}${done}`,
    ],
    ['never say that they are done', `${said}${delta({}, 'stop')}${event({ choices: [], usage })}`],
  ])('is read correctly: %s', async (_what, text) => {
    expect(await completion(text)).toMatchObject({
      content: 'yes',
      finish: 'stop',
      usage: { prompt: 5, completion: 1 },
    });
  });

  test('may lack a finish reason', async () => {
    expect(await completion(`${said}${done}`)).toMatchObject({ content: 'yes', finish: 'stop', usage: {} });
  });

  const whole = (id: string, index?: number) => ({
    index,
    id,
    function: { name: `f-${id}`, arguments: `{"${id}":1}` },
  });
  const calls = ['a', 'b'].map((id) => ({ id, name: `f-${id}`, argumentsText: `{"${id}":1}` }));
  test.each([
    ['number all calls alike', [whole('a', 0), whole('b', 0)]],
    ['do not number calls', [whole('a'), whole('b')]],
    [
      'repeat the name and id',
      [
        { ...whole('a', 0), function: { name: 'f-a', arguments: '{"a"' } },
        { ...whole('a', 0), function: { name: 'f-a', arguments: ':1}' } },
        whole('b', 1),
      ],
    ],
    [
      'mix the pieces of calls',
      [
        { index: 0, id: 'a', function: { name: 'f-a', arguments: '' } },
        { index: 1, id: 'b', function: { name: 'f-b', arguments: '{"b"' } },
        { index: 0, function: { arguments: '{"a":1}' } },
        { index: 1, function: { arguments: ':1}' } },
      ],
    ],
  ])('is refused: %s', async (_what, fragments) => {
    const text = fragments.map((fragment) => delta({ tool_calls: [fragment] })).join('');
    expect((await completion(`${text}${delta({}, 'tool_calls')}${done}`))?.toolCalls).toEqual(calls);
  });
});

describe('a broken stream', () => {
  const said = delta({ content: 'yes' });

  test('counts as cut off if it ends before the answer', async () => {
    expect(await read('')).toEqual({ kind: 'cut' });
    expect(await read(said)).toEqual({ kind: 'cut' });
    expect(await read(`${said}data: {"choi`)).toEqual({ kind: 'cut' });
    expect(await read(': still at work\n\n')).toEqual({ kind: 'cut' });
  });

  test('counts as endless if it exceeds the size limit', async () => {
    const long = 'x'.repeat(1024 * 1024);
    const fits = delta({ content: long }).repeat(4);
    expect(await read(`${fits}${delta({}, 'stop')}`)).toMatchObject({ kind: 'complete' });
    expect(await read(`${fits}${said}${delta({}, 'stop')}`)).toEqual({ kind: 'endless' });
    const call = delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: `${long}x` } }] });
    expect(await read(`${call.repeat(4)}${delta({}, 'stop')}`)).toEqual({ kind: 'endless' });
  });

  test('counts as cut off if its signal aborts', async () => {
    const over = new AbortController();
    const reading = readStreamedCompletion(new ReadableStream<Uint8Array>({}), over.signal);
    over.abort();
    expect(await reading).toEqual({ kind: 'cut' });
  });

  test('fails with its body, but not after the answer is complete', async () => {
    const broken = new Error('gone');
    await expect(read(said, broken)).rejects.toBe(broken);
    expect(await read(`${said}${delta({}, 'stop')}`, broken)).toMatchObject({ kind: 'complete' });
  });

  test('is an error if the endpoint reports one', async () => {
    const error = { message: 'overloaded', code: 'server_error' };
    expect(await read(`${said}${event({ error })}`)).toEqual({ kind: 'error', error });
    expect(await read(`${said}event: error\n${event({ error })}`)).toEqual({ kind: 'error', error });
  });

  test.each(['{"choices": [', '[]', '"text"', '{"choices":"none"}', '{"choices":[{"delta":{"content":7}}]}'])(
    'is malformed if its parts are not chunks: %s',
    async (data) => {
      expect(await read(`${event(data)}${event('[DONE]')}`)).toEqual({ kind: 'malformed' });
    },
  );

  test('is malformed if it is done before it starts', async () => {
    expect(await read(event('[DONE]'))).toEqual({ kind: 'malformed' });
  });
});
