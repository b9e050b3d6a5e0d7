import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { probeMemory, type MemoryGrowth } from '../../client/check/probe-memory.ts';
import { listProcessTree } from '../../client/check/process-tree.ts';
import { rawServer } from './raw-server.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
  writeFileSync(join(folder, 'server.mjs'), rawServer);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function growth(command: string, args: string[]): Promise<{ calls: number; found: MemoryGrowth | null }> {
  const transport = new StdioClientTransport({ command, args, stderr: 'ignore' });
  const client = new Client({ name: 'test', version: '1' });
  client.onerror = () => undefined;
  await client.connect(transport);
  let calls = 0;
  const call = (): Promise<unknown> => {
    calls += 1;
    return client.callTool({ name: 'add', arguments: {} });
  };
  const found = await probeMemory(transport.pid ?? 0, call);
  await client.close();
  return { calls, found };
}

test('a server that keeps 3 MB of each call leaks, and is left alone when 192 MB are gone', async () => {
  const { calls, found } = await growth(process.execPath, [join(folder, 'server.mjs'), 'leaks']);
  expect(found?.megabytesPerCall).toBeGreaterThan(2.5);
  expect(found?.megabytesPerCall).toBeLessThan(3.5);
  expect(calls).toBeLessThan(200);
});

test('a server that another program started leaks as well', async () => {
  const script = `"${process.execPath}" "${join(folder, 'server.mjs')}" leaks; exit 0`;
  const { found } = await growth('sh', ['-c', script]);
  expect(found?.megabytesPerCall).toBeGreaterThan(2.5);
});

test('a server that allocates 0.6 MB in each call and keeps nothing does not leak', async () => {
  const { calls, found } = await growth(process.execPath, [join(folder, 'server.mjs'), 'none']);
  expect(found).toBeNull();
  expect(calls).toBeGreaterThanOrEqual(200);
});

test('a call that fails, or never ends, and a process that is not there end the look', async () => {
  expect(await probeMemory(process.pid, () => Promise.reject(new Error('refused')))).toBeNull();
  expect(await probeMemory(2 ** 22 + 1, () => Promise.resolve())).toBeNull();
  const started = performance.now();
  expect(await probeMemory(process.pid, () => new Promise(() => undefined))).toBeNull();
  expect(performance.now() - started).toBeLessThan(6_000);
});

test('a process is listed with its memory', async () => {
  const tree = await listProcessTree(process.pid);
  expect(tree?.[0]?.pid).toBe(process.pid);
  expect(tree?.[0]?.megabytes).toBeGreaterThan(10);
});
