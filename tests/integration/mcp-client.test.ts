import { describe, expect, test } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { makeLazyConnections, type ConnectionOptions } from '#adapters/mcp/connections.ts';
import { discoverTools, type DiscoveryOptions } from '#adapters/mcp/list-tools.ts';
import type { ServerConnections } from '#adapters/mcp/server-connections.ts';
import {
  startTestMcpServer,
  type TestMcpServer,
  type TestServerOptions,
  type TestTool,
} from '../support/mcp-server.ts';
import { running, serverWith } from '../support/running.ts';
import { toolsNamed, unlimited } from '../support/unlimited.ts';

const discover = (server: TestMcpServer, more: Partial<DiscoveryOptions> = {}) =>
  discoverTools({
    admission: new Admission(),
    url: server.url,
    headers: {},
    allowLocal: true,
    timeoutMs: 3_000,
    ...more,
  });

const callable = toolsNamed(
  'described/echo',
  'gone/echo',
  'test/bare',
  'test/deep',
  'test/echo',
  'test/fail',
  'test/huge',
  'test/long',
  'test/media',
  'test/nothing',
  'test/patient',
  'test/right',
  'test/slow',
  'test/wrong',
);

function connect(server: TestMcpServer, more: Partial<ConnectionOptions> = {}): ServerConnections {
  const servers = [{ name: 'test', url: server.url, headers: { authorization: 'Bearer s3cret' }, ...unlimited }];
  const connections = makeLazyConnections({
    admission: new Admission(),
    servers,
    tools: callable,
    allowLocal: true,
    connectTimeoutMs: 2_000,
    ...more,
  });
  running.push(connections);
  return connections;
}

const many = (count: number): TestTool[] => Array.from({ length: count }, (_, i) => ({ name: `tool-${i}` }));
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

