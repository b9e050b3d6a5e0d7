import { foundPassage } from '#core/similarity/knowledge/passage-record.ts';
import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { knowledgeRecord, knowledgeSummary, loadRecord } from '#core/similarity/knowledge/record.ts';
import { makeRandom } from '#core/values/random.ts';
import { follow } from '../support/exploration.ts';
import {
  call,
  expectStatus,
  newWorkspace,
  pageOf,
  problemOf,
  unique,
  type Answer,
  type TestWorkspace,
} from '../support/workspace.ts';
import { deployedModel } from '../support/world.ts';

const upload = { headers: { 'content-type': 'text/jsonl' } };
const dimension = 16;

/** A workspace with an index, and a word that nobody else says to the embedder that all tests share. */
interface Ground {
  readonly workspace: TestWorkspace;
  readonly id: string;
  readonly word: string;
  load(file: string, query?: string): Promise<Answer>;
  search(query: string, more?: string): Promise<z.infer<typeof foundPassage>[]>;
  record(): Promise<z.infer<typeof knowledgeRecord>>;
  /** The texts of ours that the embedder was asked for, in its order. */
  embedded(): Promise<string[]>;
}

async function prepare(): Promise<Ground> {
  const workspace = await newWorkspace();
  const { id } = knowledgeRecord.parse(expectStatus(await workspace.post('/v1/knowledge', { name: 'facts' }), 201));
  const word = unique('word').replaceAll('-', '');
  const at = `/v1/knowledge/${id}`;
  return {
    workspace,
    id,
    word,
    load: (file, query = '') => workspace.post(`${at}/passages${query}`, file, upload),
    async search(query, more = '') {
      const answer = await workspace.get(`${at}/search?query=${encodeURIComponent(query)}${more}`);
      return z.object({ items: z.array(foundPassage) }).parse(expectStatus(answer, 200)).items;
    },
    record: async () => knowledgeRecord.parse(expectStatus(await workspace.get(at), 200)),
    async embedded() {
      const asked = (await deployedModel().asked()).filter(({ form }) => form === 'embeddings');
      return asked
        .flatMap(({ messages }) => messages.map(({ content }) => content))
        .filter((text) => text.includes(word));
    },
  };
}

const jsonLines = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');
const passages = (word: string, count: number): { text: string }[] =>
  Array.from({ length: count }, (_, n) => ({ text: `${word} fact ${n}` }));
const loaded = (answer: Answer): z.infer<typeof loadRecord> => loadRecord.parse(expectStatus(answer, 200));
const detailOf = ({ body }: Answer): string => z.object({ detail: z.string() }).parse(body).detail;
const unit = (place: number): number[] => Array.from({ length: dimension }, (_, n) => (n === place ? 127 : 0));

