import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { passageLine, type KnowledgeRecord } from '#core/knowledge/record.ts';
import { createClient } from '../../client/client.ts';
import type { Chart } from '../../client/demo/chart.ts';
import { evaluateDialled, evaluationLines } from '../../client/demo/evaluate.ts';
import { grow } from '../../client/demo/grow.ts';
import { heatMap, levelOf } from '../../client/demo/heat-map.ts';
import { inParallel } from '../../client/demo/in-parallel.ts';
import { loadKnowledge } from '../../client/demo/knowledge.ts';
import { freePorts } from '../../client/demo/ports.ts';
import { resultOf, summaryLines } from '../../client/demo/summary.ts';
import { fakeApi, json } from './fake-api.ts';
import { agentResult, evaluation, event, evolution, exploration, reading } from './records.ts';
import { framesOf } from './run-verb.ts';

const silent = { write: () => {} };
const knowledge = { index: 'kn_1', passages: 6_529, ms: 4_200 };
const counts = [
  { from: 'food', to: 'time', transitions: 16, observations: 20 },
  { from: 'time', to: 'time', transitions: 1, observations: 1 },
];

test('the heat map in numbers', () => {
  expect(heatMap(['food', 'time'], counts, 'numbers').slice(1)).toEqual([
    '         a  b',
    'a food   . 16',
    'b time   .  1',
  ]);
});

test('the heat map in shades: nothing, little and much look different, and the legend says what they mean', () => {
  const lines = heatMap(['food', 'time'], counts, 'shaded').map(stripVTControlCharacters);
  expect(lines.slice(1)).toEqual([
    '        a b',
    'a food  ·██',
    'b time  ·░░',
    '░░ 1   ▒▒ 2 to 4   ▓▓ 5 to 9   ██ 10 to 16',
  ]);
  expect([0, 1, 2, 4, 5, 9, 10, 16].map((count) => levelOf(count, 16))).toEqual([0, 1, 2, 2, 3, 3, 4, 4]);
});

test('at most so many at once, results in the order of the items', async () => {
  let [running, most] = [0, 0];
  const results = await inParallel([30, 1, 20, 5, 10], 2, async (ms) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, ms));
    running -= 1;
    return ms;
  });
  expect([results, most]).toEqual([[30, 1, 20, 5, 10], 2]);
});

test('free ports are different ones', async () => {
  const ports = await freePorts(['a', 'b', 'c']);
  expect(new Set(Object.values(ports)).size).toBe(3);
});

const chart: Chart = {
  catalog: {
    id: 'cat_1',
    servers: ['a', 'b', 'c'].map((name) => ({ id: name, name, domain: name === 'c' ? 'food' : 'time', tools: 4 })),
    tools: 12,
    createdAt: '',
  },
  run: exploration({
    status: 'completed',
    reason: 'budget: rounds used up',
    rounds: 4,
    units: { accepted: 30, review: 3, rejected: 4, lost: 2, dropped: 1, probes: 4 },
    toolsExecuted: 11,
    transitions: 1234,
    valuesPassed: 411,
    setAside: ['a/\u001Bbad'],
    reading: reading(),
    usage: { calls: 9, promptTokens: 1000, completionTokens: 34, costUsd: 0 },
    endedAt: '2026-01-01T00:02:03.500Z',
  }),
  evolution: evolution({
    status: 'completed',
    reason: 'target reached',
    surveyed: 30,
    duplicatesFound: 2,
    target: 42,
    kept: 43,
    batches: 2,
    variants: { accepted: 15, review: 1, rejected: 2, lost: 0, dropped: 0, duplicate: 3 },
    usage: { calls: 3, promptTokens: 100, completionTokens: 6, costUsd: 0 },
    endedAt: '2026-01-01T00:00:40.250Z',
  }),
  reviews: 4,
  domains: counts,
  benchmark: {
    id: 'bm_1',
    format: 1,
    name: 'demo',
    split: 'all',
    catalog: 'cat_1',
    explorations: ['exp_1'],
    seed: 1,
    privateShare: 0.2,
    offline: true,
    tools: 12,
    units: 30,
    publicUnits: 24,
    privateUnits: 6,
    createdAt: '',
  },
  grounded: 12,
  file: '/tmp/benchmark.jsonl',
};

