import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { knowledgeRecord } from '#core/similarity/knowledge/record.ts';
import { listUsedFacts } from '#core/units/grounding.ts';
import { exploreToEnd, prepare, type Ground } from '../support/exploration.ts';
import type { IndexRule } from '../support/index-script.ts';
import { expectStatus, problemOf, unique } from '../support/workspace.ts';
import { startIndex } from '../support/world.ts';

const passages = [
  { text: 'Cambridge: a university city in eastern England', source: 'WordNet', licence: 'WordNet License' },
  { text: 'Gallon: a unit of capacity of 4.545 liters', source: 'WordNet', licence: 'WordNet License' },
];

const upload = { headers: { 'content-type': 'text/jsonl' } };

/** An index with the passages, wherever it is. */
async function indexOf({ workspace }: Ground, body: Record<string, unknown> = {}): Promise<string> {
  const { id } = knowledgeRecord.parse(expectStatus(await workspace.post('/v1/knowledge', body), 201));
  const lines = passages.map((passage) => JSON.stringify(passage)).join('\n');
  expectStatus(await workspace.post(`/v1/knowledge/${id}/passages`, lines, upload), 200);
  return id;
}

const grounded = (index: string, more: Record<string, unknown> = {}) => ({
  batch: 2,
  more: { knowledge: { index }, ...more },
});

describe('a grounded unit', () => {
  test('keeps the facts that it needs, with source, licence and score, and so does a benchmark', async () => {
    const ground = await prepare();
    const index = await indexOf(ground);
    const { run, record, units, events } = await exploreToEnd(ground, grounded(index));
    expect(record).toMatchObject({
      config: { knowledge: { index, namespace: 'main' } },
      units: { accepted: 2, probes: 1 },
    });
    expect(record.grounding).toEqual({ searched: 3, grounded: 3, failed: 0 });
    for (const { unit } of units) {
      expect(unit.grounding).toEqual({ state: 'searched' });
      expect(unit.facts.length).toBe(2);
      expect(listUsedFacts(unit)).toMatchObject([{ source: 'WordNet', licence: 'WordNet License', relevance: 0.95 }]);
      expect(listUsedFacts(unit)[0]?.score).toBeLessThanOrEqual(1);
    }
    expect(events.some(({ event }) => event.type.startsWith('grounding.'))).toBe(false);
    const { id } = z
      .looseObject({ id: z.string() })
      .parse(expectStatus(await ground.workspace.post('/v1/benchmarks', { explorations: [run], floor: false }), 201));
    expect(expectStatus(await ground.workspace.get(`/v1/benchmarks/${id}/units`), 200)).toMatchObject({
      items: [{ facts: [{ licence: 'WordNet License', name: expect.any(String) }] }, { facts: [{}] }],
    });
    // The embedder's calls are the units' own cost.
    expect(units.every(({ unit }) => unit.models['embedder'] === 'test-embedder')).toBe(true);
  });

  test.each(['unneeded', 'unsupported'])('counts no fact that the critic finds %s', async (verdict) => {
    const grades = { semanticEquivalence: 95, parameterSolvability: 95, issues: [], suggestions: [] };
    const content = JSON.stringify({ ...grades, facts: [{ passage: 1, verdict, why: 'so it is' }] });
    const ground = await prepare({ rules: [{ form: 'audit', behaviour: { kind: 'content', content } }] });
    const { record, units } = await exploreToEnd(ground, grounded(await indexOf(ground)));
    expect(record.grounding).toEqual({ searched: 3, grounded: 0, failed: 0 });
    expect(units.every(({ unit }) => unit.facts.length === 2 && listUsedFacts(unit).length === 0)).toBe(true);
  });

  test('cannot use an index of another workspace', async () => {
    const ground = await prepare();
    const body = { catalog: ground.catalog, knowledge: { index: 'kn_none' } };
    expect(problemOf(await ground.workspace.post('/v1/explorations', body))).toEqual([404, 'not-found']);
  });
});

