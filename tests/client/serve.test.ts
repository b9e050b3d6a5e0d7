import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startStdioToHttpBridge, type Bridge } from '../../client/serve/bridge.ts';
import type { StdioEntry } from '../../client/serve/server-file.ts';
import { countListedToolsOrFailure } from '../../client/serve/try-server.ts';

/** Counts its own calls, tells what it sees of its surroundings, asks its client for roots, reports progress, and ends when told. */
const program = `
const lines = require('node:readline').createInterface({ input: process.stdin });
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const answer = (id, text) => send({ id, result: { content: [{ type: 'text', text: String(text) }] } });
let calls = 0;
let asked;
console.error('ready');
lines.on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'initialize') return send({ id, result: {
    protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } });
  if (method === 'tools/list') return send({ id, result: { tools: ['count', 'see', 'roots', 'end', 'progress', 'hang']
    .map((name) => ({ name, inputSchema: { type: 'object' } })) } });
  if (method === undefined && id === 'roots-1') return answer(asked, result.roots[0].uri);
  if (method !== 'tools/call') return;
  calls += 1;
  if (params.name === 'count') return answer(id, calls);
  if (params.name === 'see') return answer(id, [process.cwd(), process.argv[2], process.env.SETTING, process.env.MODEL_KEY].join(' '));
  if (params.name === 'roots') { asked = id; return send({ id: 'roots-1', method: 'roots/list' }); }
  if (params.name === 'progress') {
    send({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: 1, total: 2 } });
    return answer(id, 'done');
  }
  if (params.name === 'end') process.exit(3);
});`;

let folder: string;
let bridge: Bridge | undefined;
const log: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
  writeFileSync(join(folder, 'server.cjs'), program);
  log.length = 0;
});
afterEach(async () => {
  await bridge?.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function serveEntry(changes: Partial<StdioEntry> = {}, mostProcesses = 4): Promise<string> {
  const entry: StdioEntry = {
    kind: 'stdio',
    name: 'mine',
    domain: undefined,
    command: process.execPath,
    args: [join(folder, 'server.cjs'), 'argument'],
    env: { SETTING: 'blue' },
    cwd: folder,
    ...changes,
  };
  bridge = await startStdioToHttpBridge({
    entries: [entry],
    port: 0,
    mostProcesses,
    log: (server, line) => log.push(`${server}: ${line}`),
  });
  return `${bridge.url}/mine/mcp`;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { roots: {} } });
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///here' }] }));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

const call = async (client: Client, name: string): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: {} });
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
};

describe('a served program', () => {
  test('has a process for each session, in its folder, with its arguments and variables and no others', async () => {
    vi.stubEnv('MODEL_KEY', 'secret');
    const url = await serveEntry();
    const [one, other] = [await connect(url), await connect(url)];
    expect([await call(one, 'count'), await call(one, 'count'), await call(other, 'count')]).toEqual(['1', '2', '1']);
    expect(await call(one, 'see')).toBe(`${folder} argument blue `);
    expect(log).toContain('mine: ready');
    await Promise.all([one.close(), other.close()]);
  });

  test('reports progress and asks its client, on the stream of the request', async () => {
    const client = await connect(await serveEntry());
    const seen: number[] = [];
    await client.callTool({ name: 'progress', arguments: {} }, { onprogress: ({ progress }) => seen.push(progress) });
    expect(seen).toEqual([1]);
    expect(await call(client, 'roots')).toBe('file:///here');
    await client.close();
  });

  test('that ends during a call fails that call at once, and the next session has a new process', async () => {
    const url = await serveEntry();
    const client = await connect(url);
    await expect(call(client, 'end')).rejects.toThrow('the process of mine ended before it answered');
    expect(log).toContain('mine: the process ended by itself before it answered 1 request(s)');
    await expect(call(client, 'count')).rejects.toThrow(/Session not found/);
    expect(await call(await connect(url), 'count')).toBe('1');
  });

  test('that cannot be started is an error that says why', async () => {
    const url = await serveEntry({ command: 'nonesuch-program' });
    const { signal } = new AbortController();
    expect(await countListedToolsOrFailure(url, signal)).toEqual({
      kind: 'fails',
      why: expect.stringContaining('mine could not be started: spawn nonesuch-program ENOENT'),
    });
  });

  test('has no more processes than it may; one that is given back makes room', async () => {
    const url = await serveEntry({}, 1);
    const { signal } = new AbortController();
    expect(await countListedToolsOrFailure(url, signal)).toEqual({ kind: 'lists', tools: 6 });
    const client = await connect(url);
    await expect(connect(url)).rejects.toThrow('all 1 processes of mine are taken');
    await client.close();
  });

  test('is not there for pages of other sites, other names of this machine, or under another name', async () => {
    const url = await serveEntry();
    const initialize = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    const statuses = await Promise.all([
      fetch(url, { ...initialize, headers: { ...initialize.headers, origin: 'https://evil.example' } }),
      fetch(url.replace('mine', 'other'), initialize),
      fetch(url, initialize),
      fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': 'unknown' } }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([403, 404, 400, 404]);
  });

  test('leaves no process behind when the bridge is closed', async () => {
    const url = await serveEntry();
    const client = await connect(url);
    const pending = call(client, 'hang').catch((error: unknown) => String(error));
    await bridge?.close();
    expect(await pending).not.toBe('');
    await expect(fetch(url)).rejects.toThrow();
  });
});
