import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeApi, type FakeApi } from './fake-api.ts';

/** The command line as a process of its own, with what it writes to the standard error. */
function commandLine(api: FakeApi, ...words: readonly string[]) {
  const cli = join(import.meta.dirname, '../../client/cli.ts');
  const child = spawn(process.execPath, [cli, ...words], {
    env: { ...process.env, SEXTANT_URL: api.url, SEXTANT_KEY: 'key' },
  });
  let noted = '';
  child.stderr.on('data', (chunk: Buffer) => (noted += chunk.toString()));
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, noted: noted.trim() }));
  return { child, ended };
}

test('with --json an interruption is one JSON value too', async () => {
  let asked = (): void => {};
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  await using api = await fakeApi(() => asked());
  const { child, ended } = commandLine(api, 'catalogs', 'show', 'cat_1', '--json');
  await isAsked;
  child.kill('SIGINT');
  const { code, noted } = await ended;
  expect(code).toBe(130);
  expect(JSON.parse(noted)).toEqual({
    error: { code: 'interrupted', detail: 'interrupted; a run that is under way goes on by itself' },
  });
});

test('a line that is wrong is one JSON value with --json, and points to the help on its verb without', async () => {
  await using api = await fakeApi();
  const words = ['explore', '--catalog', 'cat_1', '--stratgy', 'frontier'];
  const detail = '"explore" has no option --stratgy; did you mean --strategy?';
  const json = await commandLine(api, ...words, '--json').ended;
  expect([json.code, JSON.parse(json.noted)]).toEqual([2, { error: { code: 'usage', detail } }]);
  const people = await commandLine(api, ...words).ended;
  expect(people.noted.split('\n')).toEqual([detail, '"npm run sextant -- help explore" shows what it takes.']);
});
