import type { StoredPassage } from '#core/similarity/knowledge/passage-record.ts';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { findReasonIndexIsUnfit } from '#adapters/vector/index-fitness.ts';
import { makeUpstashStore } from '#adapters/vector/upstash.ts';
import type { FaultCode } from '#core/models/faults.ts';
import type { Reached } from '#core/ports.ts';
import type { IndexBehaviour, IndexRule, IndexSpec } from '../support/index-script.ts';
import { startScriptedIndexes, type ScriptedIndexes } from '../support/scripted-indexes.ts';
import { contractDimension, vectorStoreContract } from '../support/vector-store-contract.ts';

/** Upstash's store over its protocol: the contract of every store, and one thing wrong at a time. */

let indexes: ScriptedIndexes;
beforeAll(async () => {
  indexes = await startScriptedIndexes();
});
afterAll(() => indexes.close());

const token = 'token-of-the-index';
const options = { id: 'k-1', token, timeoutMs: 1_000, random: () => 0 };

interface Opened {
  readonly spec?: IndexSpec;
  readonly script?: readonly IndexRule[];
  readonly token?: string;
}

async function opened({ spec = {}, script = [], ...more }: Opened = {}) {
  const index = await indexes.make(spec);
  if (script.length > 0) await index.tell(script);
  const waits: number[] = [];
  const store = makeUpstashStore({
    admission: new Admission(),
    ...options,
    ...more,
    url: index.url,
    fetch: makeGuardedFetch({ admission: new Admission(), allowLocal: true, maxBytes: 100_000 }),
    // Waiting for an index is what makes these long.
    sleep: async (ms) => void waits.push(ms),
  });
  return { store, index, waits };
}

vectorStoreContract('Upstash Vector', async () => {
  const index = await indexes.make({ dimension: contractDimension });
  const fetch = makeGuardedFetch({ admission: new Admission(), allowLocal: true, maxBytes: 1_000_000 });
  return makeUpstashStore({ admission: new Admission(), ...options, url: index.url, fetch, timeoutMs: 5_000 });
});

const passage = (id: string, text: string): StoredPassage => ({
  id,
  text,
  source: `source of ${id}`,
  licence: 'CC0',
  digest: `digest of ${id}`,
});

describe('a request to Upstash Vector', () => {
  test('has the text as data and the rest as metadata, and no client telemetry', async () => {
    const { store, index } = await opened();
    await store.put('main', [{ ...passage('a', 'text of a'), vector: [1, 0, 0, 0] }]);
    await store.nearest('facts', [1, 0, 0, 0], 3);
    const requests = await index.requests();
    expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      [
        'POST',
        '/upsert',
        [
          {
            id: 'a',
            vector: [1, 0, 0, 0],
            data: 'text of a',
            metadata: { source: 'source of a', digest: 'digest of a', licence: 'CC0' },
          },
        ],
      ],
      ['POST', '/query/facts', { vector: [1, 0, 0, 0], topK: 3, includeMetadata: true, includeData: true }],
    ]);
    for (const { headers } of requests) {
      expect(headers['authorization']).toBe(`Bearer ${token}`);
      expect(Object.keys(headers).filter((name) => name.includes('telemetry'))).toEqual([]);
    }
  });

  test('is bounded in number of items and in size', async () => {
    const { store, index } = await opened({ spec: { dimension: 4_000 } });
    const vector = Array.from({ length: 4_000 }, () => 0.123456789);
    await store.put(
      'main',
      Array.from({ length: 50 }, (_, i) => ({ ...passage(`p${i}`, 'x'.repeat(2_000)), vector })),
    );
    const requests = await index.requests();
    expect(requests).toHaveLength(3);
    for (const { body } of requests) expect(JSON.stringify(body).length).toBeLessThan(2_000_000);
    const small = await opened();
    await small.store.put(
      'main',
      Array.from({ length: 401 }, (_, i) => ({ ...passage(`p${i}`, 'x'), vector: [1, 0, 0, 0] })),
    );
    expect((await small.index.requests()).map(({ body }) => Array.isArray(body) && body.length)).toEqual([200, 200, 1]);
  });
});

