import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventStream, type LoggedEvent } from '#durable-objects/shared/event-stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const longestMs = 60_000;

/** A log that can be added to, and a stream of it. */
function logged() {
  const log: LoggedEvent[] = [];
  let complete = false;
  const stream = new EventStream(
    { events: (after, limit) => log.filter(({ id }) => id > after).slice(0, limit), isComplete: () => complete },
    longestMs,
  );
  return {
    stream,
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
