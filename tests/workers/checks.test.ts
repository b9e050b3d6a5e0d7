import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { benchmarkLine, benchmarkRecord, type BenchmarkLine } from '#core/benchmarks/benchmark.ts';
import type { Check } from '#core/traces/checks/check.ts';
import { makeTaskBenchmarkLines, makeUnitsWithoutRepeats, type NewTask } from '#core/benchmarks/formats/task-format.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';
import { leaderboardRecord } from '#core/leaderboards/record.ts';
import { rankedEntries, received, serviceBody, settled, submitter, uploadTraces } from '../support/board.ts';
import { askedFor, caseOf, evaluateToEnd, frozen, withRules, type TestBed } from '../support/evaluation.ts';
import type { Rule } from '../support/script.ts';
import { call, expectStatus, problemOf } from '../support/workspace.ts';

/** Tasks of mcp-verse, evaluated by the real workflow on scripted servers and models. */

let bed: TestBed;
let tools: Tool[];
let first: Tool;
/** Arguments that the first tool takes. */
let args: Record<string, string>;
beforeAll(async () => {
  bed = await frozen(1);
  const file = z.string().parse((await bed.workspace.get(`/v1/benchmarks/${bed.benchmark.id}/export`)).body);
  const lines: BenchmarkLine[] = file
    .trimEnd()
    .split('\n')
    .map((line) => benchmarkLine.parse(JSON.parse(line)));
  tools = lines.flatMap((line) => (line.type === 'tool' ? [line.tool] : []));
  const [found] = tools;
  if (found === undefined) throw new Error('the benchmark has tools');
  first = found;
  const required = z.array(z.string()).catch([]).parse(first.inputSchema['required']);
  args = Object.fromEntries(required.map((name) => [name, 'R1']));
});

const taskOf = (name: string, more: Partial<NewTask>): NewTask => ({
  kind: 'task',
  request: `Please do ${tools
    .slice(0, 2)
    .map((tool) => toolNameWithoutServer(tool.name))
    .join(', ')} (${name}).`,
  keyPoints: [],
  chain: tools.slice(0, 2).map((tool) => tool.name),
  servers: [],
  provenance: { collection: 'ours', task: name, category: '' },
  ...more,
});

const after = (more: Partial<Extract<Check, { when: 'after' }>> = {}): Check => ({
  when: 'after',
  tool: first.name,
  arguments: args,
  expect: { kind: 'match', pattern: '.' },
  ...more,
});

/** Imports tasks as a benchmark. */
async function importTasks(tasks: readonly NewTask[]) {
  const { catalog } = bed.benchmark;
  const { units } = await makeUnitsWithoutRepeats(tasks);
  const lines = makeTaskBenchmarkLines(units, {
    name: 'verse',
    protocol: 'mcp-verse',
    collection: 'MCPVerse',
    catalog,
    tools,
  });
  const imported = await bed.workspace.post('/v1/benchmarks/import?floor=false', undefined, {
    raw: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { 'content-type': 'text/jsonl' },
  });
  const benchmark = benchmarkRecord.parse(expectStatus(imported, 201));
  return { units, benchmark };
}

async function evaluateTasks(tasks: readonly NewTask[], ...rules: readonly Rule[]) {
  const { units, benchmark } = await importTasks(tasks);
  const ground = { ...(await withRules(bed, ...rules)), benchmark };
  const evaluated = await evaluateToEnd(ground, ['steady']);
  const names = new Map(units.map((unit) => [unit.id, unit.provenance.task]));
  const byTask = new Map(evaluated.cases.map((each) => [names.get(each.unit), each]));
  const outcomeOf = (name: string) => byTask.get(name)?.attempts['request']?.scores.outcome;
  return { ...evaluated, ground, byTask, outcomeOf };
}