test('the JSON line has what the API told', () => {
  const agents = [agentResult('hasty', 0.6), agentResult('steady', 0.9)];
  const run = evaluation({ status: 'completed', endedAt: '2026-01-01T00:01:30.500Z' });
  const score = (mean: number) => ({ mean, low: mean - 0.05, high: mean + 0.05, n: 10, unscored: 0 });
  const line = (name: string, tcs: number) => ({
    name,
    units: 10,
    tcs: score(tcs),
    mtc: score(0.7),
    tfd: score(0.1),
    ar: score(0.8),
    uic: score(0.9),
    ecg: score(-0.125),
    costUsd: 0,
    tokens: 12_345,
  });
  expect(resultOf(chart, { made: true, run, results: { agents } }, knowledge)).toEqual({
    servers: 3,
    tools: 12,
    domains: 2,
    rounds: 4,
    units: { accepted: 30, review: 3, rejected: 4, lost: 2, dropped: 1, probes: 4 },
    grounded: 12,
    evolved: 15,
    duplicatesDropped: 5,
    reviews: 4,
    nodeCoverage: 0.8,
    toolsExecuted: 11,
    transitions: 1234,
    valuesPassed: 411,
    chao1: { estimate: 3259, low: 2990, high: 3580 },
    probeCoverage: { value: 0.5, low: 0.31, high: 0.69, anytimeLow: 0.125 },
    tokens: 1140,
    benchmark: 'bm_1',
    file: '/tmp/benchmark.jsonl',
    agents: [line('steady', 0.9), line('hasty', 0.6)],
    seconds: { loading: 4.2, charting: 123.5, evolution: 40.25, evaluation: 90.5 },
  });
});

test('the agents are ranked, and the reader is told what that is worth', () => {
  const results = { agents: [agentResult('hasty', 0.6), agentResult('steady', 0.9)] };
  const run = evaluation({
    progress: { ...evaluation().progress, relaunched: 1 },
    endedAt: '2026-01-01T00:01:30.500Z',
  });
  const lines = evaluationLines({ made: true, run, results }, 160);
  expect(lines[0]).toBe('Agents on 10 public units of the benchmark, in 1 min 31 s, 1 attempt relaunched:');
  expect(lines.slice(3, 5).map((line) => line.split(' ')[0])).toEqual(['steady', 'hasty']);
  expect(lines.at(-1)).toContain('skill is dialled: their order calibrates the instrument and is no evidence');
});

test.each([
  [false, 24, 'a real model is set up, and the demo evaluates the offline agents only'],
  [true, 0, 'the benchmark has no public units'],
])('offline: %s, public units: %i: nothing is evaluated', async (offline, publicUnits, why) => {
  const client = createClient({ url: 'http://127.0.0.1:1', key: 'key' });
  const evaluated = await evaluateDialled(client, { id: 'bm_1', publicUnits }, { offline, seed: 1, progress: silent });
  expect(evaluated).toEqual({ made: false, why });
  expect(evaluationLines(evaluated, 80)).toEqual([`Nothing was evaluated: ${why}.`]);
  expect(resultOf(chart, evaluated, null)).toMatchObject({ agents: [], seconds: { loading: 0, evaluation: 0 } });
});

