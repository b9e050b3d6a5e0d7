import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { fakeApi, json, problem, type FakeApi, type Handler } from './fake-api.ts';
import { catalog, server } from './listed-server.ts';
import { evaluation, event, exploration } from './records.ts';
import { framesOf, runVerb } from './run-verb.ts';
import { writeServerFile } from './server-file.ts';
import { report } from './tool-reports.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
  file = writeServerFile(folder, { files: 'files' });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tool = {
  name: 'files/read',
  server: 'files',
  domain: 'general',
  category: 'other',
  inputSchema: { type: 'object' },
  effect: 'reads',
};
const benchmark = {
  id: 'bm_1',
  format: 1,
  name: 'check',
  catalog: 'cat_1',
  seed: 1,
  privateShare: 0,
  offline: false,
  explorations: ['exp_1'],
  split: 'all',
  tools: 1,
  units: 8,
  publicUnits: 8,
  privateUnits: 0,
  createdAt: '2026-01-01T00:00:00Z',
};
const ended: Handler = (_, response) =>
  void response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end(framesOf([event(1, { type: 'run.ended', status: 'completed', reason: 'done' })]));
const checked = (verdict: 'works' | 'refused', priced: boolean) => ({
  works: verdict === 'works',
  models: [
    {
      roles: ['agent'],
      kind: 'turn',
      model: 'gpt-5',
      host: 'models.example.com',
      wire: 'chat',
      verdict,
      detail: verdict === 'works' ? null : 'the key is wrong',
      structuredOutput: null,
      functions: { offered: 1, called: true },
      adaptations: [],
      listed: true,
      nearest: [],
      priced,
      usage: { calls: 1, promptTokens: 1, completionTokens: 1, costUsd: 0 },
    },
  ],
});

interface Service {
  readonly explored?: Partial<ExplorationRecord>;
  readonly models?: ReturnType<typeof checked>;
  readonly offline?: boolean;
  readonly isFreezeRefused?: boolean;
}

/** A service that answers by what is asked for. */
const serviceOf = ({
  explored = {},
  models = checked('works', true),
  offline = false,
  isFreezeRefused = false,
}: Service = {}) => {
  const accepted = { accepted: 8, review: 0, rejected: 0, lost: 0, dropped: 0, probes: 0 };
  const run = exploration({
    status: 'completed',
    offline,
    units: accepted,
    usage: { calls: 9, promptTokens: 1, completionTokens: 1, costUsd: 0.5 },
    ...explored,
  });
  const evaluated = evaluation({ status: 'completed', offline });
  const answers: readonly (readonly [RegExp, Handler])[] = [
    [/^GET \/health/, json({ offline })],
    [/^POST \/v1\/models\/check/, json(models)],
    [/^POST \/v1\/servers/, json({ ...server, tools: 1 }, 201)],
    [/^GET \/v1\/servers/, json({ server, functionSchemas: [], tools: [tool] })],
    [/^POST \/v1\/catalogs/, json(catalog, 201)],
    [/^POST \/v1\/benchmarks/, isFreezeRefused ? problem(409, 'nothing-to-freeze') : json(benchmark, 201)],
    [/\/events/, ended],
    [/\/tools\?agent=hasty/, json({ ...report, confusions: [] })],
    [/\/tools/, json(report)],
    [/\/v1\/explorations/, json(run, 202)],
    [/\/v1\/evaluations/, json(evaluated, 202)],
  ];
  return fakeApi((request, response, body) => {
    const found = answers.find(([asked]) => asked.test(`${request.method} ${request.url}`));
    if (found === undefined) throw new Error(`nobody answers ${request.method} ${request.url}`);
    return found[1](request, response, body);
  });
};

const line = () => [
  'check',
  file,
  '--static',
  '--agent',
  'steady=gpt-5',
  '--agent',
  'hasty=gpt-5-mini',
  '--base-url',
  'https://models.example.com/v1',
];

const bodyOf = (api: FakeApi, start: string): unknown => {
  const found = api.requests.find((each) => each.line.startsWith(start));
  return found === undefined ? null : JSON.parse(found.body);
};

test('"check" lets given models work on the accepted units, within what the exploration left of the money', async () => {
  await using api = await serviceOf();
  const { lines } = await runVerb(api, ...line(), '--max-cost', '2', '--sample', '5');
  expect(api.requests[0]?.line).toBe('POST /v1/models/check');
  expect(bodyOf(api, 'POST /v1/explorations')).toMatchObject({ budget: { rounds: 3, costUsd: 1 } });
  expect(bodyOf(api, 'POST /v1/benchmarks')).toMatchObject({
    explorations: ['exp_1'],
    privateShare: 0,
    unproven: 'keep',
    floor: false,
  });
  expect(bodyOf(api, 'POST /v1/evaluations')).toMatchObject({
    benchmark: 'bm_1',
    agents: [
      { name: 'steady', model: 'gpt-5', endpoint: { baseUrl: 'https://models.example.com/v1' } },
      { name: 'hasty', model: 'gpt-5-mini' },
    ],
    sample: { units: 5, seed: 1 },
    judges: false,
    budget: { costUsd: 1.5 },
  });
  const text = lines.join('\n');
  expect(text).toContain('steady (offline-steady):\n1 of 3 tools work for agents');
  expect(text).toContain('hasty (offline-hasty):\n1 of 3 tools work for agents');
  expect(text.match(/called in place of/g)).toHaveLength(1);
  expect(text.match(/the list is long/g)).toHaveLength(1);
  expect(text.match(/6 of 6 calls failed/g)).toHaveLength(2);
});

