import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { startGateway } from '../../offline/gateway/gateway.ts';
import { readServerSpecsFromFile } from '../../offline/gateway/server-file.ts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const written = (mcpServers: unknown): string => {
  const path = join(folder, 'servers.json');
  writeFileSync(path, JSON.stringify({ mcpServers }));
  return path;
};

/** A server in few lines: its only tool says what is in a file, its argument, its setting and its proxy. */
const program = `
const { readFileSync } = require('node:fs');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const read = (path) => {
    try { return readFileSync(path, 'utf8'); } catch (error) { return error.message; }
  };
  const text = () => [read(params.arguments.path), process.argv[2], process.env.SETTING, process.env.HTTPS_PROXY].join(' ');
  const results = {
    initialize: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': { tools: [{ name: 'say', inputSchema: { type: 'object' } }] },
    'tools/call': method === 'tools/call' ? { content: [{ type: 'text', text: text() }] } : null,
  };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
});`;

/** Serves a file with one server, and returns what its tool says of the file `note` in its folder. */
async function callOnlyServer({ name, cwd }: { readonly name: string; readonly cwd?: string }): Promise<string> {
  writeFileSync(join(folder, 'server.cjs'), program);
  const args = [join(folder, 'server.cjs'), '$work'];
  const path = written({
    [name]: { command: process.execPath, args, env: { SETTING: 'blue' }, cwd, domain: 'words' },
  });
  const gateway = await startGateway({ port: 0, servers: readServerSpecsFromFile(path) });
  try {
    expect(await gateway.warm).toEqual([]);
    expect(gateway.servers).toMatchObject([{ name, domain: 'words', stateful: true }]);
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/${name}/mcp`)));
    const { content } = await client.callTool({ name: 'say', arguments: { path: `/srv/${name}/note` } });
    await client.close();
    return z.tuple([z.object({ text: z.string() })]).parse(content)[0].text;
  } finally {
    await gateway.close();
  }
}

describe('a file of stdio servers', () => {
  it('starts them behind the gateway, with arguments, settings and a copy of their folder, which has the same path in every session', async () => {
    mkdirSync(join(folder, 'files'));
    writeFileSync(join(folder, 'files', 'note'), 'harbour');
    const said = await callOnlyServer({ name: 'mine', cwd: 'files' });
    expect(said).toContain('harbour /srv/mine blue');
  });

  it('reaches the network as this machine does, through its proxies', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://proxy.example:3128');
    mkdirSync(join(folder, 'files'));
    writeFileSync(join(folder, 'files', 'note'), 'harbour');
    expect(await callOnlyServer({ name: 'mine', cwd: 'files' })).toMatch(/ http:\/\/proxy\.example:3128$/);
  });

  it('may name a server like a bundled one, whose folder it does not get', async () => {
    expect(await callOnlyServer({ name: 'files' })).toMatch(/no such file.*\/srv\/files\/note/);
  });

  it.each([
    ['no command', { mine: { args: [] } }, 'mcpServers.mine.command: give the command'],
    ['a URL', { mine: { url: 'https://example.com/mcp' } }, 'a server with a URL is registered without a file'],
    [
      'a name that no server can have',
      { 'My server': { command: 'node' } },
      'mcpServers.My server: a name has lower-case',
    ],
    [
      'a folder that does not exist',
      { mine: { command: 'node', cwd: 'none' } },
      'mcpServers.mine.cwd: there is no folder /',
    ],
    ['no server', {}, 'mcpServers: there is no server in the file'],
    ['a list of servers', [], 'mcpServers: Invalid input: expected record'],
  ])('is refused with %s', (_, servers, words) => {
    expect(() => readServerSpecsFromFile(written(servers))).toThrow(words);
  });

  it('is refused in one line if it cannot be read or is not JSON', () => {
    const right = 'give the path of a file with "mcpServers", as MCP clients have it';
    expect(() => readServerSpecsFromFile(join(folder, 'none.json'))).toThrow(
      `the file cannot be read: there is no such file or folder; ${right}`,
    );
    expect(() => readServerSpecsFromFile(folder)).toThrow(`the file cannot be read: it is a folder; ${right}`);
    const path = join(folder, 'servers.json');
    writeFileSync(path, '{\n  "mcpServers": {\n');
    expect(() => readServerSpecsFromFile(path)).toThrow(/^the file is not JSON: .*$/);
    writeFileSync(path, '[]');
    expect(() => readServerSpecsFromFile(path)).toThrow('the file: Invalid input');
  });
});
