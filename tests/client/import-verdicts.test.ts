import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TaskUnit } from '#core/units/task-unit.ts';
import { finished } from '../unit/evaluation/cases.ts';
import { fakeApi, json } from './fake-api.ts';
import { evaluation } from './records.ts';
import { runVerb } from './run-verb.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verdicts-'));
});
afterAll(() => rm(folder, { recursive: true }));

const unit = `u_${'a'.repeat(24)}`;
const task: TaskUnit = {
  kind: 'task',
  id: unit,
  split: 'public',
  request: 'Do it.',
  keyPoints: [],
  chain: [],
  servers: [],
  provenance: { collection: 'LiveMCPBench', task: 't1', category: 'Office' },
};
const page = (item: unknown) => json({ items: [item], nextCursor: null });
const attempt = finished({ unit, agent: 'steady' }, { tools: ['fruit/apple'] });
const [request] = attempt.requests;

test('published verdicts become votes of a judge on an agent, and what is no verdict is named', async () => {
  const file = join(folder, 'judge.json');
  await writeFile(
    file,
    JSON.stringify([
      { task_id: 't1', judge: 'It had some success.' },
      { task_id: 't2', judge: 'failure' },
    ]),
  );
  await using api = await fakeApi(json(evaluation()), page(task), page(attempt), json({ stored: 1, unchanged: 0 }));
  const verb = ['import', 'live-mcp-bench-votes', 'evl_1', file, '--agent', 'steady', '--judge', 'gpt', '--json'];
  const { lines } = await runVerb(api, ...verb);
  expect(JSON.parse(lines[0] ?? '')).toEqual({ votes: 1, unparsed: ['t1 at 1'], unmatched: ['t2 at 2'] });
  expect(JSON.parse(api.requests.at(-1)?.body ?? '')).toEqual({
    judge: 'gpt',
    votes: [{ unit, agent: 'steady', trial: 1, request, verdict: null, why: '' }],
  });
});

test('published annotation becomes labels', async () => {
  const file = join(folder, 'human.json');
  await writeFile(file, JSON.stringify([{ task_id: 't1', task_success: 'failure' }]));
  await using api = await fakeApi(json(evaluation()), page(task), page(attempt), json({ stored: 1, unchanged: 0 }));
  const verb = ['import', 'live-mcp-bench-labels', 'evl_1', file, '--agent', 'steady', '--labeller', 'published'];
  expect((await runVerb(api, ...verb)).lines).toEqual(['1 label']);
  expect(JSON.parse(api.requests.at(-1)?.body ?? '')).toMatchObject({
    labeller: 'published',
    labels: [{ unit, verdict: 'failure' }],
  });
});