describe("discovery of a server's tools", () => {
  test('reads all pages of the list and keeps tools unchanged', async () => {
    const odd = { name: 'odd', 'x-own': { kept: true }, inputSchema: { type: 'object', 'x-too': 1 } };
    const server = await serverWith({ tools: [...many(24), odd], pageSize: 10 });
    const found = await discover(server, { headers: { 'x-key': 'abc' } });
    expect(found.ok && found.value.tools.length).toBe(25);
    expect(found.ok && found.value.tools.at(-1)).toEqual(odd);
    expect(server.requests.every(({ headers }) => headers['x-key'] === 'abc')).toBe(true);
    expect(server.requests.every(({ headers }) => headers['user-agent'] === 'sextant/0.2.0')).toBe(true);
    expect(server.requests.filter(({ http }) => http === 'GET')).toEqual([]);
    expect(server.openSessions()).toBe(0);
  });

  test('leaves broken tools out and names them, wherever in the list they are', async () => {
    const server = await serverWith({
      pageSize: 2,
      tools: [
        { name: 'texts', inputSchema: 'object' },
        { name: 'good' },
        { name: 'list', inputSchema: { type: 'array' } },
        { name: 'better', annotations: { readOnlyHint: true } },
        { name: 'a'.repeat(200) },
      ],
    });
    const found = await discover(server);
    if (!found.ok) throw new Error(found.problem.detail);
    expect(found.value.tools.map(({ name }) => name)).toEqual(['good', 'better']);
    expect(found.value.leftOut).toEqual([
      { tool: 'texts', problem: 'texts: inputSchema is not of the required form' },
      { tool: 'list', problem: expect.stringMatching(/^list, input schema: /) },
      { tool: 'tool 5', problem: 'the name of tool 5 is not 1 to 128 printable characters' },
    ]);
  });

  test("names itself as the server's owner wants", async () => {
    const server = await serverWith({});
    await discover(server, { headers: { 'User-Agent': 'our-own/1' } });
    expect(new Set(server.requests.map(({ headers }) => headers['user-agent']))).toEqual(new Set(['our-own/1']));
  });

  test('keeps what the server says about itself, cut to its limits', async () => {
    const server = await serverWith({ instructions: `Echoes. ${'x'.repeat(10_000)}` });
    const found = await discover(server);
    expect(found).toMatchObject({ ok: true, value: { info: { name: 'test-server', version: '1.2.3' } } });
    expect(found.ok && found.value.instructions).toMatch(/^Echoes\. x+$/);
    expect(found.ok && found.value.instructions?.length).toBe(2_000);
    expect(await discover(await serverWith())).toMatchObject({ ok: true, value: { instructions: null } });
  });

  const broken: [string, TestServerOptions, string][] = [
    ['no tools', { tools: [] }, 'no-tools'],
    [
      'tools that the server does not offer',
      { tricks: { 'tools/list': { kind: 'rpc-error', code: -32601, message: '' } } },
      'no-tools',
    ],
    ['an error for a list', { tricks: { 'tools/list': { kind: 'rpc-error', code: -32603, message: '' } } }, 'not-mcp'],
    ['5,000 tools', { tools: many(5_000) }, 'too-many-tools'],
    ['5,000 tools on pages', { tools: many(5_000), pageSize: 500 }, 'too-many-tools'],
    ['6 MB of description', { tools: [{ name: 'a', description: 'x'.repeat(6_000_000) }] }, 'too-large'],
    ['a tool of 600 KB', { tools: [{ name: 'a', description: 'x'.repeat(600_000) }] }, 'too-large'],
    [
      '6 MB on pages',
      { tools: many(60).map((t) => ({ ...t, description: 'x'.repeat(100_000) })), pageSize: 5 },
      'too-large',
    ],
    ['an endless list', { endlessCursor: true }, 'not-mcp'],
    ['a schema that is a text', { tools: [{ name: 'a', inputSchema: 'object' }] }, 'broken-schema'],
    ['a schema of another type', { tools: [{ name: 'a', inputSchema: { type: 'array' } }] }, 'broken-schema'],
    [
      'an invalid type inside',
      { tools: [{ name: 'a', inputSchema: { type: 'object', properties: { b: { type: 'strnig' } } } }] },
      'broken-schema',
    ],
    [
      'a lost reference',
      { tools: [{ name: 'a', inputSchema: { type: 'object', properties: { b: { $ref: '#/$defs/c' } } } }] },
      'broken-schema',
    ],
    [
      'a broken output schema',
      { tools: [{ name: 'a', outputSchema: { type: 'object', required: 'b' } }] },
      'broken-schema',
    ],
    ['an empty name', { tools: [{ name: '' }] }, 'not-mcp'],
    ['a name with a line break', { tools: [{ name: 'a\nb' }] }, 'not-mcp'],
    ['a name of 129 characters', { tools: [{ name: 'a'.repeat(129) }] }, 'not-mcp'],
    ['401', { tricks: { initialize: { kind: 'status', status: 401 } } }, 'unauthorized'],
    ['403', { tricks: { initialize: { kind: 'status', status: 403 } } }, 'unauthorized'],
    ['404', { tricks: { initialize: { kind: 'status', status: 404 } } }, 'not-mcp'],
    ['500', { tricks: { initialize: { kind: 'status', status: 500 } } }, 'unreachable'],
    ['500 for the list', { tricks: { 'tools/list': { kind: 'status', status: 500 } } }, 'unreachable'],
    ['a web page', { tricks: { initialize: { kind: 'html' } } }, 'not-mcp'],
    ['broken JSON', { tricks: { initialize: { kind: 'broken-json' } } }, 'not-mcp'],
    ['a broken event', { tricks: { initialize: { kind: 'broken-event' } } }, 'not-mcp'],
    ['JSON that is no JSON-RPC', { tricks: { 'tools/list': { kind: 'no-rpc' } } }, 'not-mcp'],
    ['a cut connection', { tricks: { initialize: { kind: 'cut', when: 'before-headers' } } }, 'unreachable'],
    ['a cut stream', { tricks: { 'tools/list': { kind: 'cut', when: 'mid-stream' } } }, 'unreachable'],
  ];
  test.each(broken)('fails with %s', async (_what, options, reason) => {
    const found = await discover(await serverWith(options));
    expect(found).toMatchObject({ ok: false, problem: { reason } });
    expect(JSON.stringify(found)).not.toContain('of the server');
  });

  test('says that a server wants OAuth, and what can be done', async () => {
    const challenge = 'Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource"';
    const refusal = { kind: 'status', status: 401, headers: { 'www-authenticate': challenge } } as const;
    const found = await discover(await serverWith({ tricks: { initialize: refusal } }));
    expect(found).toMatchObject({
      ok: false,
      problem: { reason: 'unauthorized', detail: expect.stringContaining('wants OAuth') },
    });
    expect(JSON.stringify(found)).not.toContain('well-known');
  });

  test('says where the URL of a server comes from that is given as a command', async () => {
    const server = await serverWith({});
    expect(await discover(server, { url: 'npx -y mcp' })).toMatchObject({
      ok: false,
      problem: { reason: 'address-forbidden', detail: expect.stringContaining('npm start -- --servers FILE') },
    });
    expect(server.requests).toEqual([]);
  });

  test.each(['initialize', 'notifications/initialized', 'tools/list'])('times out in %s', async (method) => {
    const server = await serverWith({ tricks: { [method]: { kind: 'hang' } } });
    const begun = performance.now();
    expect(await discover(server, { timeoutMs: 300 })).toMatchObject({ ok: false, problem: { reason: 'timeout' } });
    expect(performance.now() - begun).toBeLessThan(2_500);
  });

  test('refuses a local address before it sends any request', async () => {
    const server = await serverWith();
    expect(await discover(server, { allowLocal: false })).toMatchObject({
      ok: false,
      problem: { reason: 'address-forbidden' },
    });
    expect(server.requests).toEqual([]);
  });

  test('does not follow a public server to a loopback address', async () => {
    const inner = await serverWith();
    const found = await discover(inner, {
      url: 'https://mcp.example.com/mcp',
      allowLocal: false,
      fetch: async () => new Response(null, { status: 307, headers: { location: inner.url } }),
    });
    expect(found).toMatchObject({ ok: false, problem: { reason: 'address-forbidden' } });
    expect(inner.requests).toEqual([]);
  });

  test('reports a server that does not listen', async () => {
    const server = await startTestMcpServer();
    await server.close();
    expect(await discover(server)).toMatchObject({ ok: false, problem: { reason: 'unreachable' } });
  });
});

