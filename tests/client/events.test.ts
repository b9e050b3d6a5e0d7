import { expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import type { RunEvent } from '#core/reports/events.ts';
import { fakeApi, problem, type FakeApi, type Handler } from './fake-api.ts';
import { event } from './records.ts';

const opened = (id: number): RunEvent => event(id, { type: 'round.opened', round: id, units: 11 });
const frame = (each: RunEvent): string =>
  `id: ${each.id}\nevent: ${each.event.type}\ndata: ${JSON.stringify(each)}\n\n`;
const end = 'event: end\ndata: {}\n\n';
const heartbeat = ': heartbeat\n\n';

/** Writes a stream in pieces, each on its own, and then ends it, cuts the connection, or leaves it open. */
const stream =
  (pieces: readonly string[], then: 'close' | 'cut' | 'silence'): Handler =>
  async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    if (then === 'close') response.end();
    if (then === 'cut') response.destroy();
  };

const inPieces = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];

const clientOf = (api: FakeApi, giveUpMs = 5_000) =>
  createClient({
    url: api.url,
    key: 'key',
    stream: { silenceMs: 150, backoff: { firstMs: 1, longestMs: 5 }, giveUpMs },
  });

const idsOf = async (events: AsyncIterable<RunEvent>): Promise<number[]> =>
  (await Array.fromAsync(events)).map(({ id }) => id);

test.each([1, 2, 7, 50])('a stream in pieces of %i characters yields each event once, in order', async (size) => {
  await using api = await fakeApi(
    stream(inPieces([1, 2, 3].map((id) => frame(opened(id))).join(heartbeat) + end, size), 'close'),
  );
  const events = await Array.fromAsync(clientOf(api).explorations.events('exp_1'));
  expect(events).toEqual([opened(1), opened(2), opened(3)]);
  expect(api.requests).toHaveLength(1);
  expect(api.requests[0]).toMatchObject({
    line: 'GET /v1/explorations/exp_1/events',
    headers: { authorization: 'Bearer key' },
  });
});

