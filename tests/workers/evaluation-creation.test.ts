import { introspectWorkflowInstance, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { noPreflight } from '#core/models/preflight.ts';
import { evaluationConfig } from '#core/evaluation/config.ts';
import { createEvaluationOnBasis, type BasisPage } from '#core/evaluation/create-on-basis.ts';
import type { DrivenEvaluation } from '#workflows/called-objects.ts';
import { syntheticTools, syntheticUnit } from '../../bench/results/synthetic.ts';
import { storedText } from '../support/storage.ts';
import { unitPages } from '../support/unit-pages.ts';
import { unique } from '../support/workspace.ts';

const units = Array.from({ length: 5 }, (_, n) => syntheticUnit(n));
const agents = [
  { name: 'guest', loop: 'external' as const, limits: { timeMs: 1_000, callTimeoutMs: 1_000 } },
  { name: 'other', loop: 'external' as const, limits: { timeMs: 1_000, callTimeoutMs: 1_000 } },
];
const trials = 3;
const nobody = {
  model: 'none',
  baseUrl: 'http://127.0.0.1:9',
  key: { kind: 'deployment' as const },
  promptPricePerMTok: 0,
  completionPricePerMTok: 0,
};
const page = (from: number, to: number): BasisPage => ({
  tools: [],
  units: units.slice(from, to),
  agents,
  trials,
  seed: 1,
  protocol: 'sgvef',
  isSubmitted: false,
});
const toolPage: BasisPage = {
  tools: syntheticTools,
  units: [],
  agents,
  trials,
  seed: 1,
  protocol: 'sgvef',
  isSubmitted: false,
};

/** An evaluation that is to be, whose driver does nothing. */
async function toBe() {
  const id = unique('evl');
  const driver = await introspectWorkflowInstance(env.EVALUATION_WORKFLOW, `${id}-1`);
  await driver.modify((m) => m.mockStepResult({ name: 'open' }, { kind: 'stop', why: 'over' }));
  const stub = env.EVALUATION_RUN.getByName(id);
  const evaluation = {
    id,
    workspace: unique('ws'),
    config: evaluationConfig.parse({ benchmark: 'bm', trials, split: 'all' }),
    agents,
    judge: nobody,
    embedder: nobody,
    servers: [],
    offline: true,
    submission: null,
    floorOf: null,
    panel: [],
    rejudges: null,
    preflight: noPreflight,
    at: new Date().toISOString(),
  };
  const whole = {
    ...evaluation,
    protocol: 'sgvef' as const,
    tools: syntheticTools.map(({ name }) => name),
    units: units.length,
  };
  const count = (table: string) =>
    runInDurableObject(
      stub,
      (_object, { storage: { sql } }) => sql.exec(`SELECT COUNT(*) AS n FROM ${table}`).one()['n'],
    );
  return { stub, evaluation, whole, count, stored: () => storedText(stub), done: () => driver.dispose() };
}

describe('the creation of an evaluation', () => {
  test('stores it page by page, with all its cases', async () => {
    const { stub, evaluation, count, done } = await toBe();
    const record = await createEvaluationOnBasis(stub, evaluation, {
      protocol: 'sgvef',
      tools: syntheticTools,
      units: unitPages(units, 2),
    });
    expect(record).toMatchObject({ status: 'running', progress: { units: 5, attempts: 60, made: 0 } });
    expect([await count('tools'), await count('units'), await count('cases')]).toEqual([syntheticTools.length, 5, 30]);
    await done();
  });

  test('that broke off leaves no evaluation, and continues when it is repeated', async () => {
    const { stub, evaluation, whole, stored, count, done } = await toBe();
    await stub.storeBasisAndAddCases(toolPage);
    await stub.storeBasisAndAddCases(page(0, 3));
    const broken = await stored();
    expect(await stub.get()).toMatchObject({ ok: false, problem: { code: 'not-found' } });
    await stub.wake(true);
    await expect(async () => stub.createOnStoredBasis(whole)).rejects.toThrow(
      'not all of its tools and units are stored',
    );
    await stub.storeBasisAndAddCases(page(0, 3));
    expect(await stored()).toBe(broken);
    await createEvaluationOnBasis(stub, evaluation, {
      protocol: 'sgvef',
      tools: syntheticTools,
      units: unitPages(units, 3),
    });
    expect(await stub.get()).toMatchObject({ ok: true, value: { status: 'running', progress: { units: 5 } } });
    expect(await count('cases')).toBe(30);
    await done();
  });

  test('is not changed by later pages or alarms', async () => {
    const { stub, evaluation, stored, done } = await toBe();
    await createEvaluationOnBasis(stub, evaluation, {
      protocol: 'sgvef',
      tools: syntheticTools,
      units: unitPages(units),
    });
    const before = await stored();
    expect(await runDurableObjectAlarm(stub)).toBe(false);
    await stub.storeBasisAndAddCases({ ...page(0, 5), units: [syntheticUnit(77)] });
    expect(await stored()).toBe(before);
    await done();
  });

  test('drops tools that an earlier try stored and that it does not name', async () => {
    const { stub, evaluation, done } = await toBe();
    const [tool] = syntheticTools;
    if (tool === undefined) throw new Error('there are tools');
    await stub.storeBasisAndAddCases({ ...toolPage, tools: [{ ...tool, name: `${tool.server}/gone` }] });
    const record = await createEvaluationOnBasis(stub, evaluation, {
      protocol: 'sgvef',
      tools: syntheticTools,
      units: unitPages(units),
    });
    const run: DrivenEvaluation = stub;
    const { tools } = await run.listTools('');
    expect(tools.map(({ name }) => name)).toEqual(syntheticTools.map(({ name }) => name).toSorted());
    const other = await toBe();
    const clean = await createEvaluationOnBasis(other.stub, other.evaluation, {
      protocol: 'sgvef',
      tools: syntheticTools,
      units: unitPages(units),
    });
    expect(record.provenance).toEqual(clean.provenance);
    await Promise.all([done(), other.done()]);
  });

  test('that is never finished is forgotten, and can be started again', async () => {
    const { stub, evaluation, count, done } = await toBe();
    await stub.storeBasisAndAddCases(toolPage);
    await stub.storeBasisAndAddCases(page(0, 5));
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect([await count('tools'), await count('units'), await count('cases')]).toEqual([0, 0, 0]);
    await createEvaluationOnBasis(stub, evaluation, {
      protocol: 'sgvef',
      tools: syntheticTools,
      units: unitPages(units),
    });
    expect(await count('cases')).toBe(30);
    await done();
  });
});

describe('the units of a benchmark', () => {
  test('come in batches of at least one that fit into a call between objects', async () => {
    const benchmark = env.BENCHMARK.getByName(unique('benchmark'));
    await benchmark.beginImport();
    await runInDurableObject(benchmark, (_object, { storage: { sql } }) => {
      for (const [n, unit] of units.entries()) {
        // Each line is as long as a line may be.
        const text = JSON.stringify({ type: 'unit', unit }).padEnd(n === 0 ? 5 * 1024 * 1024 : 1024 * 1024);
        sql.exec("INSERT INTO lines (kind, split, unit, text) VALUES ('unit', ?, ?, ?)", unit.split, unit.id, text);
      }
    });
    const ids = units.map(({ id }) => id);
    const idsOf = (wanted: string[]) =>
      runInDurableObject(benchmark, (object) => object.readUnitsThatFit(wanted).map(({ id }) => id));
    expect(await benchmark.unitIds('all')).toEqual(ids.toSorted());
    expect(await idsOf(ids)).toEqual(ids.slice(0, 1));
    expect(await idsOf(ids.slice(1).toReversed())).toEqual(ids.slice(1).toReversed());
    await expect(idsOf(['u_unknown'])).rejects.toThrow('there is no unit u_unknown');
  });
});