describe('a knowledge index', () => {
  test('can be created, listed page by page, read and deleted', async () => {
    const workspace = await newWorkspace();
    const made = [];
    for (const name of ['first', 'second', 'third']) {
      const answer = await workspace.post('/v1/knowledge', { name });
      const record = knowledgeRecord.parse(expectStatus(answer, 201));
      expect(answer.headers.get('location')).toBe(`/v1/knowledge/${record.id}`);
      made.push(record);
    }
    expect(made[0]).toMatchObject({
      name: 'first',
      store: 'embedded',
      embedding: 'embedder',
      model: 'test-embedder',
      dimension,
      passages: 0,
      namespaces: [],
    });
    const pages = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = expectStatus(await workspace.get(`/v1/knowledge?limit=2&cursor=${cursor}`), 200);
      const read = pageOf(knowledgeSummary).parse(page);
      pages.push(read.items.map(({ name }) => name));
      cursor = read.nextCursor;
    }
    expect(pages).toEqual([['first', 'second'], ['third']]);

    const [first = { id: '' }] = made;
    expect((await workspace.remove(`/v1/knowledge/${first.id}`)).status).toBe(204);
    expect(problemOf(await workspace.get(`/v1/knowledge/${first.id}`))).toEqual([404, 'not-found']);
    expect(problemOf(await workspace.remove(`/v1/knowledge/${first.id}`))).toEqual([404, 'not-found']);
    const rest = pageOf(knowledgeSummary).parse((await workspace.get('/v1/knowledge')).body);
    expect(rest.items.map(({ name }) => name)).toEqual(['second', 'third']);
  });

  test('is created once under an idempotency key', async () => {
    const workspace = await newWorkspace();
    const headers = { 'idempotency-key': 'once' };
    const ids = await Promise.all(
      [1, 2, 3].map(async () => {
        const answer = await workspace.post('/v1/knowledge', { name: 'one' }, { headers });
        return knowledgeRecord.parse(expectStatus(answer, 201)).id;
      }),
    );
    expect(new Set(ids).size).toBe(1);
    const other = await workspace.post('/v1/knowledge', { name: 'other' }, { headers });
    expect(problemOf(other)).toEqual([422, 'idempotency-mismatch']);
  });

  test('is refused for an invalid request', async () => {
    const { post } = await newWorkspace();
    for (const body of [{ store: { kind: 'paper' } }, { embedding: 'store' }, { name: 'x'.repeat(201) }, { size: 1 }])
      expect([body, ...problemOf(await post('/v1/knowledge', body))]).toEqual([body, 400, 'invalid-request']);
  });

  test('is refused if the embedder does not work correctly', async () => {
    const workspace = await newWorkspace();
    const probe = { form: 'embeddings', contains: 'How long is a vector?', times: 1 };
    const wrong = [
      [{ kind: 'vectors', dimension: 1 }, 'dimension-mismatch'],
      [{ kind: 'vectors', dimension: 5_000 }, 'dimension-mismatch'],
      [{ kind: 'status', status: 400 }, 'model-unreachable'],
      [{ kind: 'html' }, 'model-unreachable'],
    ] as const;
    for (const [behaviour, code] of wrong) {
      await deployedModel().script([{ ...probe, behaviour }]);
      expect([behaviour, ...problemOf(await workspace.post('/v1/knowledge', {}))]).toEqual([behaviour, 422, code]);
    }
    expect((await workspace.get('/v1/knowledge')).body).toEqual({ items: [], nextCursor: null });
  });
});

