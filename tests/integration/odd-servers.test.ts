import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { discoverTools } from '#adapters/mcp/list-tools.ts';
import { Admission } from '#adapters/network/admission.ts';
import { serveLocally, type LocalServer } from '../support/serve-locally.ts';

/** Servers as they were met: what they answer is written by hand, because no SDK would write it. */
const running: LocalServer[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
});

type Answer = (asked: Asked, request: Request) => Response | Promise<Response> | object | null | undefined;

const asked = z.object({ id: z.union([z.number(), z.string()]).optional(), method: z.string() });
type Asked = z.infer<typeof asked>;

/** Starts a server that answers a method as said, and every other as a plain server with the tool `good`. */
async function startOddServer(answers: Readonly<Record<string, Answer>>, get?: () => Response): Promise<string> {
  const plain: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'odd', version: '1' },
    },
    'tools/list': { tools: [{ name: 'good', inputSchema: { type: 'object' } }] },
  };
  const server = await serveLocally(async (request) => {
    if (request.method !== 'POST') return get?.() ?? new Response(null, { status: 405 });
    const message = asked.parse(await request.json());
    const answer = answers[message.method] ?? answers['*'];
    const given = await answer?.(message, request);
    if (given instanceof Response) return given;
    if (message.id === undefined) return new Response(null, { status: 202 });
    const result = given ?? plain[message.method];
    const error = { code: -32601, message: 'no such method' };
    return Response.json({ jsonrpc: '2.0', id: message.id, ...(result === undefined ? { error } : { result }) });
  });
  running.push(server);
  return server.url;
}

const discover = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  discoverTools({ admission: new Admission(), url, headers, allowLocal: true, timeoutMs: 1_000 });

const lists =
  (...tools: readonly object[]): Answer =>
  () => ({ tools: [{ name: 'good', inputSchema: { type: 'object' } }, ...tools] });
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Answer =>
  () =>
    new Response(body, { status: code, headers });
const object = { type: 'object' };

describe('a tool is registered', () => {
  test.each([
    ['whose results are a list', { name: 'odd', inputSchema: object, outputSchema: { type: 'array', items: {} } }],
    ['whose input schema names no type', { name: 'odd', inputSchema: { properties: { a: { type: 'string' } } } }],
    ['whose input schema is empty', { name: 'odd', inputSchema: {} }],
    ['whose title and description are null', { name: 'odd', inputSchema: object, title: null, description: null }],
    [
      'without annotations and output schema, written as null',
      { name: 'odd', inputSchema: object, annotations: null, outputSchema: null },
    ],
    ['of a Chinese name', { name: '查询天气', inputSchema: object }],
    ['of a name with dots and slashes', { name: 'weather.v2/now', inputSchema: object }],
    [
      'whose schema refers to itself',
      { name: 'odd', inputSchema: { type: 'object', properties: { a: { $ref: '#' } } } },
    ],
  ])('%s', async (_what, tool) => {
    const found = await discover(await startOddServer({ 'tools/list': lists(tool) }));
    expect(found).toMatchObject({ ok: true, value: { tools: [{ name: 'good' }, { name: tool.name }], leftOut: [] } });
  });
});

describe('a tool is set aside and named', () => {
  test.each([
    [
      'whose property says `required: true`',
      { name: 'odd', inputSchema: { type: 'object', properties: { a: { required: true } } } },
      'required',
    ],
    [
      'with a pattern of another language',
      { name: 'odd', inputSchema: { type: 'object', properties: { a: { pattern: '(?P<a>.)\\Z' } } } },
      'pattern',
    ],
    [
      'whose schema is elsewhere',
      { name: 'odd', inputSchema: { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } } },
      'https://example.com/a.json',
    ],
    ['that takes no object', { name: 'odd', inputSchema: { type: 'array' } }, 'not "object"'],
    ['without an input schema', { name: 'odd' }, 'inputSchema'],
  ])('%s', async (_what, tool, problem) => {
    const found = await discover(await startOddServer({ 'tools/list': lists(tool) }));
    const leftOut = [{ tool: 'odd', problem: expect.stringContaining(problem) }];
    expect(found).toMatchObject({ ok: true, value: { tools: [{ name: 'good' }], leftOut } });
  });

  test('if another of its name came first', async () => {
    const twice = { name: 'good', description: 'another one', inputSchema: object };
    const found = await discover(await startOddServer({ 'tools/list': lists(twice) }));
    const leftOut = [{ tool: 'good', problem: 'good is listed twice' }];
    expect(found).toMatchObject({ ok: true, value: { tools: [{ name: 'good' }], leftOut } });
  });
});

