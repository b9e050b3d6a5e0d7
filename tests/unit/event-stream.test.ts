import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventStream, type LoggedEvent } from '#durable-objects/shared/event-stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const longestMs = 60_000;

/** A log that can be added to, and a stream of it. */
function logged() {
  const log: LoggedEvent[] = [];
  let complete = false;
  const reads: number[] = [];
  const events = (after: number, limit: number): LoggedEvent[] => {
    reads.push(after);
    return log.filter(({ id }) => id > after).slice(0, limit);
  };
  const stream = new EventStream({ events, isComplete: () => complete }, longestMs);
  return {
    stream,
    reads,
    add(type: string) {
      const id = log.length + 1;
      log.push({ id, type, json: `{"id":${id}}` });
      stream.notifyListeners();
    },
    end() {
      complete = true;
      stream.notifyListeners();
    },
    read: (after: number, shows?: (event: LoggedEvent) => boolean) =>
      stream.makeResponse(after, new AbortController().signal, shows).text(),
  };
}

/** The pieces of a body as they arrive. */
function readPieces({ body }: Response): readonly string[] {
  const pieces: string[] = [];
  const decoder = new TextDecoder();
  void body?.pipeTo(new WritableStream({ write: (bytes: Uint8Array) => void pieces.push(decoder.decode(bytes)) }));
  return pieces;
}

test('a stream ends after its longest time and asks its client to reconnect, which misses nothing', async () => {
  const { add, read } = logged();
  add('first');
  const text = read(0);
  await vi.advanceTimersByTimeAsync(longestMs);
  expect(await text).toBe(
    `retry: 1000\n\nid: 1\nevent: first\ndata: {"id":1}\n\n${': heartbeat\n\n'.repeat(3)}: come back\n\n`,
  );
  add('second');
  const rest = read(1);
  await vi.advanceTimersByTimeAsync(longestMs);
  expect(await rest).toContain('id: 2\nevent: second');
});

test('a log with endless events does not keep a stream open longer', async () => {
  const { add, stream } = logged();
  const reader = stream.makeResponse(0, new AbortController().signal).body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let seconds = 0; seconds < 120; seconds += 1) {
    add('more');
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    text += decoder.decode(value);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(text.endsWith(': come back\n\n')).toBe(true);
});

test('a finished log ends the stream, and returns nothing after its last event', async () => {
  const { stream, add, end, read } = logged();
  add('first');
  const text = read(0);
  end();
  await vi.runOnlyPendingTimersAsync();
  expect(await text).toContain('event: end\n');
  const again = stream.makeResponse(1, new AbortController().signal);
  expect([again.status, again.body]).toEqual([204, null]);
  expect(vi.getTimerCount()).toBe(0);
});

test('an event that the listener may not see is sent with only its number', async () => {
  const { add, end, read } = logged();
  for (const type of ['open', 'secret', 'open']) add(type);
  end();
  const text = await read(0, ({ type }) => type !== 'secret');
  expect(text.match(/^(?:id|event): .*$/gm)).toEqual([
    'id: 1',
    'event: open',
    'id: 2',
    'event: withheld',
    'id: 3',
    'event: open',
    'event: end',
  ]);
});

test('listeners that have everything share one reading of the log, and a burst reaches each of them as one piece', async () => {
  const { stream, add, reads } = logged();
  const listeners = Array.from({ length: 100 }, () => readPieces(stream.makeResponse(0, new AbortController().signal)));
  await vi.advanceTimersByTimeAsync(100);
  reads.length = 0;
  for (const type of ['first', 'second', 'third']) add(type);
  await vi.advanceTimersByTimeAsync(100);
  expect(reads).toEqual([0]);
  const burst = [1, 2, 3]
    .map((id) => `id: ${id}\nevent: ${['first', 'second', 'third'][id - 1]}\ndata: {"id":${id}}\n\n`)
    .join('');
  for (const pieces of listeners) expect(pieces).toEqual(['retry: 1000\n\n', burst]);
});

test('a listener that takes nothing holds nobody up, and gets everything once it reads again', async () => {
  const { stream, add, end } = logged();
  const idle = stream.makeResponse(0, new AbortController().signal);
  const quick = readPieces(stream.makeResponse(0, new AbortController().signal));
  for (const type of ['first', 'second']) {
    add(type);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(quick.join('')).toContain('id: 2\n');
  end();
  await vi.advanceTimersByTimeAsync(100);
  const text = await idle.text();
  expect(text.match(/^id: .*$/gm)).toEqual(['id: 1', 'id: 2']);
  expect(text.endsWith('event: end\ndata: {}\n\n')).toBe(true);
});

test('listeners with different filters at the same place each get what they may see', async () => {
  const { stream, add } = logged();
  const all = readPieces(stream.makeResponse(0, new AbortController().signal));
  const some = readPieces(stream.makeResponse(0, new AbortController().signal, ({ type }) => type !== 'secret'));
  add('secret');
  await vi.advanceTimersByTimeAsync(100);
  expect(all.at(-1)).toBe('id: 1\nevent: secret\ndata: {"id":1}\n\n');
  expect(some.at(-1)).toBe('id: 1\nevent: withheld\ndata: {}\n\n');
});
