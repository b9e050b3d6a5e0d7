import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeApi, json } from './fake-api.ts';
import { evaluation } from './records.ts';
import { runVerb } from './run-verb.ts';

const run = evaluation({ status: 'completed' });
const log = { version: 2, samples: [] };
const makeFolder = () => mkdtemp(join(tmpdir(), 'sextant-export-'));

test('"export-results --format inspect" writes a log for each agent into a folder, under names that the viewer knows', async () => {
  await using api = await fakeApi(json(run), json(log));
  const folder = join(await makeFolder(), 'logs');
  const { lines } = await runVerb(api, 'export-results', 'evl_1', '--format', 'inspect', '--out', folder);
  const names = ['2026-01-01T00-00-00-000Z_evl-1_hasty.json', '2026-01-01T00-00-00-000Z_evl-1_steady.json'];
  expect((await readdir(folder)).toSorted()).toEqual(names);
  expect(lines.toSorted()).toEqual(names.map((name) => join(folder, name)));
  expect(JSON.parse(await readFile(join(folder, names[0] ?? ''), 'utf8'))).toEqual(log);
  expect(api.requests.map(({ line }) => line)).toEqual([
    'GET /v1/evaluations/evl_1',
    'GET /v1/evaluations/evl_1/inspect-log?agent=steady',
    'GET /v1/evaluations/evl_1/inspect-log?agent=hasty',
  ]);
});

test('one agent is enough for the standard output', async () => {
  await using api = await fakeApi(json(run), (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(log)}\n`);
  });
  const { lines } = await runVerb(api, 'export-results', 'evl_1', '--format', 'inspect', '--agent', 'hasty');
  expect(lines).toEqual([JSON.stringify(log)]);
});

test('a log of which only a part arrived is not left in the folder', async () => {
  await using api = await fakeApi(json(run), async (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"version":2,');
    await new Promise((resolve) => setTimeout(resolve, 50));
    response.destroy();
  });
  const folder = await makeFolder();
  await expect(runVerb(api, 'export-results', 'evl_1', '--format', 'inspect', '--out', folder)).rejects.toThrow(
    'was cut',
  );
  expect(await readdir(folder)).toEqual([]);
});

test('what "export-results" cannot do is refused with what would be right', async () => {
  await using api = await fakeApi(json(run));
  const file = join(await makeFolder(), 'file');
  await writeFile(file, '');
  const ask = (...words: string[]) => runVerb(api, 'export-results', 'evl_1', '--format', ...words);
  await expect(ask('inspect')).rejects.toThrow('name a folder with --out, or one agent with --agent: steady, hasty');
  await expect(ask('inspect', '--agent', 'nobody')).rejects.toThrow(
    'there is no agent nobody in it; it has steady, hasty',
  );
  await expect(ask('inspect', '--out', file)).rejects.toThrow(/nothing can be kept in .*: it is no folder/);
  await expect(ask('csv', '--agent', 'steady')).rejects.toThrow('--agent is for --format inspect');
});

test.each([
  [['export-results', 'evl_1', '--format', 'csv'], { evaluation: 'evl_1' }],
  [['leaderboard', 'export', 'lb_1', '--format', 'csv'], { leaderboard: 'lb_1' }],
])('with --json a table for other programs is one JSON value, as everything is: %s', async (words, about) => {
  const csv = 'a,b\n1,"x\ny"\n';
  await using api = await fakeApi((_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' }).end(csv);
  });
  const { lines } = await runVerb(api, ...words, '--json');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([{ ...about, text: csv }]);
  expect((await runVerb(api, ...words)).lines).toEqual(['a,b', '1,"x', 'y"']);
});