test('a connection that is cut within an event is resumed after the last complete event', async () => {
  const second = frame(opened(2));
  await using api = await fakeApi(
    stream([frame(opened(1)), second.slice(0, second.length / 2)], 'cut'),
    stream([second, frame(opened(3)), end], 'close'),
  );
  const lost: string[] = [];
  const events = clientOf(api).explorations.events('exp_1', { onLost: (why) => lost.push(why) });
  expect(await idsOf(events)).toEqual([1, 2, 3]);
  expect(api.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1']);
  expect(lost).toEqual(['the event stream was cut']);
});

test('repeated events after a reconnection are dropped', async () => {
  await using api = await fakeApi(
    stream([frame(opened(1)), frame(opened(2))], 'close'),
    stream([1, 2, 2, 3].map((id) => frame(opened(id))).concat(end), 'close'),
  );
  expect(await idsOf(clientOf(api).explorations.events('exp_1'))).toEqual([1, 2, 3]);
});

test('a lost event is requested again', async () => {
  await using api = await fakeApi(
    stream([frame(opened(1)), frame(opened(3))], 'close'),
    stream([frame(opened(2)), frame(opened(3)), end], 'close'),
  );
  expect(await idsOf(clientOf(api).explorations.events('exp_1'))).toEqual([1, 2, 3]);
  expect(api.requests.at(-1)?.headers['last-event-id']).toBe('1');
});

test('a stream that ends without an end event does not end the run', async () => {
  await using api = await fakeApi(stream([], 'close'), stream([frame(opened(1))], 'close'), stream([end], 'close'));
  expect(await idsOf(clientOf(api).explorations.events('exp_1'))).toEqual([1]);
  expect(api.requests).toHaveLength(3);
});

test('a stream that asks its client to reconnect is resumed silently', async () => {
  await using api = await fakeApi(
    stream([frame(opened(1)), ': come back\n\n'], 'close'),
    stream([frame(opened(2)), end], 'close'),
  );
  const lost: string[] = [];
  const events = clientOf(api).explorations.events('exp_1', { onLost: (why) => lost.push(why) });
  expect([await idsOf(events), lost]).toEqual([[1, 2], []]);
  expect(api.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1']);
});

test('no further events are awaited if none will follow', async () => {
  await using api = await fakeApi(
    stream([frame(opened(1))], 'cut'),
    (_, response) => void response.writeHead(204).end(),
  );
  expect(await idsOf(clientOf(api).explorations.events('exp_1'))).toEqual([1]);
});

test('an event that the key may not see leaves no gap', async () => {
  const hidden = 'id: 2\nevent: withheld\ndata: {}\n\n';
  await using api = await fakeApi(stream([frame(opened(1)), hidden, frame(opened(3)), end], 'close'));
  expect(await idsOf(clientOf(api).explorations.events('exp_1'))).toEqual([1, 3]);
  expect(api.requests).toHaveLength(1);
});

test('a silent connection is abandoned, but not one that sends comments', async () => {
  const alive = Array.from({ length: 120 }, () => heartbeat);
  await using api = await fakeApi(
    stream([frame(opened(1))], 'silence'),
    stream([...alive, frame(opened(2)), end], 'close'),
  );
  const lost: string[] = [];
  const events = clientOf(api).explorations.events('exp_1', { onLost: (why) => lost.push(why) });
  expect(await idsOf(events)).toEqual([1, 2]);
  expect(lost).toEqual(['nothing was heard for 0.15 s']);
});

test('a connection that never answers is abandoned too', async () => {
  await using api = await fakeApi(() => {}, stream([frame(opened(1)), end], 'close'));
  expect(await idsOf(clientOf(api).explorations.events('exp_1'))).toEqual([1]);
});

test('a service that is unavailable for a while is awaited, but not one that refuses', async () => {
  await using api = await fakeApi(
    problem(503, 'internal-error'),
    problem(500, 'internal-error'),
    stream([frame(opened(1)), end], 'close'),
  );
  const lost: string[] = [];
  expect(await idsOf(clientOf(api).explorations.events('exp_1', { onLost: (why) => lost.push(why) }))).toEqual([1]);
  expect(lost).toHaveLength(1);
  await using refusing = await fakeApi(problem(404, 'not-found'));
  await expect(idsOf(clientOf(refusing).explorations.events('exp_1'))).rejects.toMatchObject({ code: 'not-found' });
  expect(refusing.requests).toHaveLength(1);
});

test('following gives up after too long a silence', async () => {
  await using api = await fakeApi(stream([frame(opened(1))], 'close'), stream([], 'cut'));
  await expect(idsOf(clientOf(api, 60).explorations.events('exp_1'))).rejects.toMatchObject({
    name: 'ConnectionError',
  });
});

test('following starts after the last event that the caller has', async () => {
  await using api = await fakeApi(stream([frame(opened(8)), end], 'close'));
  expect(await idsOf(clientOf(api).explorations.events('exp_1', { after: 7 }))).toEqual([8]);
  expect(api.requests[0]?.headers['last-event-id']).toBe('7');
});

test('a signal ends following with its reason, even during a wait', async () => {
  await using api = await fakeApi(stream([frame(opened(1))], 'silence'));
  const stop = new AbortController();
  const seen: number[] = [];
  const reading = (async () => {
    for await (const { id } of clientOf(api).explorations.events('exp_1', { signal: stop.signal })) {
      seen.push(id);
      stop.abort(new Error('enough'));
    }
  })();
  await expect(reading).rejects.toThrow('enough');
  expect(seen).toEqual([1]);
});

test('a caller who stops early releases the connection', async () => {
  let closed = false;
  await using api = await fakeApi((_, response) => {
    response.on('close', () => void (closed = true));
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frame(opened(1)));
  });
  for await (const _ of clientOf(api).explorations.events('exp_1')) break;
  await expect.poll(() => closed).toBe(true);
});

test('an event of an unknown form is an error, not a gap', async () => {
  await using api = await fakeApi(stream(['id: 1\ndata: {"id":1}\n\n'], 'silence'));
  await expect(idsOf(clientOf(api).explorations.events('exp_1'))).rejects.toMatchObject({ name: 'AnswerError' });
});