describe('the connections of an attempt', () => {
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const tools: TestTool[] = [
    { name: 'echo', handle: async ({ text: said }) => text(String(said)) },
    { name: 'fail', handle: async () => ({ ...text('there is no such thing'), isError: true }) },
    { name: 'wrong', outputSchema, handle: async () => ({ ...text('7'), structuredContent: { n: 'seven' } }) },
    { name: 'bare', outputSchema, handle: async () => text('7') },
    { name: 'right', outputSchema, handle: async () => ({ content: [], structuredContent: { n: 7 } }) },
    {
      name: 'deep',
      handle: async () => ({
        content: [],
        structuredContent: { deep: JSON.parse('['.repeat(3_000) + ']'.repeat(3_000)) },
      }),
    },
    { name: 'huge', handle: async () => text('x'.repeat(50_000_000)) },
    { name: 'long', handle: async () => text(`a${'é'.repeat(40_000)}`) },
    {
      name: 'patient',
      handle: async (_args, progress) => {
        for (let i = 1; i <= 5; i += 1) await progress(i);
        return text('done');
      },
    },
    {
      name: 'media',
      handle: async () => ({
        content: [
          { type: 'text', text: 'see' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
          { type: 'resource_link', uri: 'file:///b', name: 'b' },
        ],
      }),
    },
    { name: 'slow', handle: () => new Promise((resolve) => setTimeout(() => resolve(text('late')), 3_000)) },
  ];
  const catalog = tools.map(({ name }) => ({
    name: `test/${name}`,
    ...(['wrong', 'bare', 'right'].includes(name) ? { outputSchema } : {}),
  }));

  test('of a server that is only described are faults of their own, and no other server is asked then', async () => {
    const server = await serverWith();
    const described = { name: 'described', url: null, headers: {}, ...unlimited };
    const test = { name: 'test', url: server.url, headers: {}, ...unlimited };
    const connections = connect(server, { servers: [described, test] });
    const outcome = await connections.call('described/echo', {}, 1_000);
    expect(outcome).toMatchObject({
      kind: 'fault',
      fault: { where: 'server', name: 'described', code: 'not-connected' },
    });
    expect(outcome).not.toHaveProperty('unmounted');
    expect(server.requests).toEqual([]);
    expect(await connections.call('test/echo', { text: 'a' }, 1_000)).toMatchObject({ kind: 'success', text: 'a' });
    await connections.close();
    expect(server.openSessions()).toBe(0);
  });

  test('of which every connected server is down end the attempt, whatever is described beside', async () => {
    const described = { name: 'described', url: null, headers: {}, ...unlimited };
    const down = { name: 'test', url: 'http://127.0.0.1:9/mcp', headers: {}, ...unlimited };
    const connections = connect(await serverWith(), { servers: [described, down] });
    expect(await connections.call('test/echo', {}, 1_000)).toMatchObject({ kind: 'fault', unmounted: true });
  });

  test('share one session, which parallel first calls open and close ends', async () => {
    const server = await serverWith({ tools });
    const connections = connect(server);
    expect(server.requests).toEqual([]);
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map((said) => connections.call('test/echo', { text: said }, 2_000)),
    );
    expect(outcomes.map((each) => each.kind === 'success' && each.text)).toEqual(['a', 'b', 'c']);
    expect(server.requests.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(1);
    expect(server.requests.every(({ headers }) => headers.authorization === 'Bearer s3cret')).toBe(true);
    expect(server.openSessions()).toBe(1);
    await connections.close();
    expect(server.openSessions()).toBe(0);
    expect(server.requests.filter(({ http }) => http === 'DELETE')).toHaveLength(1);
    expect(await connections.call('test/echo', {}, 100)).toMatchObject({ fault: { code: 'connection-lost' } });
    expect(server.requests.filter(({ http }) => http === 'GET')).toEqual([]);
  });

  test.each([true, false])('return results and errors of tools (JSON bodies: %s)', async (json) => {
    const server = await serverWith({ tools, json });
    const { call } = connect(server, { tools: [...catalog, ...toolsNamed('test/nothing')] });
    expect(await call('test/fail', {}, 2_000)).toMatchObject({ kind: 'error', text: 'there is no such thing' });
    expect(await call('test/nothing', {}, 2_000)).toMatchObject({ kind: 'error', code: -32602 });
    expect(await call('test/right', {}, 2_000)).toMatchObject({
      kind: 'success',
      text: '{"n":7}',
    });
    expect(await call('test/wrong', {}, 2_000)).toMatchObject({
      kind: 'error',
      text: expect.stringMatching(/violates the tool's output schema/),
    });
    expect(await call('test/bare', {}, 2_000)).toMatchObject({
      kind: 'error',
      text: expect.stringMatching(/violates the tool's output schema/),
    });
    expect(await call('test/media', {}, 2_000)).toMatchObject({
      text: 'see\n[image image/png, 3 bytes]\n[resource file:///a]\ninside\n[resource link file:///b]',
    });
    const long = await call('test/long', {}, 2_000);
    expect(long).toMatchObject({ kind: 'success', truncated: true });
    expect(long.kind === 'success' && Buffer.byteLength(long.text)).toBe(65_535);
    expect(await call('test/huge', {}, 8_000)).toMatchObject({
      kind: 'error',
      text: 'result larger than 4194304 bytes',
    });
    expect(await call('test/deep', {}, 2_000)).toMatchObject({
      kind: 'error',
      text: 'result nested deeper than 100 levels',
    });
    expect(await call('test/echo', { text: 'still there' }, 2_000)).toMatchObject({ text: 'still there' });
  });

  test('accept a result that no check can decide on, and mark it', async () => {
    const doubled = { $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } } };
    const { call } = connect(await serverWith({ tools }), { tools: [{ name: 'test/right', outputSchema: doubled }] });
    expect(await call('test/right', {}, 2_000)).toMatchObject({ kind: 'success', text: '{"n":7}', unchecked: true });
  });

  test('ignore progress notifications', async () => {
    const { call } = connect(await serverWith({ tools }));
    expect(await call('test/patient', {}, 2_000)).toMatchObject({ kind: 'success', text: 'done' });
  });

  const ways: [string, Parameters<TestMcpServer['setTrick']>[1], string][] = [
    ['500', { kind: 'status', status: 500 }, 'http-status'],
    ['401', { kind: 'status', status: 401 }, 'http-status'],
    ['404', { kind: 'status', status: 404 }, 'connection-lost'],
    ['429', { kind: 'status', status: 429 }, 'rate-limited'],
    ['cut before the headers', { kind: 'cut', when: 'before-headers' }, 'unreachable'],
    ['cut in the stream', { kind: 'cut', when: 'mid-stream' }, 'connection-lost'],
    ['cut in the JSON', { kind: 'cut', when: 'mid-json' }, 'connection-lost'],
    ['a web page', { kind: 'html' }, 'malformed-protocol'],
    ['broken JSON', { kind: 'broken-json' }, 'malformed-protocol'],
    ['a broken event', { kind: 'broken-event' }, 'malformed-protocol'],
    ['no JSON-RPC', { kind: 'no-rpc' }, 'malformed-protocol'],
    ['redirects for ever', { kind: 'redirect', to: '/mcp' }, 'http-status'],
    ['a redirect to nowhere good', { kind: 'redirect', to: 'http://169.254.169.254/' }, 'address-forbidden'],
  ];
  test.each(ways)('report a broken connection as a fault: %s', async (_what, trick, code) => {
    const server = await serverWith({ tools });
    const { call } = connect(server);
    expect((await call('test/echo', { text: 'a' }, 2_000)).kind).toBe('success');
    server.setTrick('tools/call', trick);
    const begun = performance.now();
    const outcome = await call('test/echo', { text: 'a' }, 5_000);
    expect(outcome).toMatchObject({ kind: 'fault', fault: { where: 'server', name: 'test', code } });
    expect(JSON.stringify(outcome)).not.toContain('of the server');
    expect(performance.now() - begun).toBeLessThan(1_500);
  });

  test.each([-32000, -32001])("do not mistake the server's error %i for an error of the SDK", async (code) => {
    const { call } = connect(
      await serverWith({ tricks: { 'tools/call': { kind: 'rpc-error', code, message: 'no luck' } } }),
    );
    expect(await call('test/echo', {}, 1_000)).toMatchObject({ kind: 'error', code, text: 'no luck' });
  });

  test('report a forgotten session as a fault, and open another one for the next call', async () => {
    const server = await serverWith({ tools });
    const { call } = connect(server);
    await call('test/echo', { text: 'a' }, 2_000);
    server.forget();
    expect(await call('test/echo', { text: 'a' }, 2_000)).toMatchObject({ fault: { code: 'connection-lost' } });
    expect(await call('test/echo', { text: 'b' }, 2_000)).toMatchObject({ kind: 'success', text: 'b' });
  });

  test('time out on a slow tool and stay open', async () => {
    const { call } = connect(await serverWith({ tools }));
    expect(await call('test/slow', {}, 200)).toMatchObject({ kind: 'fault', fault: { code: 'timeout' } });
    expect(await call('test/echo', { text: 'on' }, 2_000)).toMatchObject({ text: 'on' });
  });

  test('say that an attempt cannot be mounted only if none of its servers can be connected to', async () => {
    const gone = { name: 'gone', url: 'http://127.0.0.1:9/mcp', headers: {}, ...unlimited };
    const server = await serverWith({ tools });
    const here = { name: 'test', url: server.url, headers: {}, ...unlimited };
    const open = (servers: ConnectionOptions['servers']) => {
      const connections = makeLazyConnections({
        admission: new Admission(),
        servers,
        tools: callable,
        allowLocal: true,
      });
      running.push(connections);
      return connections;
    };
    const none = await open([gone, { ...gone, name: 'lost' }]).call('gone/echo', {}, 2_000);
    expect(none).toMatchObject({ kind: 'fault', fault: { name: 'gone', code: 'unreachable' }, unmounted: true });
    const connections = open([gone, here]);
    const some = await connections.call('gone/echo', {}, 2_000);
    expect(some).toMatchObject({ kind: 'fault', fault: { name: 'gone', code: 'unreachable' } });
    expect(some).not.toHaveProperty('unmounted');
    // Which servers are down was found out once.
    await server.close();
    expect(await connections.call('gone/echo', {}, 2_000)).not.toHaveProperty('unmounted');
  });

  test('report a server that went away or never was there', async () => {
    const server = await serverWith({ tools });
    const { call } = connect(server);
    await call('test/echo', { text: 'a' }, 2_000);
    await server.close();
    const gone = await call('test/echo', { text: 'a' }, 2_000);
    expect(gone).toMatchObject({ fault: { code: 'unreachable' } });
    expect(gone).not.toHaveProperty('unmounted');
    expect(await call('other/echo', {}, 2_000)).toMatchObject({ fault: { code: 'unreachable', name: 'other' } });
  });

  test('close in bounded time if a server hangs', async () => {
    const server = await serverWith({ tools });
    const connections = connect(server, { closeTimeoutMs: 200 });
    await connections.call('test/echo', { text: 'a' }, 2_000);
    server.setTrick('DELETE', { kind: 'hang' });
    const begun = performance.now();
    await connections.close();
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