describe('texts that Upstash embeds', () => {
  test('are stored, found, compared and deleted like others', async () => {
    const { store } = await opened({ spec: { dimension: 64, embeddingModel: 'WORDS' } });
    const passages = [passage('a', 'Lisbon has a harbour'), passage('b', 'Soup needs salt')];
    expect(await store.putTexts('facts', passages)).toEqual({ ok: true, value: null });
    const found = await store.nearestTexts('facts', 'Which harbour does Lisbon have?', 1);
    expect(found).toMatchObject({
      ok: true,
      value: [{ id: 'a', text: 'Lisbon has a harbour', source: 'source of a', licence: 'CC0' }],
    });
    expect(await store.digests('facts', ['b', 'c'])).toEqual({ ok: true, value: new Map([['b', 'digest of b']]) });
    expect(await store.remove('facts', ['a'])).toEqual({ ok: true, value: 1 });
    expect(await store.clear('facts')).toEqual({ ok: true, value: null });
    expect(await store.nearestTexts('facts', 'Soup', 5)).toEqual({ ok: true, value: [] });
  });
});

describe('an index that others filled', () => {
  const found = async (entry: Record<string, unknown>) => {
    const result = [{ id: 'x-1', score: 0.75, ...entry }];
    const { store } = await opened({ script: [{ behaviour: { kind: 'body', body: { result } } }] });
    const answer = await store.nearest('main', [1, 0, 0, 0], 5);
    return answer.ok ? answer.value : answer;
  };

  test.each<[what: string, entry: Record<string, unknown>, passage: Record<string, unknown>]>([
    [
      'text in the data, like Wikipedia at Upstash',
      { data: 'Lisbon is a capital.', metadata: { url: 'https://w.example/Lisbon', title: 'Lisbon' } },
      { id: 'x-1', text: 'Lisbon is a capital.', source: 'https://w.example/Lisbon', licence: null, score: 0.5 },
    ],
    [
      'text in the metadata',
      { metadata: { text: 'Lisbon is a capital.', title: 'Lisbon', license: 'CC BY-SA 4.0' } },
      { text: 'Lisbon is a capital.', source: 'Lisbon', licence: 'CC BY-SA 4.0' },
    ],
    ['a number for an id, and no metadata', { id: 7, data: 'Text.' }, { id: '7', text: 'Text.', source: '7' }],
    ['nothing in the metadata', { data: 'Text.', metadata: null }, { text: 'Text.', source: 'x-1', licence: null }],
    [
      'metadata of other types',
      { data: 'Text.', metadata: { source: 7, title: ['a'], url: 'https://w.example', licence: {} } },
      { source: 'https://w.example', licence: null },
    ],
    ['a score beyond the bounds', { data: 'Text.', score: 1.0000002 }, { score: 1 }],
  ])('is read with %s', async (_what, entry, passage) => {
    expect(await found(entry)).toMatchObject([passage]);
  });

  test('gives no passage without a text', async () => {
    expect(await found({ metadata: { title: 'Lisbon' } })).toEqual([]);
    expect(await found({ data: '' })).toEqual([]);
  });
});