describe('loading passages', () => {
  test('embeds a batch at once, and nothing that is already stored', async () => {
    const ground = await prepare();
    const { word } = ground;
    const file = jsonLines(...passages(word, 250));
    expect(loaded(await ground.load(file))).toEqual({ lines: 250, loaded: 250, unchanged: 0 });
    const asked = (await deployedModel().asked()).filter(({ messages }) => messages[0]?.content.includes(word));
    expect(asked.map(({ messages }) => messages.length)).toEqual([100, 100, 50]);
    expect(loaded(await ground.load(`${file}\n\n`))).toEqual({ lines: 250, loaded: 0, unchanged: 250 });
    const more = jsonLines(...passages(word, 251));
    expect(loaded(await ground.load(more))).toEqual({ lines: 251, loaded: 1, unchanged: 250 });
    expect(await ground.embedded()).toHaveLength(251);
    expect(await ground.record()).toMatchObject({ passages: 251, namespaces: [{ name: 'main', passages: 251 }] });
  });

  test('continues after an interruption', async () => {
    const ground = await prepare();
    const all = passages(ground.word, 350);
    // In the middle of line 271.
    const cut = jsonLines(...all.slice(0, 271)).slice(0, -5);
    expect(problemOf(await ground.load(cut))).toEqual([400, 'invalid-passage']);
    expect((await ground.record()).passages).toBe(270);

    expect(loaded(await ground.load(jsonLines(...all)))).toEqual({ lines: 350, loaded: 80, unchanged: 270 });
    const texts = await ground.embedded();
    expect(texts).toHaveLength(350);
    expect(new Set(texts).size).toBe(350);
    expect((await ground.record()).passages).toBe(350);
  });

  test('uses vectors in the file and asks for missing ones', async () => {
    const ground = await prepare();
    const { word } = ground;
    const file = jsonLines(
      { id: 'a', text: `${word} brings its own`, vector: unit(3) },
      { id: 'b', text: `${word} has none` },
    );
    expect(loaded(await ground.load(file)).loaded).toBe(2);
    expect(await ground.embedded()).toEqual([`${word} has none`]);
    // Loaded again with another vector, it takes the place of the first.
    const again = jsonLines({ id: 'a', text: `${word} brings its own`, vector: unit(4) });
    expect(loaded(await ground.load(again))).toEqual({ lines: 1, loaded: 1, unchanged: 0 });
    expect(loaded(await ground.load(again))).toEqual({ lines: 1, loaded: 0, unchanged: 1 });
    expect((await ground.record()).passages).toBe(2);
  });

  test('keeps the later of two passages with one id, also within a file', async () => {
    const ground = await prepare();
    const { word } = ground;
    const [first, second] = [`${word} apple`, `${word} pear`];
    const file = jsonLines(
      { id: 'a', text: first },
      { id: 'b', text: 'b' },
      { id: 'a', text: second },
      { text: first },
    );
    expect(loaded(await ground.load(`${file}\n${JSON.stringify({ text: first })}`))).toEqual({
      lines: 5,
      loaded: 4,
      unchanged: 1,
    });
    expect((await ground.record()).passages).toBe(3);
    expect((await ground.search(second)).find(({ id }) => id === 'a')?.text).toBe(second);
  });

  test('twice at the same time gives the same as once', async () => {
    const ground = await prepare();
    const file = jsonLines(...passages(ground.word, 220));
    const both = await Promise.all([ground.load(file), ground.load(file)]);
    for (const answer of both) expect(loaded(answer).lines).toBe(220);
    expect((await ground.record()).passages).toBe(220);
    expect(loaded(await ground.load(file)).unchanged).toBe(220);
  });

  const good = { text: 'good' };
  const badLines: readonly (readonly [string, string, number, string, string])[] = [
    ['no JSON', '{"text": ', 400, 'invalid-passage', 'not JSON'],
    ['no object', '[]', 400, 'invalid-passage', 'line 3'],
    ['no text', '{"source": "a"}', 400, 'invalid-passage', 'text'],
    ['an empty text', '{"text": ""}', 400, 'invalid-passage', 'text'],
    ['a text of blanks', '{"text": " \\n "}', 400, 'invalid-passage', 'says nothing'],
    ['a text too long', JSON.stringify({ text: 'ü'.repeat(4_097) }), 400, 'invalid-passage', '8194 bytes'],
    ['half a character', '{"text": "\\ud800"}', 400, 'invalid-passage', 'surrogate'],
    ['an unknown field', '{"text": "a", "txt": "b"}', 400, 'invalid-passage', 'txt'],
    ['an id too long', JSON.stringify({ text: 'a', id: 'x'.repeat(201) }), 400, 'invalid-passage', 'id'],
    ['a vector of words', '{"text": "a", "vector": ["1", "2"]}', 400, 'invalid-passage', 'vector'],
    ['a vector of zeros', JSON.stringify({ text: 'a', vector: unit(-1) }), 400, 'invalid-passage', 'no direction'],
    [
      'a vector without end',
      '{"text": "a", "vector": [1e999, 1]}',
      400,
      'invalid-passage',
      'a number in it is too large',
    ],
    ['a short vector', '{"text": "a", "vector": [1, 2]}', 422, 'dimension-mismatch', '2 numbers'],
    ['a line too long', JSON.stringify({ text: 'x'.repeat(1_100_000) }), 413, 'body-too-large', 'bytes'],
  ];
  test.each(badLines)(
    'stops at a line with %s, names it, and keeps the passages before it',
    async (_, line, status, code, words) => {
      const ground = await prepare();
      const file = [JSON.stringify(good), JSON.stringify({ text: 'too' }), line, '{"text": "behind it"}'].join('\n');
      const answer = await ground.load(file);
      expect(problemOf(answer)).toEqual([status, code]);
      expect(detailOf(answer)).toContain('line 3');
      expect(detailOf(answer)).toContain(words);
      expect(detailOf(answer)).toContain('before it 2 passages were loaded and 0 were in already');
      expect((await ground.record()).passages).toBe(2);
      expect(detailOf(await ground.load(file, '?line=501'))).toContain('line 503');
    },
  );

  test('refuses a body that is not text', async () => {
    const ground = await prepare();
    const bytes = new Uint8Array([...new TextEncoder().encode('{"text": "good"}\n'), 0xff, 0xfe]);
    const at = `/v1/knowledge/${ground.id}/passages`;
    const answer = await call(ground.workspace.key, 'POST', at, undefined, { ...upload, raw: bytes });
    expect(problemOf(answer)).toEqual([400, 'invalid-passage']);
    expect(problemOf(await call(ground.workspace.key, 'POST', at, undefined, upload))).toEqual([
      400,
      'invalid-passage',
    ]);
    for (const query of ['?namespace=a%20b', '?namespace=', '?line=0', '?line=x'])
      expect(problemOf(await ground.load('', query))).toEqual([400, 'invalid-request']);
  });

  test('leaves a batch out if the embedder fails or changes its dimension', async () => {
    const ground = await prepare();
    const all = passages(ground.word, 150);
    const rule = { form: 'embeddings', contains: `${ground.word} fact 149`, times: 1 };
    const wrong = [
      [{ kind: 'vectors', dimension: dimension + 1 }, 'dimension-mismatch'],
      [{ kind: 'status', status: 401 }, 'model-unreachable'],
    ] as const;
    for (const [behaviour, code] of wrong) {
      await deployedModel().script([{ ...rule, behaviour }]);
      const answer = await ground.load(jsonLines(...all));
      expect(problemOf(answer)).toEqual([422, code]);
      expect(detailOf(answer)).toContain('lines 101 to 150');
      expect(JSON.stringify(answer.body)).not.toContain('secret');
      expect((await ground.record()).passages).toBe(100);
    }
    expect(loaded(await ground.load(jsonLines(...all)))).toEqual({ lines: 150, loaded: 50, unchanged: 100 });
  });

  test('stores nothing of a batch that does not fit into the index', async () => {
    const many = 4_096;
    const index = env.KNOWLEDGE_INDEX.getByName(unique('kn'));
    const made = { id: 'kn', name: '', embedding: 'embedder', model: 'm', dimension: many } as const;
    const createdAt = '2026-01-01T00:00:00.000Z';
    await index.create({
      summary: { ...made, store: 'embedded', createdAt },
      connection: { ...made, store: { kind: 'embedded' } },
    });
    const room = Math.floor(48_000_000 / many);
    const batch = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => {
        const id = `p${from + n}`;
        return { id, text: id, source: '', licence: null, digest: id };
      });
    const vectors = (count: number) => new Int8Array(count * many).fill(1);
    for (let from = 0; from < room; from += 1_000) {
      const count = Math.min(1_000, room - from);
      expect((await index.storeAllOrRefuse('main', batch(from, count), vectors(count))).ok).toBe(true);
    }
    const full = await index.storeAllOrRefuse('other', batch(0, 2), vectors(2));
    expect(full).toMatchObject({ ok: false, problem: { code: 'index-full' } });
    expect(await index.get()).toMatchObject({ value: { passages: room, namespaces: [{ name: 'main' }] } });
    // A stored passage can be written again, and a removed one makes room.
    expect((await index.storeAllOrRefuse('main', batch(0, 2), vectors(2))).ok).toBe(true);
    expect(await index.remove('main', ['p0', 'unknown'])).toEqual({ ok: true, value: 1 });
    expect((await index.storeAllOrRefuse('other', batch(0, 1), vectors(1))).ok).toBe(true);
    await index.discard();
  });
});

