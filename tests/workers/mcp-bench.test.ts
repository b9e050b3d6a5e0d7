import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { benchmarkLine, benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { mcpBenchFormat } from '#core/benchmarks/formats/mcp-bench.ts';
import { askedFor, caseOf, evaluateToEnd, frozen, withRules, type TestBed } from '../support/evaluation.ts';
import { modelKey } from '../support/exploration.ts';
import type { Rule } from '../support/script.ts';
import { expectStatus } from '../support/workspace.ts';

/** Tasks of MCP-Bench, evaluated by the real workflow on scripted servers and models. */

const numbered = { type: 'object', properties: { n: { type: 'number' } } };
let bed: TestBed;
let file: string;
beforeAll(async () => {
  bed = await frozen(1, {
    servers: {
      fruit: { tools: ['apple', 'pear', 'plum'].map((name) => ({ name, inputSchema: numbered })) },
      herbs: { tools: ['dill', 'mint'].map((name) => ({ name, inputSchema: numbered })) },
    },
  });
  const exported = z.string().parse((await bed.workspace.get(`/v1/benchmarks/${bed.benchmark.id}/export`)).body);
  const tools = exported
    .trimEnd()
    .split('\n')
    .map((line) => benchmarkLine.parse(JSON.parse(line)))
    .flatMap((line) => (line.type === 'tool' ? [line.tool] : []));
  const both = {
    task_id: 'both',
    task_description: 'Count the apples, then the pears.',
    fuzzy_description: 'I wonder how much fruit I have.',
    dependency_analysis: 'Pears come after apples.',
  };
  const plain = { task_id: 'plain', task_description: 'Count apples and dill.' };
  const published = JSON.stringify({
    server_tasks: [
      { server_name: 'Fruit', tasks: [both] },
      { server_name: 'Fruit+Herbs', tasks: [plain] },
    ],
  });
  const made = await mcpBenchFormat.read(published, {
    name: 'tasks',
    protocol: 'mcp-bench',
    collection: 'MCP-Bench',
    catalog: bed.benchmark.catalog,
    tools,
  });
  if (!made.ok) throw new Error(made.problem);
  file = made.value.lines.map((line) => JSON.stringify(line)).join('\n');
});

const said = (contains: string, content: unknown): Rule => ({
  form: 'turn',
  contains,
  behaviour: { kind: 'content', content: typeof content === 'string' ? content : JSON.stringify(content) },
});
/** One round with a right call, one against the schema and one without a tool; then the answer. */
const rules: readonly Rule[] = [
  said('The calls and their results:', 'There is fruit.'),
  said('The results of round 1', { reasoning: 'that is all', continue: false, calls: [] }),
  said('in rounds', {
    reasoning: 'they are independent',
    continue: true,
    calls: [
      { tool: 'fruit/apple', arguments: { n: 1 } },
      { tool: 'fruit/pear', arguments: { n: 'one' } },
      { tool: 'fruit/none', arguments: {} },
    ],
  }),
];

test('tasks are asked in both wordings, planned, checked call by call and marked five times for each attempt', async () => {
  const headers = { 'content-type': 'text/jsonl' };
  const answer = await bed.workspace.post('/v1/benchmarks/import?floor=false', undefined, { raw: file, headers });
  const benchmark = benchmarkRecord.parse(expectStatus(answer, 201));
  expect(benchmark).toMatchObject({ protocol: 'mcp-bench', units: 2 });
  const ground = { ...(await withRules(bed, ...rules)), benchmark };
  const endpoint = { baseUrl: ground.model.baseUrl, apiKey: modelKey };
  const agents = [{ name: 'planner', model: 'planner', endpoint }];
  const { run, record, cases, results } = await evaluateToEnd(ground, [], { agents });
  expect(record).toMatchObject({
    protocol: 'mcp-bench',
    status: 'completed',
    agents: [{ loop: 'planning', mounting: { kind: 'distractors', servers: 10 } }],
    progress: { attempts: 3, made: 3 },
  });
  expect(cases.map(({ requests }) => requests).toSorted((a, b) => a.length - b.length)).toEqual([
    ['request'],
    ['request', 'fuzzy'],
  ]);
  const [both] = cases.filter(({ requests }) => requests.length === 2);
  const { traces } = await caseOf(ground, run, both?.id ?? '');
  for (const trace of Object.values(traces))
    expect(trace?.steps.map(({ form }) => form)).toEqual(['fits', 'violates', 'no-tool']);
  for (const { scores } of cases) {
    expect(scores.validnames?.value).toBeCloseTo(2 / 3);
    expect(scores.validarguments?.value).toBeCloseTo(1 / 2);
    expect(scores.rubric).toMatchObject({ value: expect.closeTo(0.8) });
    const byRules = (2 / 3 + 1 / 2 + (scores.callsuccess?.value ?? Number.NaN)) / 3;
    expect(scores.overall?.value).toBeCloseTo((byRules + 3 * 0.8) / 4);
    expect(scores.dependencies).toMatchObject({ value: null, reason: 'no-dependencies' });
    expect(scores.success).toMatchObject({ value: null, reason: 'not-asked' });
  }
  expect(results('planner').scores.overall).toMatchObject({ n: 2 });

  expect((await askedFor(ground))['rubric']).toBe(15);
  const asked = (await ground.model.asked()).filter(({ form }) => form === 'rubric');
  expect(new Set(asked.map(({ seed }) => seed)).size).toBe(15);
  const fuzzy = asked.map(({ messages }) => JSON.stringify(messages)).filter((text) => text.includes('I wonder'));
  expect(fuzzy).toHaveLength(5);
  for (const text of fuzzy)
    for (const part of ['Count the apples, then the pears.', 'Pears come after apples.', 'There is fruit.'])
      expect(text).toContain(part);
  expect(new Set(fuzzy).size).toBe(5);

  const groups = z
    .object({ items: z.array(z.object({ name: z.string(), units: z.int() })) })
    .parse((await ground.workspace.get(`/v1/evaluations/${run}/results/server-counts`)).body);
  expect(groups.items.map(({ name, units }) => [name, units])).toEqual([
    ['1', 1],
    ['2', 1],
  ]);
});
