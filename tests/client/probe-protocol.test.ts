import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { probeProtocol } from '../../client/check/probe-protocol.ts';
import type { HttpEntry, StdioEntry } from '../../client/serve/server-file.ts';
import { startEraServer } from '../support/era-server.ts';
import { startTestMcpServer } from '../support/mcp-server.ts';
import { serveLocally } from '../support/serve-locally.ts';
import { rawServer } from './raw-server.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
  writeFileSync(join(folder, 'server.mjs'), rawServer);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const local = (fault: string): StdioEntry => ({
  kind: 'stdio',
  name: 'raw',
  domain: undefined,
  command: process.execPath,
  args: [join(folder, 'server.mjs'), fault],
  env: {},
  cwd: folder,
});
const at = (url: string): HttpEntry => ({ kind: 'http', name: 'raw', domain: undefined, url, headers: {} });
const sentences = async (entry: HttpEntry | StdioEntry): Promise<string[]> =>
  (await probeProtocol(entry)).map(({ sentence }) => sentence);

test('a local server that keeps the specification has no findings, although it writes to standard output', async () => {
  expect(await sentences(local('none'))).toEqual([]);
});

test('a list whose cursor comes back has no names that two tools have', async () => {
  expect(await sentences(local('no-end'))).toEqual([]);
});

test.each([
  ['echoes-version', 'it agrees to the protocol version 1999-01-01'],
  ['no-server-info', 'its answer to `initialize` lacks `serverInfo`'],
  ['ping-says', 'the result of `ping` is not empty'],
  ['twice', 'it lists more than one tool with the name "add"'],
  ['no-schema', 'the `inputSchema` of "add" is no object'],
  ['content-text', 'the `content` of a result of `tools/call`'],
  ['no-logging', 'it declares the capability `logging` and does not know `logging/setLevel`'],
  ['no-jsonrpc', 'an answer has no `"jsonrpc": "2.0"`'],
  ['number-ids', 'a request whose id is a text gets no answer'],
  ['text-ids', 'an answer has the id of its request in another type'],
  ['text-code', 'the `error` of an answer has no integer as its `code`'],
  ['unknown-silent', 'a request with an unknown method gets no answer'],
  ['unknown-result', 'a request with an unknown method gets a result'],
  ['dies-of-notification', 'it ends after a notification that it does not know'],
  ['dies-of-malformed', 'it ends after a line that is no JSON'],
  ['stays', 'its process still runs 8 s after its standard input was closed'],
])('a local server with the mistake %s has that finding alone', async (fault, said) => {
  const found = await sentences(local(fault));
  expect(found).toEqual([expect.stringContaining(said)]);
});

test('a program that cannot be started, or that ends at once, has no findings', async () => {
  expect(await sentences({ ...local('none'), command: join(folder, 'nothing') })).toEqual([]);
  expect(await sentences({ ...local('none'), args: ['-e', ''] })).toEqual([]);
});

test('an address where nothing answers, or that asks for authorization, has no findings', async () => {
  await using asking = await closing(() => new Response('who are you?', { status: 401 }));
  expect(await sentences(at('http://127.0.0.1:9/mcp'))).toEqual([]);
  expect(await sentences(at(asking.url))).toEqual([]);
});

test.each(['modern', 'dual'] as const)(
  'an HTTP server of the era %s has only the finding on foreign sites',
  async (era) => {
    const server = await startEraServer(era);
    expect(await sentences(at(server.url))).toEqual([expect.stringContaining('DNS rebinding')]);
    expect(server.asked).toContain('tools/list');
    await server.close();
  },
);

test('an HTTP server with sessions refuses one that it did not open', async () => {
  const server = await startTestMcpServer({ tools: [] });
  expect(await sentences(at(server.url))).toEqual([expect.stringContaining('DNS rebinding')]);
  await server.close();
});

test('an HTTP server that refuses foreign sites is clean, and one that takes any session is not', async () => {
  const answers = (body: string): Record<string, unknown> => {
    const { id, method } = asked(body);
    const serverInfo = { name: 'raw', version: '1' };
    if (method === 'initialize') return { id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo } };
    return method === 'ping' ? { id, result: {} } : { id, error: { code: -32_601, message: 'not found' } };
  };
  const answer = async (request: Request, session: boolean): Promise<Response> => {
    if (request.headers.has('origin')) return new Response('', { status: 403 });
    const body = await request.text();
    if (request.method !== 'POST' || asked(body).id === undefined) return new Response(null, { status: 202 });
    const message = `data: ${JSON.stringify({ jsonrpc: '2.0', ...answers(body) })}\n\n`;
    const headers = { 'content-type': 'text/event-stream', ...(session ? { 'mcp-session-id': 's1' } : {}) };
    return new Response(`event: message\n${message}`, { headers });
  };
  await using clean = await closing((request) => answer(request, false));
  expect(await sentences(at(clean.url))).toEqual([]);
  await using open = await closing((request) => answer(request, true));
  expect(await sentences(at(open.url))).toEqual(['it serves requests with a session id that it never gave out']);
});

async function closing(answer: (request: Request) => Response | Promise<Response>) {
  const server = await serveLocally(answer);
  return { url: server.url, [Symbol.asyncDispose]: () => server.close() };
}

function asked(body: string): { readonly id?: unknown; readonly method?: unknown } {
  try {
    const message: unknown = JSON.parse(body);
    return typeof message === 'object' && message !== null ? message : {};
  } catch {
    return {};
  }
}