describe('an evaluation after mcp-verse', () => {
  test('scores outcomes by a right answer or by checks, and leaves what cannot be checked unscored', async () => {
    const { record, run, ground, byTask, outcomeOf, results } = await evaluateTasks([
      taskOf('text', { truth: 'It is done.', level: 1 }),
      taskOf('holds', { checks: [after()], level: 2 }),
      taskOf('fails', { checks: [after(), after({ expect: { kind: 'equal', value: 'never' } })], level: 2 }),
      taskOf('unknown', { checks: [after(), after({ tool: `${first.server}/no-such-tool` })], level: 3 }),
      taskOf('stated', { checks: [{ when: 'before', tool: first.name, arguments: args, state: { kind: 'contain' } }] }),
      taskOf('none', {}),
    ]);
    expect(record).toMatchObject({ status: 'completed', protocol: 'mcp-verse' });
    expect(outcomeOf('text')).toMatchObject({ value: 1 });
    expect(outcomeOf('holds')).toMatchObject({ value: 1, parts: { held: [true] } });
    expect(outcomeOf('fails')).toMatchObject({ value: 0, parts: { held: [true, false] } });
    expect(outcomeOf('unknown')).toMatchObject({ value: null, reason: 'checks-not-run' });
    // The scripted agent says "It is done.", which is not what the tool returned before.
    expect(outcomeOf('stated')).toMatchObject({ value: 0 });
    expect(outcomeOf('none')).toMatchObject({ value: null, reason: 'no-truth' });
    expect(results('steady').scores.outcome).toMatchObject({ n: 4, mean: 0.5, unscored: 2 });
    // One judge for the one text; checks ask nobody.
    expect(await askedFor(ground)).toMatchObject({ outcome: 1 });
    expect((await askedFor(ground))['success']).toBeUndefined();
    // Their calls are not the agent's.
    const steps = async (name: string) =>
      (await caseOf(ground, run, byTask.get(name)?.id ?? '')).traces['request']?.steps.map(({ tool }) => tool);
    expect(await steps('fails')).toEqual(await steps('none'));
    const levels = await ground.workspace.get(`/v1/evaluations/${record.id}/results/levels`);
    const groups = z
      .object({ items: z.array(z.looseObject({ name: z.string(), units: z.number() })) })
      .parse(levels.body);
    expect(groups.items.map(({ name, units }) => [name, units])).toEqual([
      ['1', 1],
      ['2', 2],
      ['3', 1],
      ['unknown', 2],
    ]);
  });

  test('continues without functions where the endpoint takes too few of them, and says so', async () => {
    const cap = { kind: 'status', status: 400, code: 'array_above_max_length', param: 'tools' } as const;
    const { run, ground, byTask, outcomeOf, results } = await evaluateTasks(
      [taskOf('capped', { checks: [after()] })],
      { form: 'turn', times: 1, behaviour: cap },
      { form: 'turn', behaviour: { kind: 'content', content: '{"answer": "It is done."}' } },
    );
    expect(outcomeOf('capped')).toMatchObject({ value: 1, parts: { fellBack: true, fromMemory: true } });
    const trace = (await caseOf(ground, run, byTask.get('capped')?.id ?? '')).traces['request'];
    expect(trace).toMatchObject({ end: 'answered', finalText: 'It is done.', fellBack: 'prompted-calling' });
    const turns = (await ground.model.asked()).filter(({ form }) => form === 'turn');
    expect(turns.map(({ functions }) => functions.length > 0)).toEqual([true, false]);
    expect(results('steady')).toMatchObject({ relaunched: 0, notEvaluated: 0 });
  });

  test("counts a conversation that is too long for the model as the agent's result", async () => {
    const overflow = { kind: 'status', status: 400, code: 'context_length_exceeded' } as const;
    const { outcomeOf } = await evaluateTasks([taskOf('long', { truth: 'It is done.' })], {
      form: 'turn',
      behaviour: overflow,
    });
    expect(outcomeOf('long')).toMatchObject({ value: 0, parts: { overflow: true, fellBack: false } });
  });
});

