import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ok } from '#core/values/result.ts';
import type { Trace } from '#core/traces/trace.ts';
import { makeInspectLogStream } from '#durable-objects/evaluation/inspect-log-stream.ts';
import { agentResult, evaluation } from '../client/records.ts';
import { evaluateToEnd, frozen } from '../support/evaluation.ts';
import { complaintsOfInspectSchema } from '../support/inspect-schema.ts';
import { makeStep, makeTrace } from '../support/traces.ts';
import { exportFormats, type ExportFormat } from '#core/evaluation/breakdown-record.ts';
import { listExportedAttemptsOfCase, exportHeaderLineText, exportLineText } from '#core/evaluation/export.ts';
import { makeExportStream } from '#durable-objects/evaluation/evaluation-export.ts';
import { EvaluationStore } from '#durable-objects/evaluation/evaluation-store.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { evaluationRunSchema } from '#durable-objects/evaluation/schema.ts';
import { syntheticCase, syntheticUnit } from '../../bench/results/synthetic.ts';
import { attemptOf, begun, chain, finished } from '../unit/evaluation/cases.ts';
import { expectStatus, unique } from '../support/workspace.ts';

/** Broken attempts, unjudged and failed calls are among them, and text in which characters take several bytes. */
const synthetic = Array.from({ length: 60 }, (_, n) => syntheticCase(syntheticUnit(n), 'synthetic', 1));
const half = finished({ unit: 'half', agent: 'a' }, { tools: chain }, { tools: chain });
const cases = [
  begun({ unit: 'begun' }),
  finished({ unit: 'both', agent: 'a' }, { tools: ['fruit/apple!', ...chain] }, { tools: null }),
  { ...half, attempts: { source: attemptOf(half, 'source') } },
  finished({ unit: 'text', agent: 'a' }, { tools: ['=cmd|"\u{1f347}",\r\n葡萄'] }, { tools: [] }),
  ...synthetic,
  ...Array.from({ length: 20 }, () => begun({ unit: 'begun last' })),
].map((each, n) => ({ ...each, id: `${String(n).padStart(3, '0')} "case", ${each.unit}` }));

const onCases = (check: (store: EvaluationStore, storage: DurableObjectStorage) => Promise<void>) =>
  runInDurableObject(env.EVALUATION_RUN.getByName(unique('export')), async (_object, { storage }) => {
    await storage.deleteAll();
    migrate(storage, evaluationRunSchema);
    const store = new EvaluationStore(storage.sql);
    for (const each of cases) store.storeNewCase(each, 'nobody', 0);
    await check(store, storage);
  });

/** Counts the reads of the store that an export makes. */
class CountingStore extends EvaluationStore {
  reads = 0;

  override readTracesOfCase(id: string): Record<string, Trace> {
    this.reads += 1;
    return super.readTracesOfCase(id);
  }

  override listCaseJsons(after: string, limit: number): string[] {
    this.reads += 1;
    return super.listCaseJsons(after, limit);
  }
}

const tracesOf = (store: EvaluationStore, id: string): Record<string, Trace> => ({
  ...store.readTracesOfCase(id),
  source: makeTrace([makeStep('fruit/apple', { text: 'an apple. '.repeat(500) })]),
});

const run = evaluation();
const [agent] = run.agents;
if (agent === undefined) throw new Error('the evaluation has no agent');
const basis = { run, agent: { ...agent, name: 'synthetic' }, result: agentResult('synthetic', 0.5) };

const inspected = z.looseObject({
  samples: z.array(
    z.looseObject({
      id: z.string(),
      epoch: z.int(),
      messages: z.array(z.looseObject({ tool_calls: z.array(z.unknown()).optional() })),
    }),
  ),
  results: z.looseObject({}),
  stats: z.looseObject({ model_usage: z.record(z.string(), z.looseObject({ total_tokens: z.int() })) }),
});

const mounted = { mounting: 'standard', tools: 120, schemaTokens: 30_000 };

const textOf = (format: ExportFormat, store: EvaluationStore) =>
  new Response(makeExportStream({ format, protocol: 'sgvef' }, store, () => mounted)).text();

