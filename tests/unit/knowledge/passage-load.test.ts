import type { StoredPassage } from '#core/similarity/knowledge/passage-record.ts';
import { describe, expect, test } from 'vitest';
import type { OpenedStore } from '#adapters/vector/stores.ts';
import { PassageLoad } from '#api/passage-load.ts';
import { writeUploadInPiecesUntilRefused } from '#api/forward-upload.ts';
import type { Line } from '#api/uploaded-lines.ts';
import type { EventBody } from '#core/reports/events.ts';
import type { Result } from '#core/values/result.ts';
import type { Embedder, Reached } from '#core/ports.ts';

const fault = { where: 'index', name: 'kn_1', code: 'rate-limited', detail: 'too much' } as const;
const embedder: Embedder = {
  embed: async () => ({ ok: false, fault: { where: 'model', name: 'embedder', code: 'timeout', detail: 'late' } }),
};

/** A store in memory that takes texts or vectors, and a load into it. */
function prepare(embedding: OpenedStore['embedding'] = 'store', refuses: () => boolean = () => false) {
  const there = new Map<string, StoredPassage>();
  const events: EventBody[] = [];
  const notes: string[] = [];
  const reached = <T>(value: T): Reached<T> => (refuses() ? { ok: false, fault } : { ok: true, value });
  const put = async (_: string, passages: readonly StoredPassage[]): Promise<Reached<null>> => {
    if (refuses()) return { ok: false, fault };
    for (const passage of passages) there.set(passage.id, passage);
    notes.push(`put ${passages.length}`);
    return { ok: true, value: null };
  };
  const store = {
    digests: async (): Promise<Reached<Map<string, string>>> => ({
      ok: true,
      value: new Map(Array.from(there.values(), ({ id, digest }) => [id, digest])),
    }),
    remove: async () => reached(0),
    clear: async () => reached(null),
    put,
    nearest: async () => reached([]),
    putTexts: put,
    nearestTexts: async () => reached([]),
  };
  const opened: OpenedStore =
    embedding === 'store' ? { embedding, store } : { embedding, store, embedder, dimension: 2 };
  const load = new PassageLoad({
    load: 'load_1',
    namespace: 'main',
    opened,
    rest: () => Promise.resolve(),
    emit: async (event) => void events.push(event),
    note: async (what, ids) => void notes.push(`${what} ${ids.length}`),
  });
  return { load, there, events, notes };
}

/** Reads lines as if they were all of an upload. */
async function loadAll(load: PassageLoad, lines: readonly Line[]): Promise<Result<null>> {
  const read = await load.readLinesUntilInvalid(lines);
  const loaded = await load.loadWaiting();
  return loaded.ok ? read : loaded;
}

const linesOf = (...texts: readonly string[]) => texts.map((text, n) => ({ number: n + 1, text }));

describe('a load of passages', () => {
  test('sends texts to a store that embeds, and notes external writes before and after', async () => {
    const { load, there, events, notes } = prepare();
    const file = linesOf('{"id":"a","text":"one"}', '{"id":"b","text":"two"}');
    expect(await loadAll(load, file)).toEqual({ ok: true, value: null });
    expect([...there.keys()]).toEqual(['a', 'b']);
    expect(notes).toEqual(['expect 2', 'put 2', 'confirm 2']);
    // What is in already is not put again, but known to be in: an earlier load may have ended before it could say so.
    await loadAll(load, linesOf('{"id":"a","text":"one"}', '{"id":"b","text":"other"}'));
    expect(notes.slice(3)).toEqual(['expect 1', 'put 1', 'confirm 2']);
    expect(load.totals).toEqual({ lines: 4, loaded: 3, unchanged: 1 });
    expect(events.map((event) => 'loaded' in event && event.loaded)).toEqual([2, 3]);
  });

  test('sends no vectors to a store that embeds', async () => {
    const { load } = prepare();
    const answer = await loadAll(load, linesOf('{"text":"a","vector":[1,2]}'));
    expect(answer).toMatchObject({ ok: false, problem: { code: 'invalid-passage' } });
  });

  test('stores nothing of a batch that the index refuses, and names its lines', async () => {
    let refuses = false;
    const { load, there, events } = prepare('store', () => refuses);
    await loadAll(load, linesOf('{"text":"one"}'));
    refuses = true;
    const lines = linesOf('{"text":"one"}', '{"text":"two"}', '{"text":"three"}');
    expect(await loadAll(load, lines)).toMatchObject({
      problem: { code: 'index-unreachable', detail: 'lines 1 to 3: index kn_1: too much' },
    });
    expect(there.size).toBe(1);
    expect(load.totals).toEqual({ lines: 1, loaded: 1, unchanged: 0 });
    expect(load.lastLine).toBe(1);
    expect(events).toHaveLength(1);
  });

  test('stores a hundred at a time, however few come at once', async () => {
    const { load, notes } = prepare();
    for (let n = 0; n < 25; n += 1) {
      const lines = linesOf(...Array.from({ length: 9 }, (_, m) => `{"text":"${n}-${m}"}`));
      expect((await load.readLinesUntilInvalid(lines)).ok).toBe(true);
    }
    expect((await load.loadWaiting()).ok).toBe(true);
    expect(notes.filter((note) => note.startsWith('put'))).toEqual(['put 100', 'put 100', 'put 25']);
  });

  test('embeds only the passages that come without vectors', async () => {
    const { load, there } = prepare('embedder');
    expect((await loadAll(load, linesOf('{"text":"one","vector":[1,2]}'))).ok).toBe(true);
    expect(await loadAll(load, linesOf('{"text":"two"}'))).toMatchObject({
      problem: { code: 'model-unreachable' },
    });
    expect(there.size).toBe(1);
  });

  test('keeps the complete batches of an interrupted upload', async () => {
    const { load, there } = prepare();
    const bytes = new TextEncoder().encode(Array.from({ length: 250 }, (_, n) => `{"text":"${n}"}\n`).join(''));
    let sent = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) controller.error(new Error('the line went dead'));
        else controller.enqueue(bytes);
        sent = true;
      },
    });
    const loading = writeUploadInPiecesUntilRefused(
      body,
      () => Promise.resolve(),
      (lines) => load.readLinesUntilInvalid(lines),
    );
    await expect(loading).rejects.toThrow('the line went dead');
    expect(there.size).toBe(200);
    expect(load.lastLine).toBe(200);
  });
});
