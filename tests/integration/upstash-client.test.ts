import { Index } from '@upstash/vector';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IndexRequest } from '../support/index-script.ts';
import { startScriptedIndexes, type ScriptedIndexes } from '../support/scripted-indexes.ts';

/** The client of Upstash, as it is, against our server: what it sends is what the server has to understand. */

let indexes: ScriptedIndexes;
beforeAll(async () => {
  indexes = await startScriptedIndexes();
});
afterAll(() => indexes.close());

const token = 'token-of-the-index';

async function clientOf(spec: Parameters<ScriptedIndexes['make']>[0]) {
  const served = await indexes.make(spec);
  const client = new Index({ url: served.url, token, enableTelemetry: false, retry: false });
  /** What it answers, and what it was asked for it. */
  const sent = async <T>(operation: Promise<T>): Promise<{ answer: T; asked: [path: string, body: unknown] }> => {
    const answer = await operation;
    const { path, body } = (await served.requests()).at(-1) ?? { path: '', body: null };
    return { answer, asked: [path, body] };
  };
  return { client, served, sent };
}

test('the simulated Upstash supports every vector operation', async () => {
  const { client, sent } = await clientOf({ dimension: 2 });
  const a = { id: 'a', vector: [1, 0], metadata: { source: 'here' }, data: 'text of a' };
  expect(await sent(client.upsert(a))).toEqual({ answer: 'Success', asked: ['/upsert', a] });
  const more = [
    { id: 'b', vector: [0, 1] },
    { id: 'b2', vector: [-1, 0] },
  ];
  expect(await sent(client.upsert(more))).toEqual({ answer: 'Success', asked: ['/upsert', more] });
  expect(await sent(client.upsert(more, { namespace: 'ns' }))).toMatchObject({ asked: ['/upsert/ns', more] });

  const wanted = { vector: [2, 0], topK: 2, includeMetadata: true, includeData: true };
  expect(await sent(client.query(wanted))).toEqual({
    answer: [
      { id: 'a', score: 1, metadata: { source: 'here' }, data: 'text of a' },
      { id: 'b', score: 0.5 },
    ],
    asked: ['/query', wanted],
  });
  const vectors = { vector: [-1, 0], topK: 1, includeVectors: true };
  expect(await sent(client.namespace('ns').query(vectors))).toEqual({
    answer: [{ id: 'b2', score: 1, vector: [-1, 0] }],
    asked: ['/query/ns', vectors],
  });
  const two = [
    { vector: [1, 0], topK: 1 },
    { vector: [0, 1], topK: 1 },
  ];
  expect(await sent(client.queryMany(two))).toEqual({
    answer: [[{ id: 'a', score: 1 }], [{ id: 'b', score: 1 }]],
    asked: ['/query', two],
  });

  expect(await sent(client.fetch(['a', 'gone'], { includeMetadata: true }))).toEqual({
    answer: [{ id: 'a', metadata: { source: 'here' } }, null],
    asked: ['/fetch', { ids: ['a', 'gone'], includeMetadata: true }],
  });
  expect(await sent(client.fetch({ prefix: 'b' }, { namespace: 'ns' }))).toEqual({
    answer: [{ id: 'b' }, { id: 'b2' }],
    asked: ['/fetch/ns', { prefix: 'b' }],
  });
  expect(await sent(client.range({ cursor: 0, limit: 2 }))).toEqual({
    answer: { nextCursor: '2', vectors: [{ id: 'a' }, { id: 'b' }] },
    asked: ['/range', { cursor: 0, limit: 2 }],
  });
  expect(await sent(client.range({ cursor: '2', limit: 2, includeData: true }))).toMatchObject({
    answer: { nextCursor: '', vectors: [{ id: 'b2' }] },
  });
  const change = { id: 'b', metadata: { source: 'there' } };
  expect(await sent(client.update(change))).toEqual({ answer: { updated: 1 }, asked: ['/update', change] });

  expect(await sent(client.delete(['b', 'gone']))).toEqual({
    answer: { deleted: 1 },
    asked: ['/delete', { ids: ['b', 'gone'] }],
  });
  expect(await sent(client.delete({ prefix: 'b' }, { namespace: 'ns' }))).toEqual({
    answer: { deleted: 2 },
    asked: ['/delete/ns', { prefix: 'b' }],
  });
});

test('the simulated Upstash embeds texts', async () => {
  const { client, sent } = await clientOf({ dimension: 16, embeddingModel: 'WORDS' });
  const texts = [
    { id: 'a', data: 'the harbour of Lisbon', metadata: { source: 'atlas' } },
    { id: 'b', data: 'a recipe for soup' },
  ];
  expect(await sent(client.upsert(texts))).toEqual({ answer: 'Success', asked: ['/upsert-data', texts] });
  const wanted = { data: 'harbour Lisbon', topK: 1, includeData: true };
  expect(await sent(client.query(wanted, { namespace: '' }))).toMatchObject({
    answer: [{ id: 'a', data: 'the harbour of Lisbon' }],
    asked: ['/query-data', wanted],
  });
});

test('the simulated Upstash has namespaces and describes the index', async () => {
  const { client, sent } = await clientOf({ dimension: 2 });
  await client.upsert({ id: 'a', vector: [1, 0] });
  await client.upsert({ id: 'a', vector: [1, 0] }, { namespace: 'ns' });
  expect(await sent(client.listNamespaces())).toEqual({ answer: ['', 'ns'], asked: ['/list-namespaces', []] });
  expect(await sent(client.info())).toEqual({
    answer: {
      vectorCount: 2,
      pendingVectorCount: 0,
      indexSize: 0,
      dimension: 2,
      similarityFunction: 'COSINE',
      indexType: 'DENSE',
      denseIndex: { dimension: 2, similarityFunction: 'COSINE' },
      namespaces: {
        '': { vectorCount: 1, pendingVectorCount: 0 },
        ns: { vectorCount: 1, pendingVectorCount: 0 },
      },
    },
    asked: ['/info', []],
  });
  expect(await sent(client.reset({ namespace: 'ns' }))).toEqual({ answer: 'Success', asked: ['/reset/ns', []] });
  expect((await client.info()).vectorCount).toBe(1);
  expect(await sent(client.deleteNamespace('ns'))).toEqual({
    answer: 'Success',
    asked: ['/delete-namespace/ns', []],
  });
  await expect(client.deleteNamespace('ns')).rejects.toThrow('Namespace ns does not exist');
  expect(await sent(client.reset({ all: true }))).toEqual({ answer: 'Success', asked: ['/reset?all', []] });
  expect((await client.info()).vectorCount).toBe(0);
});

test('the simulated Upstash checks headers and tokens', async () => {
  const { client, served } = await clientOf({});
  await client.info();
  const [request] = await served.requests();
  const { method, headers }: Partial<IndexRequest> = request ?? {};
  expect(method).toBe('POST');
  expect(headers).toMatchObject({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
  const stranger = new Index({ url: served.url, token: 'another', enableTelemetry: false, retry: false });
  await expect(stranger.info()).rejects.toThrow('Unauthorized');
  await expect(client.upsert({ id: 'a', vector: [1] })).rejects.toThrow('Invalid vector dimension: 1, expected: 4');
  await expect(client.upsert({ id: 'a', data: 'text' })).rejects.toThrow('not allowed');
});
