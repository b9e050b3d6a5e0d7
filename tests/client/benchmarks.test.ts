import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportBenchmarkToFile } from '../../client/files/benchmark-file.ts';
import { createClient } from '../../client/client.ts';
import { runVerb } from './run-verb.ts';
import { fakeApi, json, type FakeApi, type Handler } from './fake-api.ts';

const header = {
  type: 'benchmark',
  format: 1,
  name: 'n',
  split: 'all',
  catalog: 'cat_1',
  explorations: ['exp_1'],
  seed: 1,
  privateShare: 0.2,
  offline: true,
  tools: 2,
  units: 1,
};
const tool = (name: string) => ({
  type: 'tool',
  tool: {
    name: `calc/${name}`,
    server: 'calc',
    domain: 'computing',
    category: 'compute',
    inputSchema: { title: 'ü 数' },
  },
});
const unit = {
  type: 'unit',
  unit: {
    id: `u_${'0'.repeat(24)}`,
    split: 'public',
    source: 'a',
    followUp: 'b',
    chain: ['calc/add'],
    arguments: [],
    facts: [],
    semanticEquivalence: 95,
    parameterSolvability: 95,
    provenance: { exploration: 'exp_1', unit: 'r1u1', round: 1, models: {}, prompts: [], harness: 'h' },
  },
};
const lines = [header, tool('add'), tool('subtract'), unit].map((line) => JSON.stringify(line));
const text = `${lines.join('\n')}\n`;
const record = {
  ...header,
  type: undefined,
  id: 'bm_1',
  publicUnits: 1,
  privateUnits: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** Sends bytes in small pieces, cut through letters too. */
const bytes =
  (content: string, size: number): Handler =>
  async (_, response) => {
    const all = Buffer.from(content);
    response.writeHead(200, { 'content-type': 'text/jsonl' });
    for (let from = 0; from < all.length; from += size) {
      response.write(all.subarray(from, from + size));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };

const clientOf = (api: FakeApi) => createClient({ url: api.url, key: 'key', retries: 0 });
const folder = () => mkdtemp(join(tmpdir(), 'sextant-export-'));

test.each([1, 13, 100_000])('an export in pieces of %i bytes writes every line unchanged', async (size) => {
  await using api = await fakeApi(bytes(text, size));
  const read = await Array.fromAsync(clientOf(api).benchmarks.exportLines('bm_1', { split: 'all' }));
  expect(read.map((each) => each.text)).toEqual(lines);
  expect(read.map(({ line }) => line)).toEqual([header, tool('add'), tool('subtract'), unit]);
  expect(api.requests[0]?.line).toBe('GET /v1/benchmarks/bm_1/export?split=all');
});

test('the public part needs no key', async () => {
  await using api = await fakeApi(bytes(text, 1000));
  const open = createClient({ url: api.url, key: '', retries: 0 });
  expect(await Array.fromAsync(open.benchmarks.exportLines('bm_1', { split: 'public' }))).toHaveLength(4);
  expect(api.requests[0]?.line).toBe('GET /v1/benchmarks/bm_1/public/export');
  expect(api.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('an export that ends too early leaves the existing file', async () => {
  await using api = await fakeApi(bytes(`${lines.slice(0, 3).join('\n')}\n`, 1000), bytes(text, 1000));
  const file = join(await folder(), 'benchmark.jsonl');
  await writeFile(file, 'old');
  await expect(exportBenchmarkToFile(clientOf(api), 'bm_1', file)).rejects.toThrow('was cut after 3 lines');
  expect(await readFile(file, 'utf8')).toBe('old');
  expect(await readdir(join(file, '..'))).toEqual(['benchmark.jsonl']);
  expect(await exportBenchmarkToFile(clientOf(api), 'bm_1', file)).toEqual({ lines: 4 });
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('a freeze may take longer than other calls, and is not sent again meanwhile', async () => {
  await using api = await fakeApi(async (request, response, body) => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    await json(record, 201)(request, response, body);
  });
  const impatient = createClient({ url: api.url, key: 'key', retries: 2, timeoutMs: 20 });
  expect(await impatient.benchmarks.freeze({ explorations: ['exp_1'] })).toMatchObject({ id: 'bm_1' });
  expect(api.requests).toHaveLength(1);
});

test('a freeze names the command that usually follows, but not to a program', async () => {
  await using api = await fakeApi(json(record, 201), json(record, 201));
  const { notes } = await runVerb(api, 'benchmarks', 'freeze', 'exp_1');
  expect(notes).toBe('next: npm run sextant -- evaluate --benchmark bm_1 --agent NAME=MODEL\n');
  expect((await runVerb(api, 'benchmarks', 'freeze', 'exp_1', '--json')).notes).toBe('');
});

test('an import can ask for no floor', async () => {
  await using api = await fakeApi(json(record, 201));
  await clientOf(api).benchmarks.importFile(new Blob([text]), { floor: false });
  expect(api.requests[0]).toMatchObject({ line: 'POST /v1/benchmarks/import?floor=false' });
});

test('an import sends the file unchanged', async () => {
  await using api = await fakeApi(json(record, 201));
  expect(await clientOf(api).benchmarks.importFile(new Blob([text]))).toMatchObject({ id: 'bm_1' });
  expect(api.requests[0]).toMatchObject({
    line: 'POST /v1/benchmarks/import',
    body: text,
    headers: { 'content-type': 'text/jsonl' },
  });
});

test('"benchmarks import --sample" sends only so many units, and the header says from how many they were drawn', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-test-'));
  const file = join(folder, 'benchmark.jsonl');
  const units = Array.from({ length: 9 }, (_, place) => ({
    ...unit,
    unit: { ...unit.unit, id: `u_${`${place}`.repeat(24)}` },
  }));
  const all = [{ ...header, units: 9, unproven: 9 }, tool('add'), tool('subtract'), ...units];
  await writeFile(file, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await using api = await fakeApi(json(record, 201));
  const draw = async (...words: readonly string[]): Promise<Record<string, unknown>[]> => {
    await runVerb(api, 'benchmarks', 'import', file, ...words);
    return (api.requests.at(-1)?.body ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const [first = {}, ...rest] = await draw('--sample', '4', '--sample-seed', '7');
  expect(first).toMatchObject({ units: 4, sampledFrom: 9, unproven: 4, tools: 2 });
  expect(rest.map(({ type }) => type)).toEqual(['tool', 'tool', 'unit', 'unit', 'unit', 'unit']);
  expect(await draw('--sample', '4', '--sample-seed', '7')).toEqual([first, ...rest]);
  expect(await draw('--sample', '4', '--sample-seed', '8')).not.toEqual([first, ...rest]);
  expect((await draw('--sample', '50'))[0]).toEqual(all[0]);
  await expect(draw('--sample-seed', '7')).rejects.toThrow('give --sample too');
  await writeFile(file, `${JSON.stringify(header)}\n{"type":"unit"}\n`);
  await expect(draw('--sample', '1')).rejects.toThrow(/benchmark\.jsonl, line 2: /);
});
