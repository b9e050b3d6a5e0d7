import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { benchmarkLine, benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { evaluateToEnd, withRules } from '../support/evaluation.ts';
import { endOf, exploreToEnd, prepare, type Ground } from '../support/exploration.ts';
import { expectStatus, problemOf } from '../support/workspace.ts';

/** Tasks made along chains of tools by the real workflow, on scripted servers and models. */

const alongChains = { batch: 6, more: { strategy: 'chain', sampling: { drawMin: 3, drawMax: 3 } } };
type Explored = Awaited<ReturnType<typeof exploreToEnd>>;

let ground: Ground;
let explored: Explored;
beforeAll(async () => {
  ground = await prepare();
  explored = await exploreToEnd(ground, alongChains);
});

const freeze = (more: Readonly<Record<string, unknown>> = {}) =>
  ground.workspace.post('/v1/benchmarks', {
    explorations: [explored.run],
    privateShare: 0,
    floor: false,
    ...more,
  });

const graded = (solvability: number, utility: number) => ({
  kind: 'content' as const,
  content: JSON.stringify({
    solvabilityReason: 'something is not said',
    solvability,
    utilityReason: 'nobody wants it',
    utility,
    suggestions: ['say it'],
  }),
});

describe('the strategy chain', () => {
  test('makes tasks for one, two and three servers that were graded and have a fuzzy wording', () => {
    const accepted = explored.units
      .map(({ unit }) => unit)
      .filter((unit) => !unit.probe && endOf(unit).status === 'accepted');
    expect(accepted).toHaveLength(6);
    const counts = accepted.map(({ pair }) => new Set(pair?.chain.map(serverNameOfToolName)).size);
    expect(counts.toSorted()).toEqual([1, 1, 2, 2, 3, 3]);
    for (const { task, pair, prompts } of accepted) {
      expect(task?.qualities).toMatchObject([{ solvability: 9, utility: 7 }]);
      expect(pair?.followUp).toMatch(/^Somehow I need this\./);
      expect(prompts).toEqual(
        expect.arrayContaining(['chain-scenario@v1', 'task-quality@v1', 'fuzzy-request@v1', 'audit@v4']),
      );
    }
  });

  test('rewords a task once with the reasons for its grades, and then rejects it', async () => {
    const poor = await prepare({ rules: [{ form: 'task-quality', behaviour: graded(8, 9) }] });
    const { units } = await exploreToEnd(poor, { ...alongChains, batch: 1 });
    const unit = units.map((each) => each.unit).find(({ probe }) => !probe);
    expect(unit === undefined ? null : endOf(unit)).toEqual({
      kind: 'done',
      status: 'rejected',
      reason: expect.stringMatching(/^as a task, solvability 8 \(9 is needed\) .* something is not said$/),
    });
    expect(unit?.task?.qualities).toHaveLength(2);
    expect(unit?.superseded).toHaveLength(1);
    const forms = (await poor.model.asked()).map(({ form }) => form);
    expect(forms).not.toContain('fuzzy-request');
  });
});

describe('a benchmark of such tasks', () => {
  test('asks in both wordings, knows the servers of each task, and is evaluated after MCP-Bench', async () => {
    const benchmark = benchmarkRecord.parse(expectStatus(await freeze(), 201));
    expect(benchmark).toMatchObject({ protocol: 'mcp-bench', format: 2, units: 6 });
    const file = z.string().parse((await ground.workspace.get(`/v1/benchmarks/${benchmark.id}/export`)).body);
    const units = file
      .trimEnd()
      .split('\n')
      .map((line) => benchmarkLine.parse(JSON.parse(line)))
      .flatMap((line) => (line.type === 'unit' && line.unit.kind === 'task' ? [line.unit] : []));
    expect(units).toHaveLength(6);
    for (const { request, fuzzy, chain = [], servers, provenance } of units) {
      expect(fuzzy).not.toBe(request);
      expect(servers).toEqual([...new Set(chain.map(serverNameOfToolName))]);
      expect(provenance).toMatchObject({
        collection: explored.run,
        made: { solvability: 9, utility: 7 },
        category: ['single_server', 'two_server_combinations', 'three_server_combinations'][(servers?.length ?? 0) - 1],
      });
    }

    const bed = { ...(await withRules({ ...ground, benchmark })), benchmark };
    const { record, results } = await evaluateToEnd(bed, ['solver']);
    expect(record).toMatchObject({
      status: 'completed',
      protocol: 'mcp-bench',
      progress: { attempts: 12, made: 12, notEvaluated: 0 },
    });
    expect(results('solver').units).toBe(6);
  });

  test('is the same for the same runs and seed, and can be imported again', async () => {
    const first = benchmarkRecord.parse(expectStatus(await freeze({ name: 'again' }), 201));
    expect(benchmarkRecord.parse((await freeze({ name: 'again' })).body).id).toBe(first.id);
    const raw = z.string().parse((await ground.workspace.get(`/v1/benchmarks/${first.id}/export`)).body);
    const imported = await ground.workspace.post('/v1/benchmarks/import?floor=false', undefined, {
      raw,
      headers: { 'content-type': 'text/jsonl' },
    });
    expect(benchmarkRecord.parse(expectStatus(imported, 201)).id).toBe(first.id);
  });

  test('holds no pairs of other explorations', async () => {
    const pairs = await exploreToEnd(ground, { batch: 1 });
    expect(problemOf(await freeze({ explorations: [explored.run, pairs.run] }))).toEqual([422, 'mixed-units']);
  });
});
