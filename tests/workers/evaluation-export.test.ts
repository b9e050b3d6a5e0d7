import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { exportFormats, type ExportFormat } from '#core/evaluation/breakdown-record.ts';
import { listExportedAttemptsOfCase, exportHeadText, exportLineText } from '#core/evaluation/export.ts';
import { makeExportStream } from '#durable-objects/evaluation/evaluation-export.ts';
import { EvaluationStore } from '#durable-objects/evaluation/evaluation-store.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { evaluationRunSchema } from '#durable-objects/evaluation/schema.ts';
import { syntheticCase, syntheticUnit } from '../../bench/results/synthetic.ts';
import { attemptOf, begun, chain, finished } from '../unit/evaluation/cases.ts';
import { unique } from '../support/workspace.ts';

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

  override listCaseJsons(after: string, limit: number): string[] {
    this.reads += 1;
    return super.listCaseJsons(after, limit);
  }
}

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
        expect(await textOf(format, store)).toBe(exportHeadText(format, 'sgvef') + lines.join(''));
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
      expect(await textOf('csv', store)).toBe(exportHeadText('csv', 'sgvef'));
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