test('the summary tells of grounding, of variants, of what waits for a reviewer, and how long each took', () => {
  const lines = summaryLines(chart, knowledge);
  expect(lines).toEqual(
    expect.arrayContaining([
      'variants        15 accepted, 1 review, 2 rejected, 0 lost, 0 dropped, 3 near-duplicates: target reached',
      'kept            43 of the 42 units wanted; of 30 explored ones 2 near-duplicates left out',
      'reviews         4 units in the queue',
      "grounding       12 of the benchmark's 30 units need one of 6,529 passages",
      'spent           1,140 tokens, $0.00, 4 s of loading passages, 2 min 04 s of charting, 40 s of evolving',
    ]),
  );
  const bare = { ...chart, evolution: null, grounded: 0 };
  const without = summaryLines(bare, null);
  expect(without.some((line) => /^(variants|kept) /.test(line))).toBe(false);
  expect(without).toEqual(
    expect.arrayContaining([
      'grounding       no index of facts',
      'spent           1,034 tokens, $0.00, 2 min 04 s of charting',
    ]),
  );
  const evaluated = { made: false, why: '' } as const;
  expect(resultOf(bare, evaluated, null)).toMatchObject({
    evolved: 0,
    duplicatesDropped: 0,
    seconds: { loading: 0, charting: 123.5, evolution: 0 },
  });
});

test('the passages that come with the repository are loaded with their vectors', async () => {
  const index: KnowledgeRecord = {
    id: 'kn_1',
    name: 'demo',
    store: 'embedded',
    embedding: 'embedder',
    model: 'offline-embedder',
    dimension: 512,
    passages: 0,
    namespaces: [],
    createdAt: '',
  };
  const linesOf = (body: string): string[] => body.split('\n').filter((line) => line !== '');
  await using api = await fakeApi(json(index, 201), (request, response, body) => {
    const { length } = linesOf(body);
    void json({ lines: length, loaded: length - 1, unchanged: 1 })(request, response, body);
  });
  const said: string[] = [];
  const client = createClient({ url: api.url, key: 'key' });
  const loaded = await loadKnowledge(client, { write: (text) => said.push(text) });
  expect(loaded).toEqual({ index: 'kn_1', passages: 6_529, ms: expect.any(Number) });
  expect(said).toEqual([expect.stringMatching(/^knowledge kn_1: 6,529 passages in \d+ s\n$/)]);
  const [created, ...uploads] = api.requests;
  expect(JSON.parse(created?.body ?? '')).toEqual({ name: 'demo' });
  for (const { line } of uploads) expect(line).toMatch(/^POST \/v1\/knowledge\/kn_1\/passages\?/);
  const lines = uploads.flatMap(({ body }) => linesOf(body));
  expect(lines).toHaveLength(6_529);
  for (const line of [lines[0], lines.at(-1)]) {
    const passage = passageLine.parse(JSON.parse(line ?? ''));
    expect(passage.vector?.length).toBeGreaterThan(100);
    expect([passage.source, passage.licence]).not.toContain('');
  }
});

test('a run is grown under its own seed and batch; without an accepted unit it is not', async () => {
  const over = evolution({ status: 'completed', reason: 'target reached' });
  const ended = event(1, { type: 'run.ended', status: 'completed', reason: 'target reached' });
  const failed = evolution({ status: 'failed', reason: 'gave up' });
  await using api = await fakeApi(
    json(evolution(), 202),
    (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framesOf([ended])),
    json(over),
    json(evolution(), 202),
    (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framesOf([ended])),
    json(failed),
  );
  const client = createClient({ url: api.url, key: 'key' });
  expect(await grow(client, exploration(), silent)).toBeNull();
  expect(api.requests).toHaveLength(0);
  expect(await grow(client, chart.run, silent)).toEqual(over);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({ seed: 1, batch: 10 });
  await expect(grow(client, chart.run, silent)).rejects.toThrow('the evolution exp_1/evolutions/1 is failed: gave up');
});

test('the summary names what was set aside, lost and dropped, and what offline models are worth', () => {
  const text = summaryLines(chart, knowledge).join('\n');
  expect(text.indexOf('probe coverage')).toBeLessThan(text.indexOf('Chao1'));
  expect(text).toContain('so it overshoots (plainly: 12 tools make 132 pairs)');
  expect(text).toContain('Set aside, since drawn 10 times without a successful call: 1 tool (a/bad).');
  expect(text).toContain('Lost, since no drawn tools belonged together: 2 units.');
  expect(text).toContain('Dropped, since the way to a server or model broke: 1 unit.');
  expect(text).toContain('no evidence about models');
});