describe('an index at Upstash', () => {
  const token = 'token-of-the-index';

  test('grounds like the embedded one, with our embedder or its own model', async () => {
    const ground = await prepare();
    const { url } = await startIndex({ dimension: 16, token });
    const own = await startIndex({ dimension: 16, token, embeddingModel: 'some-model' });
    const store = { kind: 'upstash', url, token };
    const byEmbedder = await indexOf(ground, { store });
    const byStore = await indexOf(ground, { store: { ...store, url: own.url }, embedding: 'store' });
    for (const index of [byEmbedder, byStore]) {
      const { record } = await exploreToEnd(ground, grounded(index));
      expect(record.grounding).toEqual({ searched: 3, grounded: 3, failed: 0 });
    }
    const shown = JSON.stringify(expectStatus(await ground.workspace.get(`/v1/knowledge/${byEmbedder}`), 200));
    expect(shown).not.toContain(token);
  });

  const rule = (behaviour: IndexRule['behaviour']): IndexRule[] => [{ operation: 'query', behaviour }];
  test.each<[string, string, IndexRule[]]>([
    ['is unreachable', 'unreachable', rule({ kind: 'cut', when: 'before-headers' })],
    [
      'is rate-limited for long',
      'rate-limited',
      rule({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } }),
    ],
    ['answers garbage', 'malformed-protocol', rule({ kind: 'html' })],
    ['answers in another form', 'malformed-protocol', rule({ kind: 'body', body: { result: [{ score: 'high' }] } })],
    ['refuses the token', 'http-status', rule({ kind: 'status', status: 401 })],
  ])('that %s affects grounding only', async (_, code, script) => {
    const ground = await prepare();
    const index = await startIndex({ dimension: 16, token });
    const knowledge = await indexOf(ground, { store: { kind: 'upstash', url: index.url, token } });
    await index.tell(script);
    const { record, units, events } = await exploreToEnd(ground, grounded(knowledge));
    expect(record).toMatchObject({ status: 'completed', units: { accepted: 2, probes: 1, dropped: 0 } });
    expect(record.grounding).toEqual({ searched: 3, grounded: 0, failed: 3 });
    const failures = events.flatMap(({ event }) => (event.type === 'grounding.failed' ? [event] : []));
    expect(failures.map((event) => event.code)).toEqual([code, code, code]);
    expect(units.every(({ unit }) => unit.grounding.state === 'failed')).toBe(true);
    expect(JSON.stringify([failures, units])).not.toContain(token);
  });

  test('that is slow or briefly rate-limited is awaited', async () => {
    const ground = await prepare();
    const index = await startIndex({ dimension: 16, token });
    const knowledge = await indexOf(ground, { store: { kind: 'upstash', url: index.url, token } });
    await index.tell([
      { operation: 'query', times: 1, behaviour: { kind: 'status', status: 429, headers: { 'retry-after': '1' } } },
      { operation: 'query', behaviour: { kind: 'slow', ms: 700 } },
    ]);
    const { record } = await exploreToEnd(ground, grounded(knowledge));
    expect(record.grounding).toEqual({ searched: 3, grounded: 3, failed: 0 });
  });

  test.each([
    [{ dimension: 8 }, 'embedder', [422, 'dimension-mismatch']],
    [{ dimension: 16, similarity: 'EUCLIDEAN' }, 'embedder', [400, 'invalid-request']],
    [{ dimension: 16, indexType: 'HYBRID' }, 'embedder', [400, 'invalid-request']],
    [{ dimension: 16 }, 'store', [400, 'invalid-request']],
  ] as const)('that does not fit is refused: %j by the %s', async (spec, embedding, expected) => {
    const { workspace } = await prepare();
    const { url } = await startIndex({ ...spec, token });
    const body = { store: { kind: 'upstash', url, token }, embedding };
    expect(problemOf(await workspace.post('/v1/knowledge', body))).toEqual(expected);
    expect(expectStatus(await workspace.get('/v1/knowledge'), 200)).toMatchObject({ items: [] });
  });

  test.each([
    [{ kind: 'upstash' }, [400, 'invalid-request']],
    [{ kind: 'upstash', url: 'http://127.0.0.1:1/' }, [400, 'invalid-request']],
    [{ kind: 'upstash', url: 'ftp://example.org', token }, [422, 'address-forbidden']],
    [{ kind: 'upstash', url: 'http://127.0.0.1:1/', token }, [422, 'index-unreachable']],
    [{ kind: 'pinecone' }, [400, 'invalid-request']],
  ])('is refused as a store %j', async (store, expected) => {
    const { workspace } = await prepare();
    expect(problemOf(await workspace.post('/v1/knowledge', { name: unique('x'), store }))).toEqual(expected);
  });
});