describe('the description of an index', () => {
  const described = async (spec: IndexSpec) => {
    const { store } = await opened({ spec });
    const answer = await store.describe();
    if (!answer.ok) throw new Error(answer.fault.detail);
    return answer.value;
  };
  test('is requested from Upstash', async () => {
    expect(await described({ dimension: 512 })).toEqual({
      kind: 'dense',
      dimension: 512,
      similarity: 'cosine',
      embeddingModel: null,
      vectors: 0,
    });
    expect(await described({ dimension: 384, embeddingModel: 'BGE_SMALL_EN_V1_5' })).toMatchObject({
      embeddingModel: 'BGE_SMALL_EN_V1_5',
    });
  });

  test('decides whether the index can be used', async () => {
    const vectors = { embedding: 'embedder', dimension: 512 } as const;
    const texts = { embedding: 'store' } as const;
    expect(findReasonIndexIsUnfit(await described({ dimension: 512 }), vectors)).toBeUndefined();
    expect(findReasonIndexIsUnfit(await described({ dimension: 384 }), vectors)).toBe('other-dimension');
    expect(findReasonIndexIsUnfit(await described({ dimension: 512, similarity: 'EUCLIDEAN' }), vectors)).toBe(
      'not-cosine',
    );
    expect(findReasonIndexIsUnfit(await described({ dimension: 512, similarity: 'DOT_PRODUCT' }), vectors)).toBe(
      'not-cosine',
    );
    expect(findReasonIndexIsUnfit(await described({ dimension: 512, indexType: 'HYBRID' }), vectors)).toBe('not-dense');
    expect(findReasonIndexIsUnfit(await described({ dimension: 512 }), texts)).toBe('no-embedding-model');
    expect(findReasonIndexIsUnfit(await described({ embeddingModel: 'WORDS' }), texts)).toBeUndefined();
  });

  test.each<[what: string, result: unknown]>([
    ['no dimension', { vectorCount: 0, similarityFunction: 'COSINE' }],
    ['a dimension below nothing', { vectorCount: 0, dimension: -3, similarityFunction: 'COSINE' }],
    ['a dimension in words', { vectorCount: 0, dimension: 'four', similarityFunction: 'COSINE' }],
    ['a broken dimension', { vectorCount: 0, dimension: 1.5, similarityFunction: 'COSINE' }],
    ['a list', []],
    ['nothing', null],
  ])('is not believed if it says %s', async (_what, result) => {
    const { store } = await opened({ script: [{ behaviour: { kind: 'body', body: { result } } }] });
    expect(codeOf(await store.describe())).toBe('malformed-protocol');
  });
});

const codeOf = (reached: Reached<unknown>): string => (reached.ok ? 'well' : reached.fault.code);