describe('a server is registered that', () => {
  test.each<[string, Readonly<Record<string, Answer>>]>([
    ['breaks at a method that it does not know', { 'server/discover': status(500) }],
    [
      'answers a method that it does not know with a web page',
      { 'server/discover': status(200, { 'content-type': 'text/html' }, '<html>') },
    ],
    ['answers a method that it does not know with an empty result', { 'server/discover': () => ({}) }],
    ['wants a session before anything else', { 'server/discover': status(400, {}, 'no session') }],
    ['answers notifications with 200', { 'notifications/initialized': status(200) }],
  ])('%s', async (_what, answers) => {
    expect(await discover(await startOddServer(answers))).toMatchObject({
      ok: true,
      value: { tools: [{ name: 'good' }] },
    });
  });
});

describe('a server is refused, with the cause and what to do,', () => {
  const sse = () =>
    new Response('event: endpoint\ndata: /messages\n\n', { headers: { 'content-type': 'text/event-stream' } });

  test.each<[string, Readonly<Record<string, Answer>>, string, string, (() => Response)?]>([
    [
      'that speaks the older transport alone',
      { '*': status(405) },
      'not-mcp',
      'HTTP status 405: the server speaks the transport of 2024-11-05',
      sse,
    ],
    [
      'at a path where nothing is',
      { '*': status(404) },
      'not-mcp',
      'HTTP status 404: nothing takes MCP at this path; often it is /mcp',
    ],
    [
      'that is a web page',
      { '*': status(200, { 'content-type': 'text/html; charset=utf-8' }, '<html>') },
      'not-mcp',
      'the answer is text/html, which is neither JSON nor an event stream',
    ],
    [
      'that answers with broken JSON',
      { '*': status(200, { 'content-type': 'application/json' }, '{"jsonrpc"') },
      'not-mcp',
      'the answer is not MCP',
    ],
    ['that wants a key', { '*': status(401) }, 'unauthorized', 'HTTP status 401'],
    ['that forbids', { '*': status(403) }, 'unauthorized', 'HTTP status 403'],
    ['that takes another type of content', { '*': status(415) }, 'not-mcp', 'HTTP status 415'],
    ['that gives another type of content', { '*': status(406) }, 'not-mcp', 'HTTP status 406'],
    ['that is broken', { '*': status(500) }, 'unreachable', 'HTTP status 500'],
    ['behind a proxy that does not find it', { '*': status(502) }, 'unreachable', 'HTTP status 502'],
    [
      'that speaks a version from the future',
      {
        initialize: () => ({
          protocolVersion: '2031-01-01',
          capabilities: {},
          serverInfo: { name: 'n', version: '1' },
        }),
      },
      'not-mcp',
      'the server speaks 2031-01-01 of MCP, Sextant 2026-07-28, 2025-11-25',
    ],
    ['that demands a session and gives none', { 'tools/list': status(400) }, 'not-mcp', 'HTTP status 400'],
    ['without tools', { 'tools/list': () => ({ tools: [] }) }, 'no-tools', 'the server lists no tools'],
    [
      'whose list never ends',
      { 'tools/list': () => ({ tools: [], nextCursor: 'again' }) },
      'not-mcp',
      'tools/list gave the same cursor twice',
    ],
  ])('%s', async (_what, answers, reason, detail, get) => {
    const found = await discover(await startOddServer(answers, get));
    expect(found).toMatchObject({ ok: false, problem: { reason, detail: expect.stringContaining(detail) } });
  });

  test.each<[string, Answer, object]>([
    [
      'that is busy for 30 seconds',
      status(429, { 'retry-after': '30' }),
      {
        detail: expect.stringMatching(/^rate-limited until \S+Z \(HTTP status 429: .* 30 seconds\)$/),
        retryAfterMs: 30_000,
      },
    ],
    ['that is down for a minute', status(503, { 'retry-after': '60' }), { retryAfterMs: 60_000 }],
    ['that is busy for longer than dates reach', status(429, { 'retry-after': '1e300' }), { retryAfterMs: 86_400_000 }],
    ['that is busy and does not say how long', status(429), { detail: expect.stringContaining('until when') }],
  ])('%s', async (_what, answer, problem) => {
    for (const method of ['*', 'tools/list']) {
      const found = await discover(await startOddServer({ [method]: answer }));
      expect(found).toMatchObject({ ok: false, problem: { reason: 'rate-limited', ...problem } });
    }
  });

  test('that never answers', async () => {
    const never = () => new Promise<Response>(() => undefined);
    const found = await discover(await startOddServer({ '*': never }));
    expect(found).toMatchObject({ ok: false, problem: { reason: 'timeout' } });
  });

  test('that leads to a page to sign in', async () => {
    const page = await startOddServer({ '*': status(200, { 'content-type': 'text/html' }, '<form>') });
    const found = await discover(await startOddServer({ '*': status(307, { location: page }) }));
    expect(found).toMatchObject({
      ok: false,
      problem: { reason: 'not-mcp', detail: expect.stringContaining('text/html') },
    });
  });

  test('whose address is a command', async () => {
    expect(await discover('npx -y some-mcp-server')).toMatchObject({
      ok: false,
      problem: {
        reason: 'address-forbidden',
        detail: expect.stringContaining('a server that is started by a command'),
      },
    });
  });
});
