import { scorersOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { createHash } from 'node:crypto';
import { listDemoTasks } from '../../client/demo/tasks.ts';
import { computeTauBMatrixOfRankings, type ProtocolComparison } from '../../client/demo/compare-protocols.ts';
import { protocolTableLines } from '../../client/demo/protocol-table.ts';
import { stripVTControlCharacters } from 'node:util';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { SubmissionState } from '#core/leaderboards/submissions/state.ts';
import { passageLine, type KnowledgeRecord } from '#core/similarity/knowledge/record.ts';
import { createClient } from '../../client/client.ts';
import type { Chart } from '../../client/demo/chart-servers.ts';
import { evolveRunIfUnitsAndBudgetLeft } from '../../client/demo/chart-servers.ts';
import { transitionHeatMapLines, shadeLevel } from '../../client/demo/heat-map.ts';
import { mapInParallel } from '../../client/map-in-parallel.ts';
import { createAndLoadDemoIndex } from '../../client/demo/knowledge.ts';
import { findFreePortsByName } from '../../engine/free-ports.ts';
import {
  leaderboardResultLines,
  openLeaderboardAndPublishAgents,
  type LeaderboardOutcome,
} from '../../client/demo/submit.ts';
import { demoResultJson, demoSummaryLines } from '../../client/demo/summary.ts';
import { makeProgressDisplay } from '../../client/progress/display.ts';
import { makeDrawingOfSubmissions } from '../../client/progress/submissions-drawing.ts';
import { leaderboard, rankedEntry, submission } from './board-records.ts';
import { fakeApi, json, type Handler } from './fake-api.ts';
import { agentResult, event, evolution, exploration, reading } from './records.ts';
import { framesOf } from './run-verb.ts';

const silent = { write: () => {} };
const knowledge = { index: 'kn_1', passages: 6_529, ms: 4_200 };
const counts = [
  { from: 'food', to: 'time', transitions: 16, observations: 20 },
  { from: 'time', to: 'time', transitions: 1, observations: 1 },
];

test('the heat map is drawn in numbers', () => {
  expect(transitionHeatMapLines(['food', 'time'], counts, 'numbers').slice(1)).toEqual([
    '         a  b',
    'a food   . 16',
    'b time   .  1',
  ]);
});

test('the shades of the heat map differ clearly, and the legend explains them', () => {
  const lines = transitionHeatMapLines(['food', 'time'], counts, 'shaded').map(stripVTControlCharacters);
  expect(lines.slice(1)).toEqual([
    '        a b',
    'a food  ·██',
    'b time  ·░░',
    '░░ 1   ▒▒ 2 to 4   ▓▓ 5 to 9   ██ 10 to 16',
  ]);
  expect([0, 1, 2, 4, 5, 9, 10, 16].map((count) => shadeLevel(count, 16))).toEqual([0, 1, 2, 2, 3, 3, 4, 4]);
});

test('a bounded number of tasks runs at once, with results in the order of the items', async () => {
  let [running, most] = [0, 0];
  const results = await mapInParallel([30, 1, 20, 5, 10], 2, async (ms) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, ms));
    running -= 1;
    return ms;
  });
  expect([results, most]).toEqual([[30, 1, 20, 5, 10], 2]);
});

test('free ports are distinct', async () => {
  const ports = await findFreePortsByName(['a', 'b', 'c']);
  expect(new Set(Object.values(ports)).size).toBe(3);
  expect(await findFreePortsByName(['a', 'b'], { a: ports.a })).toMatchObject({ a: ports.a });
  const listening = createServer().listen(ports.a, '127.0.0.1');
  await once(listening, 'listening');
  const others = await findFreePortsByName(['a'], { a: ports.a });
  listening.close();
  expect(others.a).not.toBe(ports.a);
  expect(others.a).toBeGreaterThan(0);
});

