import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { benchmarkLine, benchmarkRecord, pairUnit } from '#core/benchmarks/benchmark.ts';
import { breakdown } from '#core/evaluation/breakdown-record.ts';
import type { ExplorationRecord, UnitSummary } from '#core/exploration/record.ts';
import { toolReport, type ToolReport } from '#core/reports/tool-report/record.ts';
import { parseAndCheckBenchmark } from '#core/leaderboards/verification/read-benchmark.ts';
import { casesOf, evaluateToEnd, withRules, type TestBed } from '../support/evaluation.ts';
import { endOf, exploreToEnd, prepare, type Ground } from '../support/exploration.ts';
import type { Rule } from '../support/script.ts';
import { expectStatus, newWorkspace, problemOf } from '../support/workspace.ts';

/** Units that no tool fits, from an exploration to what agents make of them. */

/** Runs of a dozen units take some seconds, and longer where other tests run beside them. */
const patienceMs = 120_000;

const refuses = (model: string): Rule => ({
  form: 'turn',
  model,
  behaviour: { kind: 'content', content: 'I cannot do this: none of my tools can.' },
});
/** Calls a tool at each request that no tool fits, and works as usual elsewhere. */
const callsAnyway = (model: string): Rule[] =>
  ['Carve N', 'I want N'].map((contains) => ({
    form: 'turn',
    model,
    contains,
    behaviour: { kind: 'call', name: 'winds__zephyr', arguments: '{"code": "K1"}' },
  }));
/** Refuses what no tool fits, and works as usual elsewhere. */
const knowsItsLimits = (model: string): Rule[] =>
  ['Carve N', 'I want N'].map((contains) => ({ ...refuses(model), contains }));

const reportAt = async ({ workspace }: Ground, path: string): Promise<ToolReport> =>
  toolReport.parse(expectStatus(await workspace.get(path), 200));