describe('searching passages', () => {
  test('finds the nearest first, with the exact cosine', async () => {
    const ground = await prepare();
    const [apples, pears] = [`${ground.word} apples are red`, 'pears are green'];
    await ground.load(jsonLines({ text: pears, source: 'a book', licence: 'CC0' }, { id: 'apples', text: apples }));
    const found = await ground.search(apples);
    expect(found.map(({ id, text }) => [id, text])).toEqual([
      ['apples', apples],
      [expect.stringMatching(/^p_[0-9a-f]{24}$/), pears],
    ]);
    expect(found[0]?.score).toBeGreaterThan(0.999);
    expect(found[1]).toMatchObject({ source: 'a book', licence: 'CC0' });
    expect(found[1]?.score).toBeLessThan(0.9);
    expect(await ground.search(apples, '&limit=1')).toEqual(found.slice(0, 1));
    for (const query of ['', '?query=', '?query=%20', '?query=a&limit=0', '?query=a&limit=101', '?query=a&namespace=/'])
      expect([query, ...problemOf(await ground.workspace.get(`/v1/knowledge/${ground.id}/search${query}`))]).toEqual([
        query,
        400,
        'invalid-request',
      ]);
  });

  test('stays within a namespace, and clearing one leaves the other', async () => {
    const ground = await prepare();
    const file = jsonLines({ id: 'a', text: `${ground.word} one` }, { id: 'b', text: `${ground.word} two` });
    await ground.load(file);
    await ground.load(jsonLines({ id: 'a', text: `${ground.word} three` }), '?namespace=other');
    const texts = async (more: string) => (await ground.search(`${ground.word} three`, more)).map(({ text }) => text);
    expect((await texts('')).toSorted()).toEqual([`${ground.word} one`, `${ground.word} two`]);
    expect(await texts('&namespace=other')).toEqual([`${ground.word} three`]);
    expect(await texts('&namespace=empty')).toEqual([]);
    for (let n = 0; n < 2; n += 1) {
      const cleared = await ground.workspace.remove(`/v1/knowledge/${ground.id}/namespaces/main`);
      expect(cleared.status).toBe(204);
    }
    expect(await texts('')).toEqual([]);
    expect(await texts('&namespace=other')).toEqual([`${ground.word} three`]);
    expect(await ground.record()).toMatchObject({ passages: 1, namespaces: [{ name: 'other', passages: 1 }] });
    expect(loaded(await ground.load(file)).loaded).toBe(2);
  });

  test('gives the same after a restart of the object, and loading continues', async () => {
    const ground = await prepare();
    const all = passages(ground.word, 1_200);
    await ground.load(jsonLines(...all));
    const before = await ground.search(`${ground.word} fact 7`, '&limit=100');
    const stub = env.KNOWLEDGE_INDEX.getByName(ground.id);
    await evictDurableObject(stub);
    expect(await ground.search(`${ground.word} fact 7`, '&limit=100')).toEqual(before);
    await evictDurableObject(stub);
    const more = passages(ground.word, 1_201);
    expect(loaded(await ground.load(jsonLines(...more)))).toEqual({ lines: 1_201, loaded: 1, unchanged: 1_200 });
    expect((await ground.search(`${ground.word} fact 1200`, '&limit=1'))[0]?.score).toBeGreaterThan(0.99);
    expect((await ground.record()).passages).toBe(1_201);
  });

  test('finds exactly the stored passages after any puts, replacements and deletions', async () => {
    const ground = await prepare();
    const index = env.KNOWLEDGE_INDEX.getByName(ground.id);
    const there = new Map<string, number[]>();
    const random = makeRandom('knowledge');
    const draw = (below: number): number => random.below(below);
    const check = async () => {
      for (let n = 0; n < 3; n += 1) {
        const query = Array.from({ length: dimension }, () => draw(255) - 127 || 1);
        const found = await index.nearest('main', query, 2_000);
        const cosines = [...there].map(([id, vector]) => ({ id, score: cosineOf(query, vector) }));
        const expected = cosines.toSorted((a, b) => b.score - a.score).map(({ score }) => score.toFixed(9));
        expect(found.ok && found.value.map(({ score }) => score.toFixed(9))).toEqual(expected);
        const scores = new Map(cosines.map(({ id, score }) => [id, score]));
        for (const { id, text, score } of found.ok ? found.value : []) {
          expect(score).toBeCloseTo(scores.get(id) ?? Number.NaN, 9);
          expect(text).toBe(`${id} ${there.get(id)?.join()}`);
        }
      }
      expect((await ground.record()).passages).toBe(there.size);
    };
    for (let round = 0; round < 12; round += 1) {
      const entries = Array.from({ length: draw(300) }, () => ({
        id: `p${draw(1_500)}`,
        vector: Array.from({ length: dimension }, () => draw(255) - 127 || 1),
      }));
      for (const { id, vector } of entries) there.set(id, vector);
      const rows = entries.map(({ id, vector }) => {
        const text = `${id} ${vector.join()}`;
        return { id, text, source: '', licence: null, digest: text };
      });
      await index.storeAllOrRefuse('main', rows, Int8Array.from(entries.flatMap(({ vector }) => vector)));
      const gone = Array.from({ length: draw(200) }, () => `p${draw(1_500)}`);
      await index.remove('main', gone);
      for (const id of gone) there.delete(id);
      if (round % 4 === 3) await check();
      if (round % 4 === 1) await evictDurableObject(index);
    }
    await evictDurableObject(index);
    await check();
    await index.remove('main', [...there.keys()]);
    there.clear();
    await check();
  });

  test('reports an embedder that has changed its dimension, instead of answering wrongly', async () => {
    const ground = await prepare();
    await ground.load(jsonLines({ text: 'a' }));
    const behaviour = { kind: 'vectors', dimension: 3 } as const;
    await deployedModel().script([{ form: 'embeddings', contains: ground.word, times: 1, behaviour }]);
    const answer = await ground.workspace.get(`/v1/knowledge/${ground.id}/search?query=${ground.word}`);
    expect(problemOf(answer)).toEqual([422, 'dimension-mismatch']);
  });
});

