import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeApi, json, problem } from './fake-api.ts';
import { server } from './listed-server.ts';
import { runVerb } from './run-verb.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
  file = join(folder, 'mcp.json');
  const remote = { url: server.url, headers: { 'x-key': 'abc' } };
  writeFileSync(file, JSON.stringify({ mcpServers: { files: remote, notes: { command: 'notes', domain: 'news' } } }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const notes = { ...server, id: 'srv_2', name: 'notes', url: 'http://127.0.0.1:1/notes/mcp' };
const listOf = (...items: readonly unknown[]) => json({ items, nextCursor: null });
const served = json([{ name: 'notes', url: notes.url }]);
const adding = (bridge: string) => ['servers', 'add', file, '--domain', 'files', '--bridge', bridge];

test('"servers add" registers all servers of a file: by their address, or where they are served', async () => {
  await using bridge = await fakeApi(served);
  await using api = await fakeApi(listOf(), json(server, 201), json(notes, 201));
  const { lines } = await runVerb(api, ...adding(bridge.url), '--isolation', 'session');
  const bodies = api.requests.slice(1).map(({ body }): unknown => JSON.parse(body));
  const isolation = { kind: 'session' };
  expect(bodies).toMatchObject([
    { name: 'files', url: server.url, domain: 'files', headers: { 'x-key': 'abc' }, isolation },
    { name: 'notes', url: notes.url, domain: 'news', isolation },
  ]);
  expect(lines.filter((line) => line.includes('tools'))).toEqual([
    expect.stringMatching(/^files: 2 tools/),
    expect.stringMatching(/^notes: 2 tools/),
  ]);
});

test('"servers add" of a file leaves what is registered as it is', async () => {
  await using bridge = await fakeApi(served);
  await using api = await fakeApi(listOf(server, notes));
  const { lines } = await runVerb(api, ...adding(bridge.url));
  expect(lines).toEqual(['files: is registered already (srv_1)', 'notes: is registered already (srv_2)']);
});

test('"servers add" of a file continues after a server that is refused, and fails in the end', async () => {
  await using bridge = await fakeApi(served);
  await using api = await fakeApi(listOf(), problem(422, 'server-unusable'), json(notes, 201));
  const words = adding(bridge.url);
  await expect(runVerb(api, ...words)).rejects.toThrow('1 of 2 servers could not be added: files');
  expect(api.requests).toHaveLength(3);
});

test('"servers add" of a file adds nothing if a local server is not served or a name is taken by another address', async () => {
  await using other = await fakeApi(json([]));
  await using api = await fakeApi(listOf({ ...server, url: 'https://other.example/mcp' }));
  await expect(runVerb(api, ...adding('http://127.0.0.1:9'))).rejects.toThrow(/nothing serves them at .*run: serve /);
  await expect(runVerb(api, ...adding(other.url))).rejects.toThrow('notes is not served at');
  expect(api.requests).toEqual([]);
  await using bridge = await fakeApi(served);
  await expect(runVerb(api, ...adding(bridge.url))).rejects.toThrow(
    'a server files is registered with another address',
  );
  expect(api.requests).toHaveLength(1);
});

test('"servers add" takes no file with an option of one server, and no name without an address', async () => {
  await using api = await fakeApi();
  await expect(runVerb(api, ...adding('http://x'), '--header', 'a: b')).rejects.toThrow(
    '--header says something of one',
  );
  await expect(runVerb(api, 'servers', 'add', 'files', '--domain', 'x')).rejects.toThrow('url is missing');
});

test('"servers add --all" registers what a gateway lists, with the domains and tokens that it names', async () => {
  const auth = { type: 'client-credentials', clientId: 'sextant', clientSecret: 's' };
  const listed = [
    { name: 'files', url: server.url, domain: 'storage', stateful: true, isolation: { kind: 'session' }, auth },
    { name: 'notes', url: notes.url, domain: 'news', isolation: { kind: 'none' }, effects: { 'notes/read': 'reads' } },
  ];
  await using gateway = await fakeApi(json(listed));
  await using api = await fakeApi(listOf(), json(server, 201), json(notes, 201));
  await runVerb(api, 'servers', 'add', '--all', gateway.url, '--allow', 'destroys');
  expect(gateway.requests[0]?.line).toBe('GET /servers');
  expect(api.requests.slice(1).map(({ body }): unknown => JSON.parse(body))).toMatchObject([
    { name: 'files', url: server.url, domain: 'storage', allows: 'destroys', isolation: { kind: 'session' }, auth },
    { name: 'notes', url: notes.url, domain: 'news', effects: { 'notes/read': 'reads' } },
  ]);
});

test('"servers add --all" says what is missing: a domain, a gateway, an address', async () => {
  await using gateway = await fakeApi(served, json({ no: 'list' }));
  await using api = await fakeApi(listOf());
  const add = (...words: readonly string[]) => runVerb(api, 'servers', 'add', ...words);
  await expect(add('--all', gateway.url)).rejects.toThrow('does not say to which field notes belongs');
  await expect(add('--all', gateway.url)).rejects.toThrow('something else than a list of servers');
  await expect(add('--all', 'calc')).rejects.toThrow('"calc" is no address of a gateway');
  await expect(add('--all', 'http://127.0.0.1:9')).rejects.toThrow('nothing lists servers at http://127.0.0.1:9');
  await expect(add('--all', gateway.url, '--header', 'A: 1')).rejects.toThrow('--header says something of one server');
  await expect(add('calc', 'http://x/mcp')).rejects.toThrow('--domain DOMAIN is missing');
  await expect(add()).rejects.toThrow('name is missing');
  expect(api.requests).toEqual([]);
});
