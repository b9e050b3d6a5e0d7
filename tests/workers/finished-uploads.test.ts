import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { makeCatalog } from '#core/catalog/catalog.ts';
import { tool } from '#core/catalog/tool.ts';
import { groupMountableToolsByServer } from '#core/units/mounting/mountable-catalog.ts';
import { oracleMounting } from '#core/units/mounting/mounting.ts';
import { SubmissionStore } from '#durable-objects/submission/submission-store.ts';
import { findBrokenRules } from '#durable-objects/submission/upload-check.ts';
import { makeStubBenchmarkFile } from '../../bench/stubs/stub-benchmark-file.ts';
import { attemptAt, fileText, header, sealedFile } from '../support/trace-file.ts';
import { unique } from '../support/workspace.ts';

/** The end of an upload reads all of its lines: other calls have their turn meanwhile, which only a timer gives them. */

/** How often a timer ran while something was made. */
async function turnsDuring(work: () => unknown): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  await work();
  clearInterval(timer);
  return turns;
}

const numbered = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, n) => ({ number: n + 1, text: line }));

test('an imported recording is counted some thousand calls at a time', async () => {
  const calls = Array.from({ length: 12_000 }, (_, n) => ({
    unit: `u_${n % 7}`,
    attempt: 'a.01.source',
    tool: 's/t',
    arguments: '{}',
    occurrence: n,
    reply: { kind: 'fault', fault: { where: 'server', name: 's', code: 'timeout', detail: 'late' } },
  }));
  const first = { type: 'recording', format: 1, benchmark: 'b', calls: calls.length, redact: {} };
  const id = unique('rec');
  await runInDurableObject(env.RECORDING.getByName(id), async (recording) => {
    const lines = numbered([first, ...calls].map((line) => JSON.stringify(line)).join('\n'));
    expect(recording.importLines(lines)).toEqual({ ok: true, value: null });
    const turns = await turnsDuring(async () => {
      expect(await recording.finishImport(id, '2026-01-01T00:00:00.000Z')).toMatchObject({
        value: { calls: 12_000, attempts: 7 },
      });
    });
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});

test('an imported benchmark is hashed some lines at a time', async () => {
  const tools = Array.from({ length: 40 }, (_, n) =>
    tool.parse({
      name: `s/step-1-${n}`,
      server: 's',
      domain: 'testing',
      category: 'read',
      description: 'x'.repeat(20_000),
      inputSchema: { type: 'object' },
    }),
  );
  const { id } = await makeCatalog(tools);
  const file = await (await makeStubBenchmarkFile(id, tools, 4)).text();
  await runInDurableObject(env.BENCHMARK.getByName(unique('bmo')), async (benchmark) => {
    await benchmark.beginImport();
    expect(await benchmark.importLines(numbered(file))).toEqual({ ok: true, value: null });
    const turns = await turnsDuring(async () => {
      expect(await benchmark.finishImport('2026-01-01T00:00:00.000Z')).toMatchObject({
        value: { tools: 40, publicUnits: 4, privateUnits: 0, catalog: id },
      });
    });
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});

test('an uploaded file is compared with the rules some lines at a time', async () => {
  const attempts = await Promise.all(
    Array.from({ length: 20 }, (_, n) => n + 1).map((trial) => attemptAt('u_1', trial, 'source')),
  );
  const long = attempts.map((each) => ({ ...each, trace: { ...each.trace, finalText: 'x'.repeat(30_000) } }));
  const file = await sealedFile(header, long);
  await runInDurableObject(env.SUBMISSION.getByName(unique('upl')), async (submission, { storage }) => {
    await submission.beginUpload();
    expect(await submission.uploadLines(numbered(fileText(file)))).toEqual({ ok: true, value: null });
    const turns = await turnsDuring(async () => {
      const rules = {
        protocol: header.protocol,
        catalog: header.catalog,
        harness: header.harness,
        trials: 20,
        units: new Map(),
        tools: groupMountableToolsByServer([]),
        mounting: oracleMounting,
        seed: 1,
        now: Date.now(),
      };
      expect(
        (await findBrokenRules(new SubmissionStore(storage.sql), header, rules, () => true)).length,
      ).toBeGreaterThan(19);
    });
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});
