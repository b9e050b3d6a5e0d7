import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readServerFile } from '../../client/serve/server-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (content: unknown): string => {
  const path = join(folder, 'mcp.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
};
const read = (content: unknown, environment: Record<string, string> = {}) =>
  readServerFile(write(content), environment);

describe('a file of servers', () => {
  test('has local and remote ones, with variables, folders and names made fit; disabled ones are left out', () => {
    mkdirSync(join(folder, 'files'));
    const mcpServers = {
      'My Server': {
        command: 'node',
        args: ['${TOKEN}', '${PORT:-80}', '${workspaceFolder}/x'],
        env: { A: '${env:TOKEN}', N: 5 },
        cwd: 'files',
      },
      remote: {
        type: 'http',
        url: 'https://example.com/mcp',
        headers: { authorization: 'Bearer ${TOKEN}' },
        domain: 'news',
      },
      old: { command: 'node', disabled: true },
    };
    expect(read({ mcpServers }, { TOKEN: 'abc' })).toEqual([
      {
        kind: 'stdio',
        name: 'my-server',
        domain: undefined,
        command: 'node',
        args: ['abc', '80', `${folder}/x`],
        env: { A: 'abc', N: '5' },
        cwd: join(folder, 'files'),
      },
      {
        kind: 'http',
        name: 'remote',
        domain: 'news',
        url: 'https://example.com/mcp',
        headers: { authorization: 'Bearer abc' },
      },
    ]);
  });

  test('may call them "servers", as VS Code does', () => {
    expect(read({ servers: { a: { type: 'stdio', command: 'node' } } })).toMatchObject([{ name: 'a', cwd: folder }]);
  });

  test.each([
    ['no servers', { mcpServers: {} }, 'mcpServers: there is no server in the file'],
    ['another form', { tools: {} }, 'the file: give an object with "mcpServers"'],
    ['neither a command nor an address', { mcpServers: { a: { args: [] } } }, 'a: give a "command" or a "url"'],
    ['wrong arguments', { mcpServers: { a: { command: 'x', args: [1] } } }, 'a.args.0: give a text'],
    [
      'a transport of old',
      { mcpServers: { a: { type: 'sse', url: 'https://x.example/' } } },
      'a.type: only Streamable HTTP',
    ],
    ['no web address', { mcpServers: { a: { url: 'ftp://x.example/' } } }, 'a.url: give an http or https address'],
    ['a missing variable', { mcpServers: { a: { command: '${NONE}' } } }, 'a.command: the environment has no NONE'],
    ['an input of an editor', { mcpServers: { a: { command: '${input:key}' } } }, 'is asked for by an editor'],
    ['a missing folder', { mcpServers: { a: { command: 'x', cwd: 'none' } } }, 'a.cwd: there is no folder /'],
    ['a name of no letters', { mcpServers: { 日本: { command: 'x' } } }, '日本: no name can be made of it'],
    [
      'names that become the same',
      { mcpServers: { 'A b': { command: 'x' }, 'a-b': { command: 'x' } } },
      'two servers of the file would have the name "a-b"',
    ],
    [
      'only disabled servers',
      { mcpServers: { a: { command: 'x', disabled: true } } },
      'all servers of the file are disabled',
    ],
  ])('is refused with %s', (_, content, words) => {
    expect(() => read(content)).toThrow(words);
  });

  test('is refused in one line if it is missing or is not JSON', () => {
    expect(() => readServerFile(join(folder, 'none.json'), {})).toThrow(
      /none\.json cannot be read: there is no such file or folder; give the path of a file with "mcpServers", as MCP clients have it$/,
    );
    const path = write({});
    writeFileSync(path, '{\n "mcpServers": {\n');
    expect(() => readServerFile(path, {})).toThrow(/^\S+ is not JSON: .*$/);
  });
});
