import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { Output } from '../../client/command-line/output.ts';
import { parseLineToVerbOrHelp } from '../../client/command-line/parse-line.ts';
import { program } from '../../client/program.ts';
import { fakeApi, json, type FakeApi, type Handler } from './fake-api.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const call = (occurrence: number) => ({
  unit: 'u_1',
  attempt: '01.source',
  tool: 'calc/add',
  arguments: '{}',
  occurrence,
  reply: { kind: 'result', result: { content: [{ type: 'text', text: 'ü 数' }], ofItsOwn: 1 } },
});
const header = { type: 'recording', format: 1, benchmark: 'bm_1', calls: 2 };
const lines = [header, call(0), call(1)].map((line) => JSON.stringify(line));
const text = `${lines.join('\n')}\n`;

const file =
  (content: string): Handler =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/jsonl' }).end(content);
  };

/** The lines that a verb writes. */
async function outputOf(api: FakeApi, line: string): Promise<string[]> {
  const request = parseLineToVerbOrHelp(line.split(' '), program);
  if (request.kind === 'help') throw new Error('no verb');
  const written: string[] = [];
  const output = new Output(false, { columns: 250, write: (text) => written.push(text) }, { write: () => {} });
  const client = createClient({ url: api.url, key: 'key', retries: 0 });
  await request.command.run(request.given, {
    isServiceNamed: true,
    client,
    output,
    signal: new AbortController().signal,
  });
  return written.join('').trimEnd().split('\n');
}

const folder = () => mkdtemp(join(tmpdir(), 'sextant-recording-'));

test('recordings are listed page by page, each with what it holds', async () => {
  const record = { id: 'rec_1', benchmark: 'bm_1', private: false, redact: {}, createdAt, attempts: 1, calls: 2 };
  await using api = await fakeApi(
    json({ items: [{ id: 'rec_1', createdAt }], nextCursor: 'rec_1' }),
    json({ items: [], nextCursor: null }),
    json(record),
  );
  const [titles, line] = await outputOf(api, 'recordings list');
  expect(titles?.split(/ {2,}/)).toEqual(['id', 'benchmark', 'attempts', 'calls', 'private', 'created']);
  expect(line?.split(/ +/)).toEqual(['rec_1', 'bm_1', '1', '2', 'no', createdAt]);
  expect(api.requests.map(({ line }) => line)).toEqual([
    'GET /v1/recordings',
    'GET /v1/recordings?cursor=rec_1',
    'GET /v1/recordings/rec_1',
  ]);
});

test('a recording is read', async () => {
  const record = { id: 'rec_1', benchmark: 'bm_1', private: false, redact: {}, createdAt, attempts: 1, calls: 2 };
  await using api = await fakeApi(json(record));
  const { recordings } = createClient({ url: api.url, key: 'key', retries: 0 });
  expect(await recordings.get('rec_1')).toEqual(record);
  expect(api.requests[0]?.line).toBe('GET /v1/recordings/rec_1');
});

test('the calls of an attempt are read page by page', async () => {
  await using api = await fakeApi(
    json({ items: [call(0)], nextCursor: '7' }),
    json({ items: [call(1)], nextCursor: null }),
  );
  const { recordings } = createClient({ url: api.url, key: 'key', retries: 0 });
  expect(await Array.fromAsync(recordings.calls('rec_1', 'u_1', 'a.01.source'))).toEqual([call(0), call(1)]);
  expect(api.requests.map(({ line }) => line)).toEqual([
    'GET /v1/recordings/rec_1/calls?unit=u_1&attempt=a.01.source',
    'GET /v1/recordings/rec_1/calls?unit=u_1&attempt=a.01.source&cursor=7',
  ]);
});

test('an export writes the lines unchanged, and an incomplete one leaves the existing file', async () => {
  await using api = await fakeApi(file(`${lines.slice(0, 2).join('\n')}\n`), file(text), file(text), file(''));
  const to = join(await folder(), 'recording.jsonl');
  await writeFile(to, 'old');
  await expect(outputOf(api, `recordings export rec_1 --out ${to}`)).rejects.toThrow(
    'has 1 calls where 2 were promised',
  );
  expect(await readFile(to, 'utf8')).toBe('old');
  expect(await outputOf(api, `recordings export rec_1 --out ${to}`)).toEqual([`${to}: 3 lines`]);
  expect(await readFile(to, 'utf8')).toBe(text);
  expect(await readdir(join(to, '..'))).toEqual(['recording.jsonl']);
  expect(await outputOf(api, 'recordings export rec_1')).toEqual(lines);
  await expect(outputOf(api, 'recordings export rec_1')).rejects.toThrow('is not whole');
});

test('an import sends the file unchanged and is never repeated, because each import makes a recording', async () => {
  const record = { id: 'rec_2', benchmark: 'bm_1', createdAt, attempts: 1, calls: 2 };
  await using api = await fakeApi(json(record, 201));
  const from = join(await folder(), 'recording.jsonl');
  await writeFile(from, text);
  expect(await outputOf(api, `recordings import ${from}`)).toEqual(['rec_2: 2 calls in 1 attempt on bm_1']);
  expect(api.requests[0]).toMatchObject({
    line: 'POST /v1/recordings/import',
    body: text,
    headers: { 'content-type': 'text/jsonl' },
  });
  await expect(outputOf(api, `recordings import ${from}.gone`)).rejects.toThrow('cannot be read');
  await using broken = await fakeApi((_, response) => void response.destroy());
  const { recordings } = createClient({ url: broken.url, key: 'key', backoff: { firstMs: 1, longestMs: 1 } });
  await expect(recordings.importFile(new Blob([text]))).rejects.toThrow('cannot be reached');
  expect(broken.requests).toHaveLength(1);
});
