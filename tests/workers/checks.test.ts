import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { benchmarkLine, benchmarkRecord, type BenchmarkLine } from '#core/benchmarks/benchmark.ts';
import type { Check } from '#core/checks/check.ts';
import { makeTaskBenchmarkLines, makeUnitsOfTasks, type NewTask } from '#core/formats/task-format.ts';
import { nameOnServer, type Tool } from '#core/catalog/tool.ts';
import { askedFor, caseOf, evaluateToEnd, frozen, withRules, type TestBed } from '../support/evaluation.ts';
import type { Rule } from '../support/script.ts';
import { expectStatus } from '../support/workspace.ts';

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
    .map((tool) => nameOnServer(tool.name))
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

async function evaluateTasks(tasks: readonly NewTask[], ...rules: readonly Rule[]) {
  const { catalog } = bed.benchmark;
  const { units } = await makeUnitsOfTasks(tasks);
  const lines = makeTaskBenchmarkLines(units, 'mcp-verse', { name: 'verse', catalog, tools });
  const imported = await bed.workspace.post('/v1/benchmarks/import?floor=false', undefined, {
    raw: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { 'content-type': 'text/jsonl' },
  });
  const benchmark = benchmarkRecord.parse(expectStatus(imported, 201));
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
