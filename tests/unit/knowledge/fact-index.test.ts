import type { FoundPassage } from '#core/similarity/knowledge/passage-record.ts';
import { describe, expect, test } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { makeFactIndex } from '#adapters/vector/fact-index.ts';
import { makeObjectVectorStore, type EmbeddedIndex } from '#adapters/vector/embedded-store.ts';
import { openKnowledgeStore } from '#adapters/vector/stores.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { refuse } from '#core/values/errors.ts';
import type { Embedder, PassageStore } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';

const call: ModelCall = {
  role: 'embedder',
  model: 'm',
  prompt: 'none',
  promptTokens: 1,
  completionTokens: 0,
  costUsd: 0,
  latencyMs: 1,
  retries: 0,
};
const passage: FoundPassage = { id: 'a', text: 't', source: '', licence: null, score: 0.5 };
const fault = { where: 'model', name: 'embedder', code: 'timeout', detail: 'late' } as const;
const embedder = (vector: readonly number[]): Embedder => ({
  embed: async () => ({ ok: true, vectors: [vector], call }),
});
const nothing: PassageStore = {
  digests: async () => ({ ok: true, value: new Map() }),
  remove: async () => ({ ok: true, value: 0 }),
  clear: async () => ({ ok: true, value: null }),
};

describe('a fact index', () => {
  const asked: unknown[] = [];
  const store = {
    ...nothing,
    put: async () => ({ ok: true, value: null }) as const,
    nearest: async (...what: readonly unknown[]) => {
      asked.push(what);
      return { ok: true, value: [passage] } as const;
    },
  };

  test('asks the store for passages near the vector of the question', async () => {
    const opened = { embedding: 'embedder', store, embedder: embedder([1, 2]), dimension: 2 } as const;
    expect(await makeFactIndex(opened, 'main').search('q', 3)).toEqual({ ok: true, value: [passage], calls: [call] });
    expect(asked).toEqual([['main', [1, 2], 3]]);
  });

  test('reports a vector of another dimension as a fault with its cost', async () => {
    const opened = { embedding: 'embedder', store, embedder: embedder([1, 2, 3]), dimension: 2 } as const;
    expect(await makeFactIndex(opened, 'main').search('q', 3)).toMatchObject({
      ok: false,
      fault: { where: 'model', name: 'embedder', code: 'dimension-mismatch' },
      calls: [call],
    });
  });

  test('reports the fault of an embedder', async () => {
    const failing: Embedder = { embed: async () => ({ ok: false, fault }) };
    const opened = { embedding: 'embedder', store, embedder: failing, dimension: 2 } as const;
    expect(await makeFactIndex(opened, 'main').search('q', 3)).toEqual({ ok: false, fault, calls: [] });
  });

  test('passes the question itself to a store that embeds', async () => {
    const texts = {
      ...nothing,
      putTexts: async () => ({ ok: true, value: null }) as const,
      nearestTexts: async (namespace: string, query: string, topK: number) =>
        ({ ok: true, value: [{ ...passage, text: `${namespace} ${query} ${topK}` }] }) as const,
    };
    const found = await makeFactIndex({ embedding: 'store', store: texts }, 'other').search('q', 3);
    expect(found).toEqual({ ok: true, value: [{ ...passage, text: 'other q 3' }], calls: [] });
  });
});

describe('an embedded store', () => {
  const put: unknown[] = [];
  const index = (problem: ReturnType<typeof refuse>): EmbeddedIndex => ({
    digests: async () => problem,
    storeAllOrRefuse: async (...what) => {
      put.push(what);
      return problem;
    },
    nearest: async () => problem,
    remove: async () => problem,
    clearNamespace: async () => problem,
  });
  const entry = (vector: readonly number[]) => ({ id: 'a', text: 't', source: '', licence: null, digest: 'd', vector });

  test('reports a refusal of the object as a fault of the index', async () => {
    const codes = [
      ['index-full', 'index-full'],
      ['dimension-mismatch', 'dimension-mismatch'],
      ['not-found', 'unreachable'],
    ] as const;
    for (const [code, expected] of codes) {
      const store = makeObjectVectorStore('kn_1', index(refuse(code, 'why')));
      const refused = { ok: false, fault: { where: 'index', name: 'kn_1', code: expected, detail: 'why' } };
      expect(await store.put('main', [entry([1, 0])])).toEqual(refused);
      expect(await store.digests('main', ['a'])).toEqual(refused);
      expect(await store.nearest('main', [1, 2], 3)).toEqual(refused);
      expect(await store.remove('main', ['a'])).toEqual(refused);
      expect(await store.clear('main')).toEqual(refused);
    }
  });

  test('sends vectors to the object as bytes, and no vector without a direction', async () => {
    put.length = 0;
    const store = makeObjectVectorStore('kn_1', index(refuse('index-full', 'why')));
    await store.put('main', [entry([0.5, -1]), entry([3, 4])]);
    expect(put).toEqual([
      ['main', [expect.objectContaining({ id: 'a' }), expect.anything()], new Int8Array([64, -127, 3, 4])],
    ]);
    for (const vectors of [[[0, 0]], [[1, 2], [1]]])
      expect(await store.put('main', vectors.map(entry))).toMatchObject({ fault: { code: 'dimension-mismatch' } });
    expect(await store.put('main', [])).toEqual({ ok: true, value: null });
    expect(put).toHaveLength(1);
  });
});

test('an index whose secret cannot be decrypted is a fault', async () => {
  const settings = settingsSchema.parse({
    ENCRYPTION_KEY: `${'A'.repeat(43)}=`,
    SIGNING_KEY: `${'A'.repeat(43)}=`,
    ROOT_KEY_SHA256: '0'.repeat(64),
    OPENAI_BASE_URL: 'http://localhost',
    WRITER_MODEL: 'm',
    CRITIC_MODEL: 'm',
    AGENT_MODEL: 'm',
    JUDGE_MODEL: 'm',
    EMBEDDER_MODEL: 'm',
  });
  const refused = async () => refuse('not-found', 'none');
  const index = {
    digests: refused,
    storeAllOrRefuse: refused,
    nearest: refused,
    remove: refused,
    clearNamespace: refused,
  };
  const connection = {
    id: 'kn_1',
    store: { kind: 'embedded' },
    embedding: 'embedder',
    model: 'm',
    dimension: 3,
  } as const;
  expect(await openKnowledgeStore(connection, settings, index, new Admission())).toMatchObject({
    ok: true,
    value: { dimension: 3 },
  });
  expect(await openKnowledgeStore({ ...connection, model: null }, settings, index, new Admission())).toMatchObject({
    fault: { where: 'index', name: 'kn_1', code: 'unreachable' },
  });
});