/** Opens the leaderboard of a benchmark of these tasks. */
async function openBoard(...tasks: readonly NewTask[]) {
  const { benchmark } = await importTasks(tasks);
  const opened = await bed.workspace.post('/v1/leaderboards', { benchmark: benchmark.id, name: 'Tasks', trials: 1 });
  const leaderboard = leaderboardRecord.parse(expectStatus(opened, 201));
  return { ...bed, benchmark, leaderboard };
}

describe('a leaderboard of tasks', () => {
  test('takes submissions of both kinds, and orders, shows and exports them by the scorers of its protocol', async () => {
    const board = await openBoard(taskOf('one', { truth: 'It is done.' }), taskOf('two', { truth: 'It is done.' }));
    expect(board.leaderboard).toMatchObject({
      protocol: 'mcp-verse',
      metrics: ['outcome', 'cost', 'declared-cost', 'tokens', 'duration'],
    });
    const guest = await submitter();
    const { id } = received(await guest.post('/v1/submissions', serviceBody(board, board.model, 'Steady')));
    expect((await settled(guest, id)).record).toMatchObject({ state: 'published', findings: [] });
    const { run } = await evaluateToEnd(board, ['steady'], { trials: 1, seed: 1, mounting: { kind: 'standard' } });
    const file = z.string().parse((await board.workspace.get(`/v1/evaluations/${run}/traces?agent=steady`)).body);
    const uploaded = received(await uploadTraces(guest, board, 'Steady', file));
    expect((await settled(guest, uploaded.id)).record).toMatchObject({ state: 'published' });

    const ranked = await rankedEntries(board);
    expect(ranked.map(({ rank, entry }) => [rank, entry.tier, entry.scores.outcome?.mean])).toEqual([
      [1, 'service', 1],
      [1, 'self-reported', 1],
    ]);
    // What somebody declares a model to cost is on no front with prices of the list.
    expect(ranked[0]).toMatchObject({ onFront: false, entry: { protocol: 'mcp-verse', units: 2, attempts: 2 } });
    const path = `/leaderboards/${board.leaderboard.id}`;
    const read = async (more: string) => z.string().parse(expectStatus(await call(null, 'GET', `${path}${more}`), 200));
    const table = await read('');
    expect(table).toContain('>Outcome</abbr></a>');
    expect(table).not.toContain('Success');
    expect(await read(`/entries/${id}`)).toContain('by Outcome');
    expect(await read(`/entries/${id}/cases`)).toContain('Outcome 1.000');
    const badge = await call(null, 'GET', `/v1${path}/entries/${id}/badge.svg`);
    expect(badge.body).toContain('outcome 1.000');
    const csv = z.string().parse((await call(null, 'GET', `/v1${path}/export?format=csv`)).body);
    const head = csv.split('\r\n')[0]?.split(',') ?? [];
    expect(head).toEqual(expect.arrayContaining(['outcome', 'chain', 'tfd', 'pass_hat_4']));
    expect(head).not.toContain('tcs');
  });

  test('refuses orders and tiers that it cannot measure, and says why', async () => {
    const board = await openBoard(taskOf('checked', { checks: [after()] }));
    const path = `/v1/leaderboards/${board.leaderboard.id}/entries`;
    for (const metric of ['success', 'pass-hat-4'])
      expect(problemOf(await call(null, 'GET', `${path}?metric=${metric}`))).toEqual([400, 'invalid-request']);
    const guest = await submitter();
    const body = { leaderboard: board.leaderboard.id, name: 'Elsewhere', tier: 'gateway' };
    expect(problemOf(await guest.post('/v1/submissions', body))).toEqual([422, 'tier-unmeasurable']);
    expect(problemOf(await uploadTraces(guest, board, 'Elsewhere', '{}'))).toEqual([422, 'tier-unmeasurable']);
  });
});
