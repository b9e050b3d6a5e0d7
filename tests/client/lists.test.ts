import { expect, test } from 'vitest';
import { newCase, type EvaluationCase } from '#core/evaluation/case.ts';
import { findCaseOutcome } from '#core/evaluation/case-outcome.ts';
import { fakeApi, json } from './fake-api.ts';
import { server } from './listed-server.ts';
import { evaluation, evolution, exploration } from './records.ts';
import { runVerb } from './run-verb.ts';

const cellsOf = (line: string | undefined): string[] => (line ?? '').split(/ {2,}/);

test('the latest explorations are listed with name, state and counts', async () => {
  const items = ['exp_2', 'exp_1'].map((id) => ({ id, createdAt: 'then' }));
  const units = { accepted: 28, review: 1, rejected: 2, lost: 0, dropped: 0, probes: 3 };
  await using api = await fakeApi(
    json({ items }),
    json(exploration({ id: 'exp_2', name: 'second', units, transitions: 41 })),
    json(exploration({ id: 'exp_1', status: 'completed' })),
  );
  const { lines } = await runVerb(api, 'explorations', 'list', '--limit', '2');
  expect(api.requests[0]?.line).toBe('GET /v1/explorations?order=latest&limit=2');
  expect(cellsOf(lines[0]).slice(0, 7)).toEqual(['id', 'name', 'state', 'rounds', 'accepted', 'review', 'transitions']);
  expect(lines[1]).toMatch(/^exp_2 +second +running +0 +28 +1 +41 /);
  expect(lines[2]).toMatch(/^exp_1 +completed +0 +0 /);
});

test('the latest evaluations are listed with their agents and how far they are', async () => {
  const progress = { attempts: 40, made: 8, notEvaluated: 1, relaunched: 0, units: 1200, unitsDone: 2 };
  await using api = await fakeApi(
    json({ items: [{ id: 'evl_1', createdAt: 'then' }] }),
    json(evaluation({ progress })),
  );
  const { lines } = await runVerb(api, 'evaluations', 'list');
  expect(lines[1]).toMatch(/^evl_1 +running +2 of 1,200 +steady, hasty +1 +bm_1 +\$0\.00 +offline /);
});

test('an empty list says how to fill it', async () => {
  await using api = await fakeApi(json({ items: [] }));
  const { lines, notes } = await runVerb(api, 'evaluations', 'list');
  expect(lines).toEqual([]);
  expect(notes).toContain('evaluate --benchmark bm_... --agent NAME=MODEL');
});

test('a run is shown with its state and counts, and tools that are set aside are named', async () => {
  await using api = await fakeApi(
    json(exploration({ status: 'completed', reason: 'budget: rounds used up', setAside: ['x/y', 'x/\u001b[31mz'] })),
    json(evaluation({ status: 'failed', reason: 'out of money' })),
    json({ items: [evolution({ number: 2, target: 9 })] }),
  );
  const shown = (await runVerb(api, 'explorations', 'show', 'exp_1')).lines;
  expect(shown).toContain('state           completed (budget: rounds used up)');
  expect(shown).toContain('set aside       x/y, x/[31mz');
  const evaluated = (await runVerb(api, 'evaluations', 'show', 'evl_1')).lines;
  expect(evaluated).toContain('state       failed (out of money)');
  expect(evaluated).toContain('agent steady: function-calling, offline-steady');
  expect((await runVerb(api, 'evolutions', 'list', 'exp_1')).lines[1]).toMatch(/^exp_1\/evolutions\/2 +running +0 +9 /);
});

const tool = {
  name: 'calc/add',
  server: 'calc',
  domain: 'computing',
  category: 'compute',
  effect: 'reads',
  description: 'Adds\nnumbers',
  inputSchema: { type: 'object' },
};

test('a server and a catalog are shown with their tools', async () => {
  const found = { server, functionSchemas: [], tools: [tool] };
  const catalog = { id: 'cat_1', servers: [], tools: 1, categories: {}, createdAt: 'then' };
  await using api = await fakeApi(
    json({ items: [server], nextCursor: null }),
    json(found),
    json({ catalog, tools: [tool] }),
    json({ catalog, tools: [tool] }),
  );
  const { lines } = await runVerb(api, 'servers', 'show', server.name);
  expect(api.requests[1]?.line).toBe(`GET /v1/servers/${server.id}`);
  expect(lines).toContain('calc/add  reads   compute   Adds numbers');
  expect((await runVerb(api, 'catalogs', 'show', 'cat_1')).lines[1]).toBe('calc/add  reads   compute   Adds numbers');
  const [line = ''] = (await runVerb(api, 'catalogs', 'show', 'cat_1', '--json')).lines;
  expect(JSON.parse(line)).toMatchObject({ tools: [{ name: 'calc/add', inputSchema: { type: 'object' } }] });
});