test('"check" leaves all of the money to exploring where no agent needs any', async () => {
  await using api = await serviceOf();
  await runVerb(api, 'check', file, '--static', '--units', '30', '--max-cost', '2');
  expect(bodyOf(api, 'POST /v1/explorations')).toMatchObject({ budget: { costUsd: 2 } });
});

test('"check" with models takes no more units than there are, and no limit in dollars unless one is given', async () => {
  await using api = await serviceOf();
  await runVerb(api, ...line(), '--sample', '50');
  expect(bodyOf(api, 'POST /v1/evaluations')).toMatchObject({ sample: { units: 8 }, budget: {} });
});

test('"check" with models has a verdict for each agent in its JSON and in its files', async () => {
  await using api = await serviceOf();
  const junit = join(folder, 'check.xml');
  const { lines } = await runVerb(api, ...line(), '--json', '--junit', junit);
  const value: unknown = JSON.parse(lines.join(''));
  expect(value).toMatchObject({
    exploration: { id: 'exp_1', status: 'completed' },
    evaluation: { id: 'evl_1', status: 'completed', agents: [{ name: 'steady', report }, { name: 'hasty' }] },
  });
  const xml = readFileSync(junit, 'utf8');
  expect(xml).toContain('<testsuite name="sextant: tools of hasty (offline-hasty)" tests="3" failures="1"');
});

test('"check" says that rules wrote the requests, where they did', async () => {
  await using api = await serviceOf({ offline: true });
  const markdown = join(folder, 'check.md');
  const { lines } = await runVerb(api, ...line(), '--max-cost', '2', '--markdown', markdown);
  const said = 'Rules, not a model, wrote the requests that the agents got.';
  expect(lines).toContain(said);
  expect(readFileSync(markdown, 'utf8').split('\n')).toContain(`> ${said}`);
});

test('rules cost nothing, so "check" bounds only what costs', async () => {
  await using api = await serviceOf({ offline: true, explored: { usage: exploration().usage } });
  await runVerb(api, ...line(), '--max-cost', '2');
  expect(bodyOf(api, 'POST /v1/explorations')).toMatchObject({ budget: { rounds: 3 } });
  expect(bodyOf(api, 'POST /v1/evaluations')).toMatchObject({ budget: { costUsd: 2 } });
  await using rules = await serviceOf({ offline: true, explored: { usage: exploration().usage } });
  await runVerb(rules, 'check', file, '--static', '--agent', 'a=offline-steady', '--max-cost', '2');
  expect(bodyOf(rules, 'POST /v1/evaluations')).toMatchObject({ budget: {} });
});

test('"check" refuses a model that cannot work, or has no price under a limit, before it registers a server', async () => {
  await using broken = await serviceOf({ models: checked('refused', true) });
  await expect(runVerb(broken, ...line())).rejects.toThrow(
    'the agent steady cannot work: agent: gpt-5 at models.example.com cannot be used: the key is wrong.',
  );
  await using unpriced = await serviceOf({ models: checked('works', false) });
  await expect(runVerb(unpriced, ...line(), '--max-cost', '2')).rejects.toThrow('gpt-5 has no price');
  for (const api of [broken, unpriced]) expect(bodyOf(api, 'POST /v1/servers')).toBeNull();
});

test('"check" refuses options of agents where no agent is named', async () => {
  await using api = await serviceOf();
  await expect(runVerb(api, 'check', file, '--sample', '5')).rejects.toThrow('give --agent NAME=MODEL too');
  await expect(runVerb(api, 'check', file, '--max-cost', '5')).rejects.toThrow('give --agent NAME=MODEL or --units');
  await expect(runVerb(api, 'check', file, '--base-url', 'https://m.example.com/v1')).rejects.toThrow('name an agent');
  await expect(runVerb(api, 'check', file, '--external-agent', 'mine')).rejects.toThrow('--external-agent');
  expect(api.requests).toHaveLength(0);
});

test('"check" shows what the exploration found and fails if the agents got nothing to work on', async () => {
  const none = { accepted: 0, review: 0, rejected: 3, lost: 0, dropped: 0, probes: 0 };
  await using empty = await serviceOf({ explored: { units: none } });
  const markdown = join(folder, 'check.md');
  await expect(runVerb(empty, ...line(), '--markdown', markdown)).rejects.toThrow(
    'no agent worked on the units: the exploration accepted no unit',
  );
  expect(readFileSync(markdown, 'utf8')).toContain('1 of 3 tools work for agents');
  await using spent = await serviceOf();
  await expect(runVerb(spent, ...line(), '--max-cost', '0.5')).rejects.toThrow('the exploration used up --max-cost');
  await using refused = await serviceOf({ isFreezeRefused: true });
  await expect(runVerb(refused, ...line(), '--markdown', markdown)).rejects.toThrow(
    /no agent worked on the units: .*detail of nothing-to-freeze/,
  );
  expect(readFileSync(markdown, 'utf8')).toContain('1 of 3 tools work for agents');
  for (const api of [empty, spent, refused]) expect(bodyOf(api, 'POST /v1/evaluations')).toBeNull();
});
