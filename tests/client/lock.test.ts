import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockFile, type LockFile } from '#core/reports/lock/lock-file.ts';
import { server as courier } from '../fixtures/servers/courier.ts';
import { fakeApi } from './fake-api.ts';
import { runVerb } from './run-verb.ts';
import { writeServerFile } from './server-file.ts';

let folder: string;
let stockFile: string;
let stockLock: Awaited<ReturnType<typeof lock>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
  stockFile = writeServerFile(folder, { stock: 'inventory' });
  stockLock = await lock(stockFile);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function lock(file: string): Promise<{ at: string; locked: LockFile }> {
  await using api = await fakeApi();
  const at = `${file}.lock`;
  await runVerb(api, 'lock', file, '--out', at);
  return { at, locked: lockFile.parse(JSON.parse(readFileSync(at, 'utf8'))) };
}

async function check(file: string, at: string): Promise<string> {
  await using api = await fakeApi();
  const { lines } = await runVerb(api, 'check', file, '--lock', at);
  return lines.join('\n');
}

test('servers that have not changed pass their lock, which has calls of tools that only read', async () => {
  const { at, locked } = stockLock;
  const [stock] = locked.servers;
  expect(stock?.tools).toHaveLength(5);
  expect(stock?.calls.length).toBeGreaterThan(2);
  expect(await check(stockFile, at)).toContain('nothing has changed since the lock');
});

test('a check against a lock ends with what has changed, in words, arguments and behaviour', async () => {
  const { at, locked } = stockLock;
  const servers = locked.servers.map((server) => ({
    ...server,
    tools: server.tools
      .map((tool, place) => (place === 0 ? { ...tool, description: 'Once it said this.' } : tool))
      .slice(0, -1),
    calls: server.calls.map((call) => ({ ...call, shape: { ...call.shape, once: 'string' } })),
  }));
  const changed = `${at}.changed`;
  writeFileSync(changed, JSON.stringify({ ...locked, servers }));
  await expect(check(stockFile, changed)).rejects.toThrow(
    /^\d+ changes: \d+ behaviour, 1 widening, 1 words since the lock \(--lock\)$/,
  );
});

test('tools that change something are not called to write a lock', async () => {
  const calls = join(folder, 'calls');
  const file = writeServerFile(folder, { parcels: 'courier' }, { CALLS_FILE: calls });
  const { locked } = await lock(file);
  const changing = courier.tools.filter(({ changes }) => changes === true).map(({ definition }) => definition.name);
  const called = readFileSync(calls, 'utf8').split('\n');
  expect(changing.filter((name) => called.includes(name))).toEqual([]);
  expect(locked.servers[0]?.calls.some(({ tool }) => changing.includes(tool))).toBe(false);
});

test('what is no lock is refused before a server is started', async () => {
  const at = join(folder, 'other.json');
  writeFileSync(at, '{"type":"other"}');
  await expect(check(stockFile, at)).rejects.toThrow(`${at} is no lock: "lock" writes one`);
  await expect(check(stockFile, join(folder, 'none.json'))).rejects.toThrow('cannot be read');
});