const chart: Chart = {
  catalog: {
    id: 'cat_1',
    servers: ['a', 'b', 'c'].map((name) => ({ id: name, name, domain: name === 'c' ? 'food' : 'time', tools: 4 })),
    tools: 12,
    categories: { read: 8, other: 4 },
    aboveLimit: 0,
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
    compared: 30,
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

const outcome: LeaderboardOutcome = {
  made: true,
  board: leaderboard(),
  submissions: [submission(), submission({ createdAt: '2026-01-01T00:00:10.000Z' })],
  ranked: [
    rankedEntry(1, { name: 'steady', publishedAt: '2026-01-01T00:01:30.500Z' }),
    rankedEntry(2, { name: 'hasty', costUsd: null, tokens: null, publishedAt: '2026-01-01T00:01:20.000Z' }),
  ],
};

const headline = (mean: number) => ({ mean, low: mean - 0.1, high: mean + 0.1, n: 10, unscored: 0 });
const comparison: ProtocolComparison = {
  rows: [
    {
      protocol: 'sgvef',
      mounting: 'standard',
      headlines: { steady: headline(0.9), hasty: headline(0.4), forgetful: headline(0.2) },
    },
    {
      protocol: 'live-mcp-bench',
      mounting: 'max-scale',
      headlines: { steady: headline(0.8), hasty: headline(0.1), forgetful: headline(0.5) },
    },
  ],
  ms: 61_000,
};

test('the agents are compared under each protocol, with how far the rankings agree', () => {
  const lines = protocolTableLines(comparison, 160);
  expect(lines.slice(0, 5)).toEqual([
    'The same agents under 2 protocols, in 1 min 01 s:',
    '',
    expect.stringMatching(/^ +protocol +mounting +headline +steady +hasty +forgetful$/),
    expect.stringMatching(
      /^1 +SGVEF +standard +success +0\.90 \[0\.80, 1\.00\] +0\.40 \[0\.30, 0\.50\] +0\.20 \[0\.10, 0\.30\]$/,
    ),
    expect.stringMatching(/^2 +LiveMCPBench +max-scale +success +0\.80 \[0\.70, 0\.90\] +0\.10 .* +0\.50 /),
  ]);
  expect(lines.slice(6, 10)).toEqual([
    'Tau-b between the rankings (1 alike, -1 reversed):',
    expect.stringMatching(/^ +1 +2$/),
    expect.stringMatching(/^1 +1\.00 +0\.33$/),
    expect.stringMatching(/^2 +0\.33 +1\.00$/),
  ]);
  expect(protocolTableLines(null, 160)).toEqual([]);
});

test('an agent without a headline takes no part in the agreement of rankings', () => {
  const [first, second] = comparison.rows;
  if (first === undefined || second === undefined) throw new Error('there are two rows');
  const unscored = { mean: null, low: null, high: null, n: 0, unscored: 10 };
  const half = { ...second, headlines: { ...second.headlines, hasty: unscored } };
  expect(computeTauBMatrixOfRankings([first, half])).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(computeTauBMatrixOfRankings([first, { ...half, headlines: { steady: unscored } }])[0]?.[1]).toBeNull();
});

test("the answers to the demo's tasks are right", () => {
  const digest = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
  const truths = new Set(listDemoTasks().map(({ truth }) => truth));
  for (const right of [
    digest('sha256', 'blue whale'),
    (7919).toString(16),
    encodeURIComponent('north/south pier'),
    digest('md5', Buffer.from('tide tables').toString('base64')),
    digest('sha256', '# Ideas'),
    digest('md5', 'gate * of pier *'),
    digest('sha1', '2028-02-14'),
  ])
    expect(truths).toContain(right);
});

test('the JSON line has what the API returned', () => {
  const line = (name: string, rank: number, costUsd: number | null, tokens: number | null) => ({
    name,
    rank,
    tier: 'service',
    units: 10,
    scores: Object.fromEntries(scorersOfProtocol('sgvef').map(({ key }) => [key, agentResult(name, 0.9).scores[key]])),
    costUsd,
    tokens,
  });
  expect(demoResultJson(chart, outcome, comparison, knowledge)).toEqual({
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
    allTransitions: {
      possible: 20_306,
      probes: 12,
      estimate: { from: 'recapture', value: 2403, low: 1788, high: 3981 },
      byProbesAlone: { value: 1400, low: 1310, high: 1700 },
    },
    probeCoverage: { value: 0.5, low: 0.31, high: 0.69, anytimeLow: 0.125 },
    tokens: 1140,
    benchmark: 'bm_1',
    file: '/tmp/benchmark.jsonl',
    leaderboard: {
      id: 'lb_1',
      benchmark: 'bm_1',
      url: 'http://127.0.0.1:8787/v1/leaderboards/lb_1/entries',
      page: 'http://127.0.0.1:8787/leaderboards/lb_1',
    },
    agents: [line('steady', 1, 0.25, 12_345), line('hasty', 2, null, null)],
    protocols: [
      { protocol: 'sgvef', mounting: 'standard', agent: 'steady', headline: headline(0.9) },
      { protocol: 'sgvef', mounting: 'standard', agent: 'hasty', headline: headline(0.4) },
      { protocol: 'sgvef', mounting: 'standard', agent: 'forgetful', headline: headline(0.2) },
      { protocol: 'live-mcp-bench', mounting: 'max-scale', agent: 'steady', headline: headline(0.8) },
      { protocol: 'live-mcp-bench', mounting: 'max-scale', agent: 'hasty', headline: headline(0.1) },
      { protocol: 'live-mcp-bench', mounting: 'max-scale', agent: 'forgetful', headline: headline(0.5) },
    ],
    rankingTauB: [
      [1, 1 / 3],
      [1 / 3, 1],
    ],
    seconds: { loading: 4.2, charting: 123.5, evolution: 40.25, evaluation: 90.5, protocols: 61 },
  });
});

test('the ranked table ends with where to see it again and what the order means', () => {
  const lines = leaderboardResultLines(outcome, 'npm start -- --folder somewhere', 160);
  expect(lines[0]).toBe('The leaderboard lb_1: 2 agents on 10 public units, in 1 min 31 s:');
  expect(lines.slice(2, 5).map((line) => line.slice(0, 21).trim())).toEqual([
    'rank  name    tier',
    '1     steady  service',
    '2     hasty   service',
  ]);
  expect(lines.join('\n')).toContain('skill is configured: their order calibrates the instrument and is no evidence');
  expect(lines.slice(-3)).toEqual([
    'The service is stopped now. To see the leaderboard again:',
    '  npm start -- --folder somewhere',
    '  http://127.0.0.1:8787/leaderboards/lb_1 for people, http://127.0.0.1:8787/v1/leaderboards/lb_1/entries for programs',
  ]);
});

/** An API with a leaderboard; `states` are what the submissions come to, by name. */
const boardApi = (publicUnits: number, states: Readonly<Record<string, SubmissionState>> = {}) => {
  const names: string[] = [];
  const recordOf = (id: string) => {
    const name = names[Number(id.slice(-1))] ?? '';
    return submission({ id, name, state: states[name] ?? 'published', reason: 'so it is' });
  };
  const answer: Handler = (request, response, body) => {
    const url = request.url ?? '';
    const post = request.method === 'POST';
    const id = /sub_\d/.exec(url)?.[0] ?? '';
    if (url === '/v1/benchmarks') return json({ ...chart.benchmark, publicUnits })(request, response, body);
    if (url === '/v1/leaderboards') return json(leaderboard())(request, response, body);
    if (url.startsWith('/v1/leaderboards'))
      return json({ items: [rankedEntry(1)], nextCursor: null, total: 1 })(request, response, body);
    if (url === '/v1/submissions' && post) {
      const { name } = z.object({ name: z.string() }).parse(JSON.parse(body));
      return json(recordOf(`sub_${names.push(name) - 1}`), 202)(request, response, body);
    }
    if (!url.endsWith('/events')) return json(recordOf(id))(request, response, body);
    const { state } = recordOf(id);
    const happened = [
      event(1, { type: 'submission.changed', state, reason: 'so it is' }),
      ...(state === 'moderation' ? [] : [event(2, { type: 'run.ended', status: 'completed', reason: '' })]),
    ];
    const frames = framesOf(happened);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // While a moderator is awaited, the stream continues.
    if (state === 'moderation') return void response.write(frames.slice(0, frames.indexOf('event: end')));
    return void response.end(frames);
  };
  return fakeApi(answer);
};

const dial = (api: { readonly url: string }, offline: boolean, said: string[] = []) =>
  openLeaderboardAndPublishAgents(
    createClient({ url: api.url, key: 'key' }),
    { id: 'exp_1' },
    { offline, seed: 7, progress: { write: (text) => said.push(text) } },
  );

test('the simulated agents are submitted to a leaderboard of a sample and watched until they are published', async () => {
  await using api = await boardApi(60);
  const said: string[] = [];
  const made = await dial(api, true, said);
  expect(made).toMatchObject({ made: true, board: { id: 'lb_1' }, ranked: [{ rank: 1 }] });
  const posted = api.requests.flatMap(({ line, body }) =>
    line.startsWith('POST') ? [[line.slice('POST /v1/'.length), JSON.parse(body)]] : [],
  );
  const agent = (name: string) => [
    'submissions',
    { tier: 'service', leaderboard: 'lb_1', name, agent: { model: `offline-${name}` } },
  ];
  expect(posted).toEqual([
    ['benchmarks', { explorations: ['exp_1'], name: 'demo leaderboard', seed: 7, privateShare: 0, sample: 60 }],
    ['leaderboards', { benchmark: 'bm_1', name: 'demo', trials: 1 }],
    agent('steady'),
    agent('hasty'),
    agent('forgetful'),
  ]);
  expect(said[0]).toBe('leaderboard lb_1: 10 public units of bm_1\n');
  expect(said.slice(1).toSorted()).toEqual([
    'submission sub_0 (steady, service): published (so it is)\n',
    'submission sub_1 (hasty, service): published (so it is)\n',
    'submission sub_2 (forgetful, service): published (so it is)\n',
  ]);
});

test.each(['rejected', 'moderation'] as const)('the demo stops if a submission is %s', async (state) => {
  await using api = await boardApi(60, { hasty: state });
  await expect(dial(api, true)).rejects.toThrow(`the submission hasty is ${state}: so it is`);
});

test.each([
  [false, 24, 'a real model is set up, and the demo measures the offline agents only'],
  [true, 0, 'its benchmark has no public units'],
])('nothing is submitted with offline: %s and public units: %i', async (offline, publicUnits, why) => {
  await using api = await boardApi(publicUnits);
  const none = await dial(api, offline);
  expect(none).toEqual({ made: false, why });
  expect(leaderboardResultLines(none, '', 80)).toEqual([`There is no leaderboard: ${why}.`]);
  expect(demoResultJson(chart, none, null, null)).toMatchObject({
    leaderboard: null,
    agents: [],
    seconds: { loading: 0, evaluation: 0 },
  });
});

test('on a terminal each submission has a line with its own progress', () => {
  const written: string[] = [];
  const sink = { isTTY: true, columns: 100, write: (text: string) => written.push(text) };
  const display = makeProgressDisplay(
    makeDrawingOfSubmissions([submission(), submission({ id: 'sub_2', name: 'hasty' })]),
    sink,
  );
  const progress = { attempts: 40, made: 10, notEvaluated: 0, relaunched: 0, units: 10, unitsDone: 2 };
  display.showEvent({ of: 1, happened: event(1, { type: 'submission.progressed', progress }) });
  display.end();
  const rows = written.at(-1)?.split('\n') ?? [];
  expect(rows.filter((row) => row.includes('attempts')).map((row) => row.replace(/.*[█░] /, ''))).toEqual([
    'none yet',
    '10 of 40 attempts',
  ]);
});

test('the summary shows grounding, variants, units that wait for a reviewer, and durations', () => {
  const lines = demoSummaryLines(chart, knowledge);
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
  const without = demoSummaryLines(bare, null);
  expect(without.some((line) => /^(variants|kept) /.test(line))).toBe(false);
  expect(without).toEqual(
    expect.arrayContaining([
      'grounding       no index of facts',
      'spent           1,034 tokens, $0.00, 2 min 04 s of charting',
    ]),
  );
  expect(demoResultJson(bare, { made: false, why: '' }, null, null)).toMatchObject({
    evolved: 0,
    duplicatesDropped: 0,
    seconds: { loading: 0, charting: 123.5, evolution: 0 },
  });
});

test('the summary is broken between words where the terminal is narrow, and what follows is indented', () => {
  const lines = demoSummaryLines(chart, knowledge, 60);
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  const at = lines.findIndex((line) => line.startsWith('variants '));
  expect(lines[at + 1]).toMatch(/^ {16}\S/);
});

test('the passages in the repository are loaded with their vectors', async () => {
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
  const loaded = await createAndLoadDemoIndex(client, { write: (text) => said.push(text) });
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

test('a run is evolved with its own seed and batch, but not without accepted units', async () => {
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
  expect(await evolveRunIfUnitsAndBudgetLeft(client, exploration(), silent)).toBeNull();
  expect(api.requests).toHaveLength(0);
  expect(await evolveRunIfUnitsAndBudgetLeft(client, chart.run, silent)).toEqual(over);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({ seed: 1, batch: 10 });
  await expect(evolveRunIfUnitsAndBudgetLeft(client, chart.run, silent)).rejects.toThrow(
    'the evolution exp_1/evolutions/1 is failed: gave up',
  );
});

test('an evolution may spend what the exploration left of the budget, and there is none if nothing is left', async () => {
  const ended = event(1, { type: 'run.ended', status: 'completed', reason: 'target reached' });
  await using api = await fakeApi(
    json(evolution(), 202),
    (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framesOf([ended])),
    json(evolution({ status: 'completed', reason: 'target reached' })),
  );
  const client = createClient({ url: api.url, key: 'key' });
  const { run } = chart;
  const limited = (costUsd: number) => ({
    ...run,
    config: { ...run.config, budget: { ...run.config.budget, costUsd: 2 } },
    usage: { ...run.usage, costUsd },
  });
  expect(await evolveRunIfUnitsAndBudgetLeft(client, limited(2), silent)).toBeNull();
  expect(api.requests).toHaveLength(0);
  await evolveRunIfUnitsAndBudgetLeft(client, limited(0.5), silent);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toMatchObject({ budget: { costUsd: 1.5 } });
});

test('the summary counts set-aside, lost and dropped units, and says what offline models are worth', () => {
  const text = demoSummaryLines(chart, knowledge).join('\n');
  expect(text).toContain('about 2,400 transitions in all, 1,800 to 4,000: counts those not found as no rarer');
  expect(text).not.toContain('Chao1');
  expect(text).toContain('Set aside, since drawn 10 times without a successful call: 1 tool (a/bad).');
  expect(text).toContain('Lost, since no drawn tools belonged together: 2 units.');
  expect(text).toContain('Dropped, since the way to a server or model broke: 1 unit.');
  expect(text).toContain('no evidence about models');
});
