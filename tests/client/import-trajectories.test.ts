import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { taskFormat } from '#core/benchmarks/file-formats.ts';
import { fakeApi, json, type Handler } from './fake-api.ts';
import { evaluation } from './records.ts';
import { runVerb } from './run-verb.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trajectories-'));
});
afterAll(() => rm(folder, { recursive: true }));

const unit = `u_${'a'.repeat(24)}`;
const tool = { name: 'disk/write', server: 'disk', domain: 'office', category: 'write', inputSchema: {} };
const benchmark: Handler = (_, response) => {
  const header = {
    type: 'benchmark',
    format: taskFormat,
    protocol: 'live-mcp-bench',
    name: 'LiveMCPBench',
    split: 'public',
    catalog: 'cat_1',
    explorations: [],
    seed: 1,
    privateShare: 0,
    offline: false,
    tools: 1,
    units: 1,
  };
  const task = {
    kind: 'task',
    id: unit,
    split: 'public',
    request: 'Do it.',
    keyPoints: [],
    chain: [],
    servers: [],
    provenance: { collection: 'LiveMCPBench', task: 't1', category: 'Office' },
  };
  response.end(
    [header, { type: 'tool', tool }, { type: 'unit', unit: task }].map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
};

test('published trajectories become an evaluation, the same one for the same file, and what cannot be read is named', async () => {
  const file = join(folder, 'claude.json');
  const messages = [
    { role: 'user', content: 'Do it.' },
    { role: 'assistant', content: 'Done.' },
  ];
  const published = [{ task_id: 't1', response: 'Done.', messages }, { task_id: 't2', messages: 'none' }, 7];
  await writeFile(file, JSON.stringify(published));
  const counts = { stored: 1, unchanged: 0, missing: 0, waiting: false };
  await using api = await fakeApi(
    benchmark,
    json(evaluation(), 202),
    json(counts),
    json({ ...counts, stored: 0 }),
    json(evaluation()),
  );
  const verb = ['import', 'live-mcp-bench-trajectories', file, '--benchmark', 'bm_1', '--agent', 'claude'];
  const { lines } = await runVerb(api, ...verb);
  expect(lines[0]).toMatch(/1 attempt new, 0 there before$/);
  expect(lines[1]).toMatch(/^unparsed: 2 \(t2 at 2: wrong at messages: .*, a trajectory at 3: /);
  const [, created, imported, completed] = api.requests;
  expect(JSON.parse(created?.body ?? '')).toMatchObject({
    benchmark: 'bm_1',
    protocol: 'live-mcp-bench',
    judges: false,
    agents: [{ name: 'claude', loop: 'uploaded', configuration: { model: null } }],
  });
  expect(JSON.parse(imported?.body ?? '')).toMatchObject({
    attempts: [{ unit, agent: 'claude', request: 'request', trace: { finalText: 'Done.', steps: [] } }],
  });
  expect(JSON.parse(completed?.body ?? '')).toEqual({ attempts: [], complete: true });

  await using again = await fakeApi(
    benchmark,
    json(evaluation(), 202),
    json({ ...counts, stored: 0, unchanged: 1 }),
    json(counts),
    json(evaluation()),
  );
  expect((await runVerb(again, ...verb)).lines[0]).toMatch(/0 attempts new, 1 there before$/);
  const key = (requests: typeof api.requests) => requests[1]?.headers['idempotency-key'];
  expect([key(api.requests), key(again.requests)]).toEqual([
    key(again.requests),
    expect.stringMatching(/^trajectories-/),
  ]);
});
