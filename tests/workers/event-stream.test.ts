import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { joinEventStream } from '#api/joined-event-stream.ts';
import { answeredUntilHeader, sharedStreamHeader, sharedStreamParameter } from '#core/values/event-stream-answer.ts';
import { EventStream } from '#durable-objects/shared/event-stream.ts';
import { showsEveryEvent, type EventFilter, type LoggedEvent } from '#durable-objects/shared/logged-events.ts';
import { unique } from '../support/workspace.ts';

const decoder = new TextDecoder();

describe('the stream of an object', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('answers first with what a listener lacks, and then with what is new', async () => {
    const { add, ask } = logged();
    add('first', 'second');
    const lacked = await ask({ after: 0 });
    expect([lacked.headers.get(answeredUntilHeader), idsOf(await lacked.text())]).toEqual(['2', [1, 2]]);
    const { read } = await listen(ask, 2);
    add('third');
    expect(await read()).toBe('id: 3\nevent: third\ndata: {"id":3}\n\n');
  });

  test('is shared by those who come in its first ten seconds, wherever in that time they come', async () => {
    const { add, ask } = logged();
    const first = await listen(ask, 0);
    add('first');
    expect(idsOf(await first.read())).toEqual([1]);
    const second = await listen(ask, 0);
    expect([second.stream, idsOf(await second.read())]).toEqual([first.stream, [1]]);
    await vi.advanceTimersByTimeAsync(10_000);
    const late = await ask({ after: 0 });
    expect([late.headers.get(answeredUntilHeader), idsOf(await late.text())]).toEqual(['1', [1]]);
    const third = await listen(ask, 1);
    expect(third.stream).not.toBe(first.stream);
    add('second');
    for (const { read } of [first, second, third]) expect(idsOf(await read())).toEqual([2]);
  });

  test('sends one piece at once, and what follows in sixty milliseconds as another, from one reading for all', async () => {
    const { add, ask, reads } = logged();
    const listeners = await Promise.all(Array.from({ length: 40 }, () => listen(ask, 0)));
    expect(new Set(listeners.map(({ stream }) => stream)).size).toBe(2);
    await vi.advanceTimersByTimeAsync(100);
    reads.length = 0;
    add('first');
    for (const { read } of listeners) expect(idsOf(await read())).toEqual([1]);
    add('second');
    add('third');
    await vi.advanceTimersByTimeAsync(100);
    for (const { read } of listeners) expect(idsOf(await read())).toEqual([2, 3]);
    expect(reads.filter((after) => after < 3)).toEqual([0, 1]);
  });

  test('shows each listener what it may see, and the numbers of the rest', async () => {
    const { add, ask } = logged();
    const all = await listen(ask, 0);
    const some = await listen((parameters) => ask(parameters, ({ type }) => type !== 'secret'), 0);
    add('secret');
    expect(await all.read()).toBe('id: 1\nevent: secret\ndata: {"id":1}\n\n');
    expect(await some.read()).toBe('id: 1\nevent: withheld\ndata: {}\n\n');
  });

  test('sends a heartbeat every fifteen seconds, and after twenty minutes asks its listeners to come back', async () => {
    const { ask } = logged();
    const { read, stream } = await listen(ask, 0);
    const ended = ask({ [sharedStreamParameter]: stream });
    for (let beat = 1; beat < 80; beat += 1) {
      await vi.advanceTimersByTimeAsync(15_000);
      expect(await read()).toBe(': heartbeat\n\n');
    }
    await vi.advanceTimersByTimeAsync(15_000);
    let rest = '';
    for (let piece = await read(); piece !== null; piece = await read()) rest += piece;
    expect(rest.endsWith(': come back\n\n')).toBe(true);
    expect((await ended).status).toBe(204);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('has nothing to say after the last event of a log that is complete', async () => {
    const { add, end, ask } = logged();
    add('first');
    end();
    expect(idsOf(await (await ask({ after: 0 })).text())).toEqual([1]);
    expect((await ask({ after: 1 })).status).toBe(204);
    expect((await ask({ after: 9 })).status).toBe(204);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends at once when all its listeners have left', async () => {
    const { ask } = logged();
    const leaving = new AbortController();
    await listen((parameters) => ask(parameters, showsEveryEvent, leaving.signal), 0);
    leaving.abort();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that is not known counts as cut', async () => {
    expect((await logged().ask({ [sharedStreamParameter]: 'unknown' })).status).toBe(410);
  });
});

describe('a listener', () => {
  test('gets each event once and in order, whenever it joins, and is told the end', async () => {
    const { add, remove, join } = await makeIndex();
    const caughtUp: Promise<string>[] = [];
    const readings: Promise<ReturnType<typeof follow>>[] = [];
    for (let event = 1; event <= 150; event += 1) {
      await add();
      if (event % 4 === 0) {
        const reading = join(0).then(follow);
        caughtUp.push(reading.then(async (readUntil) => readUntil('id: 150\n')));
        readings.push(reading);
      }
      if (event % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await Promise.all(caughtUp);
    await remove();
    const everything = Array.from({ length: 150 }, (_, index) => index + 1);
    for (const readUntil of await Promise.all(readings)) {
      const text = await readUntil('event: end\n');
      expect(text.startsWith('retry: 1000\n\n')).toBe(true);
      expect(idsOf(text)).toEqual(everything);
      expect(text.endsWith('event: end\ndata: {}\n\n')).toBe(true);
    }
  });

  test('that takes nothing holds up only those of its stream, who are cut and get the rest when they come back', async () => {
    const { add, join } = await makeIndex();
    const idle = await join(0);
    const mate = await join(0);
    for (let others = 2; others < 32; others += 1)
      void (await join(0)).body?.pipeTo(new WritableStream()).catch(() => {});
    const apart = follow(await join(0));
    const reader = mate.body?.getReader();
    let [seen, isCut] = ['', false];
    const followed = (async () => {
      for (;;) {
        const next = await reader?.read().catch(() => null);
        if (next === null || next === undefined) isCut = true;
        if (!next?.value) return;
        seen += decoder.decode(next.value);
      }
    })();
    for (let event = 1; event <= 20; event += 1) {
      await add();
      expect(idsOf(await apart(`id: ${event}\n`))).toContain(event);
    }
    await followed;
    expect(isCut).toBe(true);
    const last = idsOf(seen).at(-1) ?? 0;
    expect(last).toBeLessThan(20);
    const rest = await follow(await join(last))('id: 20\n');
    expect([...idsOf(seen), ...idsOf(rest)]).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    await idle.body?.cancel().catch(() => {});
  }, 30_000);
});

/** The numbers of the events in a text. */
const idsOf = (text: string | null): number[] =>
  Array.from((text ?? '').matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id));

/** A log that can be added to, and a stream of it. */
function logged() {
  const log: LoggedEvent[] = [];
  let complete = false;
  const reads: number[] = [];
  const events = (after: number, limit: number): LoggedEvent[] => {
    reads.push(after);
    return log.filter(({ id }) => id > after).slice(0, limit);
  };
  const stream = new EventStream({ events, lastId: () => log.length, isComplete: () => complete });
  return {
    reads,
    add(...types: readonly string[]) {
      for (const type of types) log.push({ id: log.length + 1, type, json: `{"id":${log.length + 1}}` });
      stream.notifyListeners();
    },
    end() {
      complete = true;
      stream.notifyListeners();
    },
    ask(
      parameters: Readonly<Record<string, string | number>>,
      shows?: EventFilter,
      signal = new AbortController().signal,
    ): Promise<Response> {
      const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, `${value}`]));
      return stream.makeResponse(new Request(`http://run/events?${query.toString()}`, { signal }), shows);
    },
  };
}