describe('an exploration with negative units', () => {
  let ground: Ground;
  let run = '';
  let record: ExplorationRecord;
  let negatives: UnitSummary[] = [];
  let bed: TestBed;
  let file = '';

  beforeAll(async () => {
    ground = await prepare({ rules: callsAnyway('scripted') });
    const explored = await exploreToEnd(ground, { batch: 12, more: { negativeUnits: 4, siblingUnits: 0 } });
    ({ run, record } = explored);
    const units = explored.units.map(({ unit }) => unit).filter(({ draws }) => draws[0]?.negative === true);
    expect(units).toHaveLength(4);
    for (const unit of units) {
      expect([unit.pair?.chain, unit.pair?.looksLike]).toEqual([[], unit.draws[0]?.tools[0]]);
      expect(endOf(unit)).toMatchObject({ status: 'accepted', reason: expect.stringContaining('2 of 2 attempts') });
      expect(unit.prompts).toEqual(expect.arrayContaining(['negative-pair@v1', 'negative-audit@v1']));
      expect(unit.witness).toBeNull();
    }
    const listed = await ground.workspace.get(`/v1/explorations/${run}/units?limit=100`);
    negatives = z
      .object({ items: z.array(z.custom<UnitSummary>()) })
      .parse(expectStatus(listed, 200))
      .items.filter(({ id }) => units.some((unit) => unit.id === id));
    const frozen = await ground.workspace.post('/v1/benchmarks', {
      explorations: [run],
      privateShare: 0,
      floor: false,
    });
    const benchmark = benchmarkRecord.parse(expectStatus(frozen, 201));
    bed = { ...ground, benchmark };
    file = z.string().parse(expectStatus(await ground.workspace.get(`/v1/benchmarks/${benchmark.id}/export`), 200));
  }, patienceMs);

  test('counts neither the calls nor the transitions that they led to', async () => {
    expect(negatives.map(({ chain }) => chain)).toEqual([[], [], [], []]);
    const other = await prepare();
    const without = await exploreToEnd(other, { batch: 8, more: { negativeUnits: 0 } });
    expect(record.units.accepted).toBe(without.record.units.accepted + 4);
    const learned = ({ transitions, valuesPassed, toolsExecuted, setAside }: ExplorationRecord) => [
      transitions,
      valuesPassed,
      toolsExecuted,
      setAside,
    ];
    expect(learned(record)).toEqual(learned(without.record));
  });

  test('shows the writer and the critic the tool and all others of the catalog', async () => {
    const asked = (await ground.model.asked()).filter(({ form }) => form.startsWith('negative-'));
    expect(asked.map(({ form }) => form).toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'negative-audit'),
      ...Array.from({ length: 4 }, () => 'negative-pair'),
    ]);
    for (const { messages } of asked) {
      const text = messages.map(({ content }) => content).join('\n');
      const block = (name: string): unknown =>
        JSON.parse(new RegExp(`<data name="${name}">\n(.*)\n</data>`).exec(text)?.[1] ?? 'null');
      expect(block('tools')).toHaveLength(1);
      expect(block('others')).toHaveLength(9);
    }
  });

  test('reports the tool that was called where none fits, with its interval', async () => {
    const report = await reportAt(ground, `/v1/explorations/${run}/tools`);
    expect(report.negativeAttempts).toBe(8);
    expect(report.taken).toMatchObject([{ tool: 'winds/zephyr', attempts: { count: 8, of: 8, share: 1 } }]);
    expect(report.taken[0]?.attempts.interval?.low).toBeGreaterThan(0.2);
    // Rules played the agent: what it called is a figure, and no finding about the tool.
    expect(report.findings.filter(({ kind }) => kind === 'taken')).toEqual([]);
  });

  test('is frozen with them, as proven units, into a file that can be checked and imported elsewhere', async () => {
    expect(bed.benchmark).toMatchObject({ units: 12, unproven: 0, unprovenLeftOut: 0, nearDuplicatesLeftOut: 0 });
    const lines = file.trimEnd().split('\n');
    const held = lines.flatMap((line) => {
      const parsed = benchmarkLine.parse(JSON.parse(line));
      return parsed.type === 'unit' && parsed.unit.kind !== 'task' && parsed.unit.looksLike !== undefined
        ? [parsed.unit]
        : [];
    });
    expect(held).toHaveLength(4);
    for (const unit of held) expect([unit.chain, unit.arguments, unit.witness]).toEqual([[], [], undefined]);
    expect(await parseAndCheckBenchmark(lines)).toMatchObject({ ok: true, value: { id: bed.benchmark.id } });
    const elsewhere = await newWorkspace();
    const upload = { raw: file, headers: { 'content-type': 'text/jsonl' } };
    const imported = await elsewhere.post('/v1/benchmarks/import?floor=false', undefined, upload);
    expect(benchmarkRecord.parse(expectStatus(imported, 201))).toMatchObject({ id: bed.benchmark.id, units: 12 });
    const again = await elsewhere.get(`/v1/benchmarks/${bed.benchmark.id}/export`);
    expect(expectStatus(again, 200)).toBe(file);
  });

  test('cannot be imported with a unit that has neither a chain nor a tool that it looks like', async () => {
    const elsewhere = await newWorkspace();
    const damaged = file.replaceAll(/"looksLike":"[^"]+",/g, '');
    const upload = { raw: damaged, headers: { 'content-type': 'text/jsonl' } };
    const answer = await elsewhere.post('/v1/benchmarks/import?floor=false', undefined, upload);
    expect(problemOf(answer)[0]).toBe(400);
    expect(JSON.stringify(answer.body)).toContain('looksLike');
    expect(pairUnit.shape.looksLike.safeParse(undefined).success).toBe(true);
  });

  test(
    'gives agents a refusal beside their success: who refuses everything has no success, who calls anyway no refusal',
    async () => {
      const judging = await withRules(bed, refuses('refuser'), ...callsAnyway('caller'), ...knowsItsLimits('able'));
      const { run: evaluation, results } = await evaluateToEnd(judging, ['able', 'caller', 'refuser']);
      for (const [agent, success, refused] of [
        ['able', 1, 1],
        ['caller', 1, 0],
        ['refuser', 0, 1],
      ] as const) {
        const { scores, units, unscoredReasons } = results(agent);
        expect([agent, units, scores.success.n, scores.success.mean]).toEqual([agent, 12, 8, success]);
        expect([agent, scores.refusal.n, scores.refusal.mean]).toEqual([agent, 4, refused]);
        expect([scores.tcs.n, scores.chain.n]).toEqual([8, 8]);
        expect(unscoredReasons.tcs).toEqual({ 'no-tool-fits': 8 });
        expect(unscoredReasons.refusal).toEqual({ 'tool-fits': 16 });
      }
      const made = await casesOf(judging, evaluation);
      expect(made.filter(({ scores }) => scores.refusal?.value === 0).map(({ agent }) => agent)).toEqual(
        Array.from({ length: 4 }, () => 'caller'),
      );
      const groups = breakdown.parse(
        expectStatus(await judging.workspace.get(`/v1/evaluations/${evaluation}/results/chain-lengths`), 200),
      );
      expect(groups.items.find(({ name }) => name === '0')?.units).toBe(4);
      const report = await reportAt(judging, `/v1/evaluations/${evaluation}/tools?agent=caller`);
      expect(report.taken.map(({ tool, attempts: { count, of } }) => [tool, count, of])).toEqual([
        ['winds/zephyr', 8, 8],
      ]);
      const careful = await reportAt(judging, `/v1/evaluations/${evaluation}/tools?agent=able`);
      expect([careful.negativeAttempts, careful.taken]).toEqual([8, []]);
    },
    patienceMs,
  );
});

test('a run that asks for more units of its own kinds than a round has is refused', async () => {
  const { workspace, catalog } = await prepare();
  const asked = { catalog, batch: 2, siblingUnits: 1, negativeUnits: 2 };
  expect(problemOf(await workspace.post('/v1/explorations', asked))[0]).toBe(400);
});
