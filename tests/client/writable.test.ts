import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requireWritable } from '../../client/files/atomic-file.ts';
import { removeOrMoveFolderAside } from '../../engine/empty-folder.ts';
import { fakeApi, json } from './fake-api.ts';
import { runVerb } from './run-verb.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a file that can be written is left as it is', async () => {
  const file = join(folder, 'out.json');
  writeFileSync(file, 'before');
  await requireWritable(file);
  expect(readdirSync(folder)).toEqual(['out.json']);
  expect(readFileSync(file, 'utf8')).toBe('before');
});

test.each([
  ['gate', '--baseline', 'evl_1', '--candidate', 'evl_2', '--min-effect', '0.1', '--junit'],
  ['report', 'evl_1', '--out'],
  ['leaderboard', 'record', 'lb_1', 'sub_1', '--out'],
  ['export-results', 'evl_1', '--format', 'csv', '--out'],
])('a file that cannot be written is refused before anything is asked: %s', async (...words) => {
  await using api = await fakeApi(json({}));
  const file = join(folder, 'no', 'such', 'folder.txt');
  await expect(runVerb(api, ...words, file)).rejects.toThrow(
    /folder\.txt cannot be written: there is no such file or folder/,
  );
  expect(api.requests).toEqual([]);
});

test.each([
  ['import', 'mcp-bench', 'FILE', '--catalog', 'cat_1'],
  ['import', 'live-mcp-bench-tools', 'FILE'],
  ['benchmarks', 'import', 'FILE', '--sample', '3'],
  ['verify', 'FILE'],
])('a file that is not there is named with the reason, in a sentence: %s %s', async (...words) => {
  await using api = await fakeApi(json({}));
  const file = join(folder, 'none.json');
  await expect(runVerb(api, ...words.map((word) => (word === 'FILE' ? file : word)))).rejects.toThrow(
    `${file} cannot be read: there is no such file or folder`,
  );
});

test('a folder is moved aside in place of what was there, or removed', () => {
  const [demo, before] = [join(folder, 'demo'), join(folder, 'before')];
  const put = (text: string): void => {
    rmSync(demo, { recursive: true, force: true });
    removeOrMoveFolderAside(demo, undefined);
    writeFileSync(demo, text);
  };
  removeOrMoveFolderAside(demo, before);
  expect(readdirSync(folder)).toEqual([]);
  for (const text of ['first', 'second']) {
    put(text);
    removeOrMoveFolderAside(demo, before);
    expect(readdirSync(folder)).toEqual(['before']);
    expect(readFileSync(before, 'utf8')).toBe(text);
  }
});
