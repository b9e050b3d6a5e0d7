import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  benchmarkLine,
  benchmarkRecord,
  type BenchmarkLine,
  type BenchmarkRecord,
} from '#core/benchmarks/benchmark.ts';
import { makeLiveMcpBenchmark } from '#core/benchmarks/formats/live-mcp-bench/format.ts';
import { publishedTasks } from '#core/benchmarks/formats/live-mcp-bench/tasks.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';
import { askedFor, caseOf, evaluateToEnd, frozen, withRules, type TestBed } from '../support/evaluation.ts';
import { expectStatus, problemOf, type Answer } from '../support/workspace.ts';

/** Published tasks, evaluated by the real workflow on scripted servers and models. */

let bed: TestBed;
let tools: Tool[];
let pairs: BenchmarkLine[];
beforeAll(async () => {
  bed = await frozen(1);
  const file = z.string().parse((await bed.workspace.get(`/v1/benchmarks/${bed.benchmark.id}/export`)).body);
  pairs = file
    .trimEnd()
    .split('\n')
    .map((line) => benchmarkLine.parse(JSON.parse(line)));
  tools = pairs.flatMap((line) => (line.type === 'tool' ? [line.tool] : []));
});

/** A task that names the tools for the scripted agent, as its requests do. */
const taskOver = (id: string, names: readonly string[], steps: string) => ({
  task_id: id,
  Question: `Please do ${names.join(', ')}.`,
  category: 'Office',
  'Annotator Metadata': { Steps: steps, Tools: names.map((name, index) => `${index + 1}. ${name}`).join('\n') },
});

const firstNames = (): string[] => tools.slice(0, 2).map(({ name }) => toolNameWithoutServer(name));

async function linesOf(...tasks: ReturnType<typeof taskOver>[]): Promise<BenchmarkLine[]> {
  const { catalog } = bed.benchmark;
  return [
    ...(
      await makeLiveMcpBenchmark(publishedTasks.parse(tasks), {
        name: 'tasks',
        protocol: 'live-mcp-bench',
        collection: 'LiveMCPBench',
        catalog,
        tools,
      })
    ).lines,
  ];
}

const importLines = (lines: readonly BenchmarkLine[]): Promise<Answer> =>
  bed.workspace.post('/v1/benchmarks/import?floor=false', undefined, {
    raw: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { 'content-type': 'text/jsonl' },
  });

const imported = async (...tasks: ReturnType<typeof taskOver>[]): Promise<BenchmarkRecord> =>
  benchmarkRecord.parse(expectStatus(await importLines(await linesOf(...tasks)), 201));

describe('a benchmark of tasks', () => {
  test('is evaluated with one request for each task, by the key points that people wrote', async () => {
    const benchmark = await imported(
      taskOver('t1', firstNames(), '1. Ask the first.\n2. Ask the second.'),
      taskOver('t2', firstNames().toReversed(), '1. Ask them.'),
    );
    expect(benchmark).toMatchObject({ protocol: 'live-mcp-bench', format: 2, units: 2 });
    const ground = { ...(await withRules(bed)), benchmark };
    const { run, record, cases, results } = await evaluateToEnd(ground, ['steady']);
    expect(record).toMatchObject({
      protocol: 'live-mcp-bench',
      status: 'completed',
      progress: { attempts: 2, made: 2 },
    });
    for (const { requests, scores } of cases) {
      expect(requests).toEqual(['request']);
      expect(scores.success?.value).toBe(1);
      expect(scores.mtc).toMatchObject({ value: null, reason: 'not-a-pair' });
    }
    expect(results('steady').scores.success).toMatchObject({ mean: 1, n: 2 });
    const asked = await askedFor(ground);
    expect([asked['sub-intents'], asked['success']]).toEqual([undefined, 2]);
    const detail = await caseOf(ground, run, cases[0]?.id ?? '');
    expect(detail.traces['request']?.steps.length).toBeGreaterThan(0);
  });

  test('has goals planned by a judge where its tasks have no key points', async () => {
    const benchmark = await imported(taskOver('t3', firstNames(), ''));
    const ground = { ...(await withRules(bed)), benchmark };
    await evaluateToEnd(ground, ['steady']);
    expect(await askedFor(ground)).toMatchObject({ 'sub-intents': 1, success: 1 });
  });

  test('is exported as it was imported, and has the same id again', async () => {
    const lines = await linesOf(taskOver('t4', firstNames(), '1. Ask.'));
    const record = benchmarkRecord.parse(expectStatus(await importLines(lines), 201));
    const file = z.string().parse((await bed.workspace.get(`/v1/benchmarks/${record.id}/export`)).body);
    const read = file
      .trimEnd()
      .split('\n')
      .map((line) => benchmarkLine.parse(JSON.parse(line)));
    expect(read).toEqual(lines);
    expect(benchmarkRecord.parse(expectStatus(await importLines(read), 201))).toEqual(record);
  });

  test('is refused with units of another kind, or with a header that contradicts itself', async () => {
    const lines = await linesOf(taskOver('t5', firstNames(), '1. Ask.'));
    const [header, ...rest] = lines;
    if (header?.type !== 'benchmark') throw new Error('the header is first');
    const pair = pairs.find((line) => line.type === 'unit');
    if (pair === undefined) throw new Error('there is a pair');
    const mixed = await importLines([{ ...header, units: 2 }, ...rest, pair]);
    expect(problemOf(mixed)).toEqual([422, 'content-mismatch']);
    expect(problemOf(await importLines([{ ...header, format: 1 }, ...rest]))).toEqual([400, 'invalid-line']);
  });

  test('has a leaderboard of its protocol', async () => {
    const { id } = await imported(taskOver('t6', firstNames(), '1. Ask.'));
    const answer = await bed.workspace.post('/v1/leaderboards', { benchmark: id, name: 'tasks' });
    expect(expectStatus(answer, 201)).toMatchObject({ protocol: 'live-mcp-bench', publicUnits: 1, privateUnits: 0 });
  });
});