describe('the events of an index', () => {
  test('report loads with running totals, and can be resumed after any of them', async () => {
    const ground = await prepare();
    await ground.load(jsonLines(...passages(ground.word, 130)));
    await ground.load(jsonLines({ text: 'good' }, { txt: 'bad' }), '?namespace=other');
    await ground.workspace.remove(`/v1/knowledge/${ground.id}/namespaces/other`);
    const enough = { of: 'knowledge', enough: ({ id }: { id: number }) => id === 6 } as const;
    const { events } = await follow(ground.workspace.key, ground.id, enough);
    const of = (place: number) => events[place]?.event;
    expect(events.map(({ event }) => event.type)).toEqual([
      'passages.loaded',
      'passages.loaded',
      'load.ended',
      'passages.loaded',
      'load.failed',
      'namespace.cleared',
    ]);
    expect(of(0)).toMatchObject({ namespace: 'main', lines: 100, loaded: 100, unchanged: 0 });
    expect(of(1)).toMatchObject({ lines: 130, loaded: 130 });
    expect(of(2)).toMatchObject({ lines: 130, loaded: 130 });
    expect(of(4)).toMatchObject({ namespace: 'other', line: 1, detail: expect.stringContaining('line 2') });
    const loads = events.flatMap(({ event }) => ('load' in event ? [event.load] : []));
    expect(new Set(loads.slice(0, 3)).size).toBe(1);
    expect(new Set(loads).size).toBe(2);
    const rest = await follow(ground.workspace.key, ground.id, { ...enough, after: 4 });
    expect(rest.events).toEqual(events.slice(4));
  });

  test('end when the index is deleted', async () => {
    const ground = await prepare();
    const following = follow(ground.workspace.key, ground.id, { of: 'knowledge' });
    await ground.load(jsonLines({ text: 'a' }));
    await ground.workspace.remove(`/v1/knowledge/${ground.id}`);
    expect((await following).ended).toBe(true);
  });
});