test('transitions are a table, JSON or CSV, in which a name is no formula', async () => {
  const items = [{ from: '=x/a', to: 'x/b', executed: 3, expected: 2, valuePassed: 1 }];
  await using api = await fakeApi(json({ items, nextCursor: null }));
  expect((await runVerb(api, 'transitions', 'exp_1')).lines[1]).toMatch(/^=x\/a +x\/b +3 +2 +1$/);
  expect((await runVerb(api, 'transitions', 'exp_1', '--json')).lines).toEqual([JSON.stringify(items[0])]);
  expect((await runVerb(api, 'transitions', 'exp_1', '--csv')).lines).toEqual([
    'from,to,executed,expected,value passed\r',
    "'=x/a,x/b,3,2,1\r",
  ]);
});

test('the readings of the rounds are CSV with a column for each figure, empty where it is unknown', async () => {
  const reading = {
    round: 1,
    units: { accepted: 9, review: 1, rejected: 0, lost: 0, dropped: 0, probes: 1 },
    probeCoverage: null,
    transitions: 12,
    n: 20,
    f1: 8,
    f2: 3,
    f3: 1,
    f1ToF3: 8,
    f2ToF3: 3,
    valuesPassed: 4,
    chao1: { estimate: 22.5, standardError: 6, low: 15, high: 40 },
    sampleCoverage: 0.6,
    transitionCoverage: null,
    nodeCoverage: { value: 0.5, covered: 3, of: 6, setAside: 2 },
  };
  await using api = await fakeApi(json({ items: [reading], nextCursor: null }));
  const [titles = '', values = ''] = (await runVerb(api, 'richness', 'exp_1', '--csv')).lines.map((line) =>
    line.trim(),
  );
  const row = new Map(titles.split(',').map((title, index) => [title, values.split(',')[index]]));
  expect(row.get('probe_coverage')).toBe('');
  // Made by an earlier release, which had no estimate that never exceeds what can exist.
  expect(row.get('all_transitions')).toBe('');
  // A tool that is set aside stays among the tools.
  expect(row.get('tools')).toBe('8');
  expect((await runVerb(api, 'richness', 'exp_1')).lines).toHaveLength(2);
});

const made = (success: number | null, evaluated = true): EvaluationCase => {
  const open = newCase({ id: 'c', unit: 'u', agent: 'a', trial: 1, requests: ['source'] });
  const score =
    success === null
      ? { value: null, reason: 'judge-unparsed', explanation: '', parts: {} }
      : { value: success, explanation: '', parts: {} };
  const attempt: unknown = { evaluated, scores: { success: score }, calls: [] };
  return Object.assign(open, { stage: { kind: 'done' }, attempts: { source: attempt } });
};

test('a case failed if the verdict on one of its attempts is no success', () => {
  expect(findCaseOutcome(made(1), 'sgvef')).toBe('passed');
  expect(findCaseOutcome(made(0), 'sgvef')).toBe('failed');
  expect(findCaseOutcome(made(null), 'sgvef')).toBe('unscored');
  expect(findCaseOutcome(made(0, false), 'sgvef')).toBe('not-evaluated');
  expect(findCaseOutcome(newCase({ id: 'c', unit: 'u', agent: 'a', trial: 1, requests: ['source'] }), 'sgvef')).toBe(
    'under-way',
  );
});

test('"cases" passes its filters to the API, and a refusal on', async () => {
  await using api = await fakeApi(
    json(evaluation()),
    json({ items: [], nextCursor: 'u.a.01' }),
    json({ items: [], nextCursor: null }),
    json(evaluation()),
    json(
      {
        type: 'about:blank',
        title: 'none',
        status: 404,
        code: 'not-found',
        detail: 'there is no agent c in it; it has a',
      },
      404,
    ),
  );
  const filters = [
    '--failed',
    '--agent',
    'a',
    '--unit',
    'u',
    '--tool',
    'fruit/apple',
    '--failure',
    'syntactic-malformation',
  ];
  const { notes } = await runVerb(api, 'cases', 'evl_1', ...filters);
  expect(notes).toContain('there are no such cases');
  const query = 'outcome=failed&agent=a&unit=u&tool=fruit%2Fapple&failure=syntactic-malformation';
  expect(api.requests.map(({ line }) => line).slice(1)).toEqual([
    `GET /v1/evaluations/evl_1/cases?${query}`,
    `GET /v1/evaluations/evl_1/cases?${query}&cursor=u.a.01`,
  ]);
  await expect(runVerb(api, 'cases', 'evl_1', '--agent', 'c')).rejects.toThrow('it has a');
});

test('"cases" refuses filters that exclude each other, and a class of failure that there is not', async () => {
  await using api = await fakeApi();
  await expect(runVerb(api, 'cases', 'evl_1', '--failed', '--not-evaluated')).rejects.toThrow('give one of');
  await expect(runVerb(api, 'cases', 'evl_1', '--failure', 'bad')).rejects.toThrow('invalid-artifact-reference');
  expect(api.requests).toEqual([]);
});