describe('an export of attempts', () => {
  test.each(exportFormats)(
    'in %s holds every attempt as the parsed case has it, over several pages',
    async (format) => {
      await onCases(async (store) => {
        const lines = store
          .listCases('', 1_000)
          .flatMap((each) => listExportedAttemptsOfCase(each, mounted))
          .map((attempt) => exportLineText(format, 'sgvef', attempt));
        expect(lines.length).toBeGreaterThan(2 * synthetic.length);
        expect(await textOf(format, store)).toBe(exportHeaderLineText(format, 'sgvef') + lines.join(''));
        let pages = 0;
        for await (const page of makeExportStream({ format, protocol: 'sgvef' }, store, () => mounted))
          pages += page.length > 0 ? 1 : Number.NaN;
        expect(pages).toBeGreaterThan(2);
      });
    },
  );

  test('reads one page ahead, and nothing after its reader left', async () => {
    await onCases(async (_, { sql }) => {
      const store = new CountingStore(sql);
      const reader = makeExportStream({ format: 'jsonl', protocol: 'sgvef' }, store, () => mounted).getReader();
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const { reads } = store;
      expect(reads).toBeLessThan(cases.length / 8 - 1);
      await reader.cancel();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(store.reads).toBe(reads);
    });
  });

  test('has only the header, or nothing, without attempts', async () => {
    await onCases(async (store, { sql }) => {
      sql.exec('DELETE FROM cases WHERE unit <> ?', 'begun');
      expect(await textOf('csv', store)).toBe(exportHeaderLineText('csv', 'sgvef'));
      expect(await textOf('jsonl', store)).toBe('');
    });
  });

  test('breaks off at a row that is not a case', async () => {
    await onCases(async (store, { sql }) => {
      sql.exec("UPDATE cases SET json = json_set(json, '$.attempts.source.calls', 'none') WHERE unit = 'both'");
      await expect(textOf('csv', store)).rejects.toThrow(/is no case/);
    });
  });
});

describe('a log for Inspect AI', () => {
  test('of an agent has each of its attempts, and is valid by the schema that Inspect AI publishes', async () => {
    const bed = await frozen(2);
    const { run, cases: made, results } = await evaluateToEnd(bed, ['one', 'two'], { trials: 2 });
    const answer = await bed.workspace.get(`/v1/evaluations/${run}/inspect-log?agent=one`);
    expect(answer.headers.get('content-disposition')).toMatch(/filename="\d{4}-[^"]*_one\.json"/);
    const log = inspected.parse(expectStatus(answer, 200));
    expect(complaintsOfInspectSchema(log)).toEqual([]);
    const own = made.filter(({ agent }) => agent === 'one');
    expect(log.samples.map(({ id, epoch }) => `${id} ${epoch}`)).toEqual(
      own.flatMap(({ unit, trial, requests }) => requests.map((name) => `${unit}/${name} ${trial}`)),
    );
    expect(log.samples.every(({ messages }) => messages.some(({ tool_calls: calls }) => calls !== undefined))).toBe(
      true,
    );
    expect(log.results).toMatchObject({ total_samples: 8, completed_samples: 8 });
    expect(log.stats.model_usage['one']?.total_tokens).toBe(results('one').tokens);
    expectStatus(await bed.workspace.get(`/v1/evaluations/${run}/inspect-log?agent=three`), 404);
  });

  test('is made while it is read, a case at a time', async () => {
    await onCases(async (_, { sql }) => {
      const store = new CountingStore(sql);
      const stream = await makeInspectLogStream(basis, store, {
        getCaseDetail: (id) =>
          ok({ case: store.getCaseOrThrow(id), traces: tracesOf(store, id), asked: {}, chain, plan: null }),
      });
      const reader = stream.getReader();
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const { reads } = store;
      expect(reads).toBeGreaterThan(0);
      expect(reads).toBeLessThan(synthetic.length / 2);
      await reader.cancel();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(store.reads).toBe(reads);
    });
  });
});