test('passages in an external store are known by their ids, including unconfirmed ones', async () => {
  const index = env.KNOWLEDGE_INDEX.getByName(unique('kn'));
  const made = { id: 'kn', name: '', embedding: 'store', model: null, dimension: null } as const;
  await index.create({
    summary: { ...made, store: 'upstash', createdAt: '2026-01-01T00:00:00.000Z' },
    connection: { ...made, store: { kind: 'upstash', url: null, encryptedToken: null } },
  });
  for (let n = 0; n < 2; n += 1) {
    await index.recordExternalPassages('expect', 'main', ['a', 'b', 'c']);
    await index.recordExternalPassages('confirm', 'main', ['a', 'b', 'foreign']);
    await index.recordExternalPassages('expect', 'other', ['a']);
  }
  expect(await index.get()).toMatchObject({ value: { passages: 2, namespaces: [{ name: 'main', passages: 2 }] } });
  expect(await index.listSomeExternalIds(10)).toEqual({ namespace: 'main', ids: ['a', 'b', 'c'] });
  await index.recordExternalPassages('forget', 'main', ['a', 'b', 'c']);
  expect(await index.listSomeExternalIds(10)).toEqual({ namespace: 'other', ids: ['a'] });
  await index.recordNamespaceCleared('other');
  expect(await index.listSomeExternalIds(10)).toBeNull();
  expect(await index.storeAllOrRefuse('main', [], new Int8Array(0))).toMatchObject({ ok: false });
});

function cosineOf(a: readonly number[], b: readonly number[]): number {
  const product = a.reduce((sum, x, n) => sum + x * (b[n] ?? 0), 0);
  return product / (Math.hypot(...a) * Math.hypot(...b));
}