describe('a fault of Upstash Vector', () => {
  const status = (code: number, more: Partial<Extract<IndexRule['behaviour'], { kind: 'status' }>> = {}) =>
    ({ kind: 'status', status: code, ...more }) as const;
  const after = (seconds: string) => ({ headers: { 'retry-after': seconds } });
  const body = (result: unknown): IndexBehaviour => ({ kind: 'body', body: { result } });
  /** Asked with all its repeats. */
  const all = 5;
  const rest = [500, 1_000, 2_000, 4_000];

  const faults: [what: string, behaviour: IndexRule['behaviour'], code: FaultCode, asked: number, waits: number[]][] = [
    ['500 for ever', status(500), 'http-status', all, rest],
    ['503 for ever', status(503), 'http-status', all, rest],
    ['429 for ever', status(429), 'rate-limited', all, rest],
    ['429 for ever, with a time', status(429, after('4')), 'rate-limited', 3, [4_000, 4_000]],
    ['429 until tomorrow', status(429, after('86400')), 'rate-limited', 1, []],
    ['429 for the day', status(429, { error: 'Exceeded daily query limit: 10000' }), 'rate-limited', 1, []],
    ['401', status(401), 'http-status', 1, []],
    ['403', status(403), 'http-status', 1, []],
    ['404', status(404), 'http-status', 1, []],
    ['nothing, for ever', { kind: 'hang' }, 'timeout', 1, []],
    ['an answer after the bound', { kind: 'slow', ms: 1_500 }, 'timeout', 1, []],
    ['a cut before the headers', { kind: 'cut', when: 'before-headers' }, 'unreachable', all, rest],
    ['a cut in the JSON', { kind: 'cut', when: 'mid-json' }, 'connection-lost', all, rest],
    ['a web page', { kind: 'html' }, 'malformed-protocol', 1, []],
    ['broken JSON', { kind: 'broken-json' }, 'malformed-protocol', 1, []],
    ['an answer without end', { kind: 'huge', bytes: 200_000 }, 'malformed-protocol', 1, []],
    ['JSON with no result', { kind: 'body', body: { ok: true } }, 'malformed-protocol', 1, []],
    ['a list for an answer', { kind: 'body', body: [] }, 'malformed-protocol', 1, []],
    ['a number for a result', body(7), 'malformed-protocol', 1, []],
    ['nothing for a result', body(null), 'malformed-protocol', 1, []],
    ['a redirect to nowhere good', { kind: 'redirect', to: 'http://169.254.169.254/' }, 'address-forbidden', 1, []],
  ];
  const passages = [{ ...passage('a', 'text'), vector: [1, 0, 0, 0] }];
  type Store = ReturnType<typeof makeUpstashStore>;
  const operations: [name: string, run: (store: Store) => Promise<Reached<unknown>>][] = [
    ['put', (store) => store.put('main', passages)],
    ['putTexts', (store) => store.putTexts('main', passages)],
    ['nearest', (store) => store.nearest('main', [1, 0, 0, 0], 3)],
    ['nearestTexts', (store) => store.nearestTexts('main', 'text', 3)],
    ['digests', (store) => store.digests('main', ['a'])],
    ['remove', (store) => store.remove('main', ['a'])],
    ['clear', (store) => store.clear('main')],
    ['describe', (store) => store.describe()],
  ];

  test.each(faults)('is reported: %s', async (_what, behaviour, code, asked, waits) => {
    const outcomes = operations.map(async ([name, run]) => {
      const opening = await opened({ script: [{ behaviour }] });
      const reached = await run(opening.store);
      expect(JSON.stringify(reached)).not.toMatch(/token-of-the-index|secret/);
      const fault = reached.ok ? null : { ...reached.fault, detail: '' };
      return { name, fault, asked: (await opening.index.requests()).length, waits: opening.waits };
    });
    expect(await Promise.all(outcomes)).toEqual(
      operations.map(([name]) => ({
        name,
        fault: { where: 'index', name: 'k-1', code, detail: '' },
        // A redirect is followed, or not, by the fetch below.
        asked,
        waits,
      })),
    );
  });

  test.each<[what: string, behaviour: IndexRule['behaviour'], times: number, waits: number[]]>([
    ['500 once', status(500), 1, [500]],
    ['500 four times', status(500), 4, rest],
    ['429 with a time', status(429, after('2')), 1, [2_000]],
    ['429 with a time, twice', status(429, after('5')), 2, [5_000, 5_000]],
    ['a cut before the headers', { kind: 'cut', when: 'before-headers' }, 2, [500, 1_000]],
    ['a cut in the JSON', { kind: 'cut', when: 'mid-json' }, 1, [500]],
    ['a little slow', { kind: 'slow', ms: 50 }, 1, []],
  ])('is overcome by retries: %s', async (_what, behaviour, times, waits) => {
    const { store, waits: waited } = await opened({ script: [{ times, behaviour }] });
    expect(codeOf(await store.put('main', passages))).toBe('well');
    expect(waited).toEqual(waits);
    expect(await store.nearest('main', [1, 0, 0, 0], 3)).toMatchObject({ ok: true, value: [{ id: 'a', score: 1 }] });
  });

  test.each<[what: string, result: unknown]>([
    ['no score', [{ id: 'a', data: 'text' }]],
    ['no id', [{ score: 1, data: 'text' }]],
    ['a score in words', [{ id: 'a', score: 'high', data: 'text' }]],
    ['data that is no text', [{ id: 'a', score: 1, data: { text: 'text' } }]],
    ['lists of lists', [[{ id: 'a', score: 1 }]]],
    ['null among the found', [null]],
  ])('is reported for a search answered with %s', async (_what, result) => {
    const { store } = await opened({ script: [{ behaviour: body(result) }] });
    expect(codeOf(await store.nearest('main', [1, 0, 0, 0], 3))).toBe('malformed-protocol');
  });

  test('is reported for vectors of another dimension', async () => {
    const { store } = await opened();
    const fault = { code: 'http-status', detail: expect.stringContaining('another dimension') };
    expect(await store.nearest('main', [1, 0], 3)).toMatchObject({ ok: false, fault });
    expect(await store.put('main', [{ ...passage('a', 'text'), vector: [1] }])).toMatchObject({ ok: false, fault });
  });

  test('is reported for texts sent to an index that does not embed', async () => {
    const { store } = await opened();
    const fault = { code: 'http-status', detail: expect.stringContaining('no embedding model') };
    expect(await store.putTexts('main', [passage('a', 'text')])).toMatchObject({ ok: false, fault });
  });

  test('is reported for a wrong token', async () => {
    const { store } = await opened({ token: 'another-token' });
    const answer = await store.describe();
    expect(answer).toEqual({
      ok: false,
      fault: {
        where: 'index',
        name: 'k-1',
        code: 'http-status',
        detail: 'HTTP status 401: the index does not accept the token',
      },
    });
  });

  test('is reported if nobody listens', async () => {
    const url = await unusedAddress();
    const fetch = makeGuardedFetch({ admission: new Admission(), allowLocal: true, maxBytes: 1_000 });
    const waits: number[] = [];
    const store = makeUpstashStore({
      admission: new Admission(),
      ...options,
      url,
      fetch,
      sleep: async (ms) => void waits.push(ms),
    });
    expect(codeOf(await store.describe())).toBe('unreachable');
    expect(waits).toEqual(rest);
  });

  test('is reported for a forbidden address, which is not contacted', async () => {
    const { index } = await opened();
    const fetch = makeGuardedFetch({ admission: new Admission(), allowLocal: false, maxBytes: 1_000 });
    const store = makeUpstashStore({ admission: new Admission(), ...options, url: index.url, fetch });
    expect(codeOf(await store.describe())).toBe('address-forbidden');
    expect(await index.requests()).toEqual([]);
  });

  test('does not include an unknown namespace, which counts as empty', async () => {
    const error = 'Namespace facts for the index i does not exist';
    const { store } = await opened({ script: [{ behaviour: status(404, { error }) }] });
    expect(await store.nearest('facts', [1, 0, 0, 0], 3)).toEqual({ ok: true, value: [] });
    expect(await store.digests('facts', ['a'])).toEqual({ ok: true, value: new Map() });
    expect(await store.remove('facts', ['a'])).toEqual({ ok: true, value: 0 });
    expect(await store.clear('facts')).toEqual({ ok: true, value: null });
    expect(codeOf(await store.put('facts', passages))).toBe('http-status');
  });

  test('ends a load at the broken batch, and loading again completes it', async () => {
    const many = Array.from({ length: 450 }, (_, i) => ({ ...passage(`p${i}`, 'x'), vector: [1, 0, 0, 0] }));
    const { store, index } = await opened();
    await store.put('main', many.slice(0, 200));
    await index.tell([{ operation: 'upsert', behaviour: status(401) }]);
    expect(codeOf(await store.put('main', many))).toBe('http-status');
    expect(await index.requests()).toHaveLength(2);
    await index.tell([]);
    expect(codeOf(await store.put('main', many))).toBe('well');
    const digests = await store.digests(
      'main',
      many.map(({ id }) => id),
    );
    expect(digests.ok && digests.value.size).toBe(450);
  });
});

/** The address of a port that was just given back. */
async function unusedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `http://127.0.0.1:${port}`;
}
