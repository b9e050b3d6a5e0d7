import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGateway } from '../../offline/gateway/gateway.ts';
import { readServerFile } from '../../offline/gateway/server-file.ts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const written = (mcpServers: unknown): string => {
  const path = join(folder, 'servers.json');
  writeFileSync(path, JSON.stringify({ mcpServers }));
  return path;
};

/** A server in few lines: its only tool says what is in a file, its argument and its setting. */
const program = `
const { readFileSync } = require('node:fs');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const text = () => [readFileSync(params.arguments.path, 'utf8'), process.argv[2], process.env.SETTING].join(' ');
  const results = {
    initialize: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': { tools: [{ name: 'say', inputSchema: { type: 'object' } }] },
    'tools/call': method === 'tools/call' ? { content: [{ type: 'text', text: text() }] } : null,
  };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
});`;

describe('a file of stdio servers', () => {
  it('starts them behind the gateway, with arguments, settings and a copy of their folder, which has the same path in every session', async () => {
    mkdirSync(join(folder, 'files'));
    writeFileSync(join(folder, 'files', 'note'), 'harbour');
    writeFileSync(join(folder, 'server.cjs'), program);
    const path = written({
      mine: {
        command: process.execPath,
        args: [join(folder, 'server.cjs'), '$work'],
        env: { SETTING: 'blue' },
        cwd: 'files',
        domain: 'words',
      },
    });
    const gateway = await startGateway({ port: 0, servers: readServerFile(path) });
    try {
      expect(await gateway.warm).toEqual([]);
      expect(gateway.servers).toMatchObject([{ name: 'mine', domain: 'words', stateful: true }]);
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mine/mcp`)));
      const { content } = await client.callTool({ name: 'say', arguments: { path: '/srv/mine/note' } });
      await client.close();
      expect(content).toEqual([{ type: 'text', text: 'harbour /srv/mine blue' }]);
    } finally {
      await gateway.close();
    }
  });

  it('is refused with the name of a bundled server, for which there are cards', () => {
    expect(() => readServerFile(written({ files: { command: 'node' } }))).toThrow('bundled server');
  });

  it('is refused without a command, or with a name that no server can have', () => {
    expect(() => readServerFile(written({ mine: { args: [] } }))).toThrow('command');
    expect(() => readServerFile(written({ 'My server': { command: 'node' } }))).toThrow('lower-case');
  });
});