/** Joins a shared stream, whose pieces `read` returns; null after the last one. */
async function listen(ask: (parameters: { readonly after: number }) => Promise<Response>, after: number) {
  const { headers, body } = await ask({ after });
  const stream = headers.get(sharedStreamHeader);
  const reader = body?.getReader();
  if (stream === null || reader === undefined) throw new Error('no shared stream');
  const read = async (): Promise<string | null> => {
    const { value } = await reader.read();
    return value === undefined ? null : decoder.decode(value);
  };
  return { stream, read };
}

/** Returns a reader of a stream: it returns all that came until some text appeared, or until the stream ended. */
function follow({ body }: Response): (text: string) => Promise<string> {
  const reader = body?.getReader();
  let seen = '';
  return async (text) => {
    while (!seen.includes(text)) {
      const next = await reader?.read();
      if (next?.value === undefined) break;
      seen += decoder.decode(next.value);
    }
    return seen;
  };
}

/** A knowledge index, which is an object with events. */
async function makeIndex() {
  const id = unique('kn');
  const index = env.KNOWLEDGE_INDEX.getByName(id);
  const about = { id, embedding: 'embedder', model: 'test-embedder', dimension: 8 } as const;
  await index.create({
    summary: { ...about, name: '', store: 'embedded', createdAt: '2026-01-01T00:00:00.000Z' },
    connection: { ...about, store: { kind: 'embedded' } },
  });
  return {
    add: async () => index.emit([{ type: 'namespace.cleared', namespace: 'n' }]),
    remove: async () => index.discard(),
    join: (after: number) =>
      joinEventStream({
        after: `${after}`,
        ask: (parameters) =>
          index.fetch(new Request(`http://run/events?${new URLSearchParams(parameters).toString()}`)),
        waitUntil: () => {},
      }),
  };
}
