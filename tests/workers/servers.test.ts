import { createExecutionContext, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { serverRecord } from '#core/catalog/server.ts';
import { tool } from '#core/catalog/tool.ts';
import type { ServerSpec } from '../support/script.ts';
import { storedText } from '../support/storage.ts';
import {
  expectStatus,
  newWorkspace,
  pageOf,
  problemOf,
  read,
  type Answer,
  type TestWorkspace,
  unique,
} from '../support/workspace.ts';
import { startServer, tools } from '../support/world.ts';
import worker from '../../src/index.ts';

afterEach(() => vi.unstubAllGlobals());

const serverAndTools = z.object({ server: serverRecord, tools: z.array(tool) });
const nobody = 'http://127.0.0.1:9/mcp';

const storedServers = async (workspace: TestWorkspace): Promise<number> =>
  pageOf(serverRecord).parse(expectStatus(await workspace.get('/v1/servers'), 200)).items.length;

/** Registers a server with a Worker that does not let anybody onto local addresses. */
async function registerInPublic({ key }: TestWorkspace, url: string): Promise<Answer> {
  const request = new Request<unknown, IncomingRequestCfProperties>('http://sextant.test/v1/servers', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'a', domain: 'testing', url }),
  });
  const inPublic = { ...env, ALLOW_LOCAL_SERVERS: 'false' };
  return read(await worker.fetch(request, inPublic, createExecutionContext()));
}

describe('a registered server', () => {
  test('is listed with its tools unchanged, page by page, and can be removed', async () => {
    const workspace = await newWorkspace();
    const outside = await startServer({
      tools: [
        ...(tools('apple', 'pear') ?? []),
        { name: 'find-things', description: 'Finds', inputSchema: { type: 'object', 'x-own': [1] } },
      ],
      pageSize: 2,
    });
    const record = await workspace.server('fruit', outside.url, { categories: { apple: 'compute' } });
    expect(record).toMatchObject({
      name: 'fruit',
      domain: 'testing',
      tools: 3,
      headerNames: [],
      categories: { read: 1, search: 1, compute: 1 },
      categorizedBy: { owner: 1, model: 0, rules: 2 },
    });
    await workspace.server('second', outside.url);
    await workspace.server('third', outside.url);

    const got = serverAndTools.parse(expectStatus(await workspace.get(`/v1/servers/${record.id}`), 200));
    expect(got.server).toEqual(record);
    expect(got.tools.map(({ name, category }) => [name, category])).toEqual([
      ['fruit/apple', 'compute'],
      ['fruit/pear', 'read'],
      ['fruit/find-things', 'search'],
    ]);
    expect(got.tools[2]?.inputSchema).toEqual({ type: 'object', 'x-own': [1] });

    const first = pageOf(serverRecord).parse(expectStatus(await workspace.get('/v1/servers?limit=2'), 200));
    const rest = pageOf(serverRecord).parse(
      expectStatus(await workspace.get(`/v1/servers?limit=2&cursor=${first.nextCursor}`), 200),
    );
    expect([...first.items, ...rest.items].map(({ name }) => name).toSorted()).toEqual(['fruit', 'second', 'third']);
    expect(rest.nextCursor).toBeNull();

    expect((await workspace.remove(`/v1/servers/${record.id}`)).status).toBe(204);
    expect(problemOf(await workspace.get(`/v1/servers/${record.id}`))).toEqual([404, 'not-found']);
    expect(problemOf(await workspace.remove(`/v1/servers/${record.id}`))).toEqual([404, 'not-found']);
  });

  test('may call its tools like properties that every object has', async () => {
    const workspace = await newWorkspace();
    const names = ['__proto__', 'constructor', 'toString'];
    const outside = await startServer({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) });
    const { id } = await workspace.server('odd', outside.url, { categories: { constructor: 'compute' } });
    const got = serverAndTools.parse(expectStatus(await workspace.get(`/v1/servers/${id}`), 200));
    expect(got.tools.map(({ name, category }) => [name, category])).toEqual([
      ['odd/__proto__', 'other'],
      ['odd/constructor', 'compute'],
      ['odd/toString', 'other'],
    ]);
    expectStatus(await workspace.post(`/v1/servers/${id}/relist`), 200);
  });

  test('has a unique name', async () => {
    const workspace = await newWorkspace();
    const { url } = await startServer({ tools: tools('apple') });
    await workspace.server('fruit', url);
    expect(problemOf(await workspace.post('/v1/servers', { name: 'fruit', domain: 'testing', url }))).toEqual([
      409,
      'name-taken',
    ]);
    expect(await storedServers(workspace)).toBe(1);
  });

  test('is listed again, and keeps its tools if it has become invalid', async () => {
    const workspace = await newWorkspace();
    const outside = await startServer({ tools: tools('apple', 'pear') });
    const { id } = await workspace.server('fruit', outside.url, {
      categories: { apple: 'compute' },
      headers: { 'X-Token': 'abc' },
    });
    expect(serverRecord.parse(expectStatus(await workspace.post(`/v1/servers/${id}/relist`), 200)).tools).toBe(2);
    expect((await outside.log()).requests.every(({ headers }) => headers['x-token'] === 'abc')).toBe(true);
    await outside.trick('tools/list', { kind: 'status', status: 500 });
    expect(problemOf(await workspace.post(`/v1/servers/${id}/relist`))).toEqual([422, 'server-unreachable']);
    const { tools: kept } = serverAndTools.parse(expectStatus(await workspace.get(`/v1/servers/${id}`), 200));
    expect(kept.map(({ category }) => category)).toEqual(['compute', 'read']);
    expect(problemOf(await workspace.post('/v1/servers/srv_unknown/relist'))).toEqual([404, 'not-found']);
  });

  test("has its owner's categories, from the closed list, also at a later listing", async () => {
    const workspace = await newWorkspace();
    const outside = await startServer({ tools: tools('apple', 'pear') });
    const foreign = { name: 'fruit', domain: 'testing', url: outside.url, categories: { apple: 'juicy' } };
    expect(problemOf(await workspace.post('/v1/servers', foreign))).toEqual([400, 'invalid-request']);
    const { id } = await workspace.server('fruit', outside.url, { categories: { apple: 'compute' } });
    const relist = async (categories: Record<string, string>) =>
      serverRecord.parse(expectStatus(await workspace.post(`/v1/servers/${id}/relist`, { categories }), 200));
    expect(await relist({ pear: 'check' })).toMatchObject({
      categories: { compute: 1, check: 1 },
      categorizedBy: { owner: 2, model: 0, rules: 0 },
    });
    expect(problemOf(await workspace.post(`/v1/servers/${id}/relist`, { categories: { pear: '' } }))).toEqual([
      400,
      'invalid-request',
    ]);
    expect((await relist({})).categorizedBy).toEqual({ owner: 2, model: 0, rules: 0 });
  });

  test('says how it marks its errors, over all runs, each counted once', async () => {
    const workspace = await newWorkspace();
    const outside = await startServer({ tools: tools('apple') });
    const { id, name, url, errors } = await workspace.server('fruit', outside.url);
    expect(errors).toEqual({ marks: null, marked: 0, reported: 0 });
    const stub = env.WORKSPACE.getByName(workspace.id);
    const shown = async () =>
      serverAndTools.parse(expectStatus(await workspace.get(`/v1/servers/${id}`), 200)).server.errors;
    for (let time = 0; time < 2; time += 1)
      await stub.recordServerErrors('evl_1', [{ name, url, marked: 3, reported: 0 }]);
    expect(await shown()).toEqual({ marks: 'always', marked: 3, reported: 0 });
    await stub.recordServerErrors('evl_2', [{ name, url, marked: 0, reported: 2 }]);
    expect(await shown()).toEqual({ marks: 'sometimes', marked: 3, reported: 2 });
    await stub.recordServerErrors('evl_1', [{ name, url, marked: 0, reported: 1 }]);
    expect(await shown()).toEqual({ marks: 'never', marked: 0, reported: 3 });
    // What another server at another address did is not said of this one.
    await stub.recordServerErrors('evl_3', [{ name, url: `${url}/other`, marked: 9, reported: 0 }]);
    expect(await shown()).toEqual({ marks: 'never', marked: 0, reported: 3 });
    expectStatus(await workspace.remove(`/v1/servers/${id}`), 204);
    expect((await workspace.server('fruit', outside.url)).errors).toEqual({ marks: null, marked: 0, reported: 0 });
  });

  test('counts the errors of all runs in a bounded number of rows, each run once', async () => {
    const workspace = await newWorkspace();
    const outside = await startServer({ tools: tools('apple') });
    const { id, name, url } = await workspace.server('fruit', outside.url);
    const stub = env.WORKSPACE.getByName(workspace.id);
    const reportRuns = async (from: number, to: number): Promise<unknown> => {
      for (let n = from; n < to; n += 1)
        await stub.recordServerErrors(`evl_${String(n).padStart(4, '0')}`, [{ name, url, marked: 1, reported: 2 }]);
      const { server } = serverAndTools.parse(expectStatus(await workspace.get(`/v1/servers/${id}`), 200));
      const { rows } = await runInDurableObject(stub, (_, { storage: { sql } }) =>
        z.object({ rows: z.number() }).parse(sql.exec('SELECT COUNT(*) AS rows FROM server_errors').one()),
      );
      return [server.errors, rows];
    };
    const all = [{ marks: 'sometimes', marked: 230, reported: 460 }, 100];
    expect(await reportRuns(0, 90)).toEqual([{ marks: 'sometimes', marked: 90, reported: 180 }, 90]);
    expect(await reportRuns(90, 230)).toEqual(all);
    expect(await reportRuns(0, 230)).toEqual(all);
  });

  test('that is removed during a new listing leaves no tools', async () => {
    const stub = env.WORKSPACE.getByName(unique('ws'));
    const before = await storedText(stub);
    const apple = { name: 'fruit/apple', server: 'fruit', domain: 'fruit', category: 'other', inputSchema: {} };
    const listing = {
      tools: [apple],
      categorySources: {},
      ownersEffects: {},
      leftOut: [],
      allows: 'reads' as const,
      redact: { fields: [], patterns: [] },
      isolation: { kind: 'none' as const },
      surveyed: true,
      survey: null,
      info: null,
      protocolVersion: null,
      instructions: null,
      description: null,
      at: '2026-01-01T00:00:00.000Z',
    };
    expect(await stub.replaceServerListing('srv_removed', listing)).toMatchObject({
      ok: false,
      problem: { code: 'not-found' },
    });
    expect(await storedText(stub)).toBe(before);
  });

  const bad: [string, ServerSpec, string][] = [
    ['a web page', { tricks: { initialize: { kind: 'html' } } }, 'not-an-mcp-server'],
    ['JSON that is not MCP', { tricks: { initialize: { kind: 'no-rpc' } } }, 'not-an-mcp-server'],
    ['nothing at that path', { tricks: { initialize: { kind: 'status', status: 404 } } }, 'not-an-mcp-server'],
    ['a server error', { tricks: { initialize: { kind: 'status', status: 500 } } }, 'server-unreachable'],
    ['a cut connection', { tricks: { initialize: { kind: 'cut', when: 'before-headers' } } }, 'server-unreachable'],
    ['refused credentials', { tricks: { initialize: { kind: 'status', status: 401 } } }, 'server-unauthorized'],
    ['no answer to the handshake', { tricks: { initialize: { kind: 'hang' } } }, 'server-timeout'],
    ['no answer to the list', { tools: tools('apple'), tricks: { 'tools/list': { kind: 'hang' } } }, 'server-timeout'],
    ['no tools', {}, 'no-tools'],
    [
      'a broken schema',
      { tools: [{ name: 'a', inputSchema: { type: 'object', properties: { b: { type: 'strnig' } } } }] },
      'broken-tool-schema',
    ],
    ['a schema that is none', { tools: [{ name: 'a', inputSchema: 'object' }] }, 'broken-tool-schema'],
    ['5,000 tools', { many: 5_000 }, 'too-many-tools'],
    ['5,000 tools on pages', { many: 5_000, pageSize: 400 }, 'too-many-tools'],
    ['too much text', { tools: [{ name: 'a', description: 'x'.repeat(5_000_000) }] }, 'tools-too-large'],
  ];
  test.each(bad)('that has %s is refused, and nothing is stored', async (_what, spec, code) => {
    const workspace = await newWorkspace();
    const { url } = await startServer(spec);
    const answer = await workspace.post('/v1/servers', {
      name: 'bad',
      domain: 'testing',
      url,
      headers: { 'X-Token': 'topsecret' },
    });
    expect(problemOf(answer)).toEqual([422, code]);
    expect(JSON.stringify(answer.body)).not.toContain('topsecret');
    expect(JSON.stringify(answer.body)).not.toContain('of the server');
    expect(await storedServers(workspace)).toBe(0);
  });

  test('that does not listen is refused', async () => {
    const workspace = await newWorkspace();
    expect(problemOf(await workspace.post('/v1/servers', { name: 'a', domain: 'testing', url: nobody }))).toEqual([
      422,
      'server-unreachable',
    ]);
    expect(await storedServers(workspace)).toBe(0);
  });

  const malformed: [string, Record<string, unknown>][] = [
    ['an unknown field', { color: 'red' }],
    ['a name with capitals', { name: 'Fruit' }],
    ['a name with a slash', { name: 'a/b' }],
    ['no domain', { domain: '' }],
    ['no url', { url: '' }],
    ['a header that is none', { headers: { 'bad header': 'x' } }],
    ['a header with a line break', { headers: { 'X-A': 'a\r\nX-B: b' } }],
    ['headers that are no object', { headers: 'X-A: b' }],
  ];
  test.each(malformed)('with %s is invalid', async (_what, change) => {
    const workspace = await newWorkspace();
    const answer = await workspace.post('/v1/servers', { name: 'a', domain: 'testing', url: nobody, ...change });
    expect(problemOf(answer)).toEqual([400, 'invalid-request']);
  });

  test.each(['host', 'Content-Length', 'transfer-encoding', 'Connection', 'upgrade', 'mcp-session-id'])(
    'may not set the header %s, which belongs to the transport',
    async (header) => {
      const workspace = await newWorkspace();
      const body = { name: 'a', domain: 'testing', url: nobody, headers: { 'X-A': 'b', [header]: 'c' } };
      const answer = await workspace.post('/v1/servers', body);
      expect(problemOf(answer)).toEqual([400, 'invalid-request']);
      const { detail } = z.object({ detail: z.string() }).parse(answer.body);
      expect(detail).toContain(`${header} is set by the transport`);
      expect((await workspace.get('/v1/servers')).body).toMatchObject({ items: [] });
    },
  );

  test.each([
    'ftp://example.com/mcp',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'not a url',
    'https://user:word@example.com/mcp',
  ])('may not have the url %s, even if local addresses are allowed', async (url) => {
    const workspace = await newWorkspace();
    expect(problemOf(await workspace.post('/v1/servers', { name: 'a', domain: 'testing', url }))).toEqual([
      422,
      'address-forbidden',
    ]);
  });
});

describe('the addresses of servers without ALLOW_LOCAL_SERVERS', () => {
  const local = [
    'http://127.0.0.1/mcp',
    'http://localhost/mcp',
    'http://localhost./mcp',
    'http://2130706433/mcp',
    'http://0x7f.1/mcp',
    'http://017700000001/mcp',
    'http://127.1/mcp',
    'http://[::1]/mcp',
    'http://[::ffff:127.0.0.1]/mcp',
    'http://[::ffff:7f00:1]/mcp',
    'http://10.0.0.1/mcp',
    'http://172.16.0.1/mcp',
    'http://192.168.1.1/mcp',
    'http://169.254.169.254/mcp',
    'http://[fe80::1]/mcp',
    'http://[fd00::1]/mcp',
    'http://0.0.0.0/mcp',
    'http://１２７.0.0.1/mcp',
    'http://100.64.0.1/mcp',
    'http://printer.local/mcp',
    'http://metadata.google.internal/mcp',
  ];
  test.each(local)('are refused: %s', async (url) => {
    const workspace = await newWorkspace();
    expect(problemOf(await registerInPublic(workspace, url))).toEqual([422, 'address-forbidden']);
    expect(await storedServers(workspace)).toBe(0);
  });

  test('are refused if they redirect to loopback, which is not contacted', async () => {
    const workspace = await newWorkspace();
    const inner = await startServer({ tools: tools('apple') });
    const outer = await startServer({ tricks: { initialize: { kind: 'redirect', to: inner.url } } });
    const real = globalThis.fetch;
    vi.stubGlobal('fetch', (url: string | URL, init?: RequestInit) =>
      real(new URL(url).hostname === 'mcp.example.com' ? outer.url : url, init),
    );
    expect(problemOf(await registerInPublic(workspace, 'https://mcp.example.com/mcp'))).toEqual([
      422,
      'address-forbidden',
    ]);
    vi.unstubAllGlobals();
    // It was asked for its era, and then to initialize.
    expect((await outer.log()).requests.length).toBe(2);
    expect((await inner.log()).requests).toEqual([]);
    expect(await storedServers(workspace)).toBe(0);
  });
});

describe('the private units that a workspace was given', () => {
  test('are remembered by unit, for one submission each, however often it asks', async () => {
    const stub = env.WORKSPACE.getByName(unique('ws'));
    const many = Array.from({ length: 25_000 }, (_, n) => `u_${String(n).padStart(24, '0')}`);
    for (let time = 0; time < 2; time += 1)
      expect(await stub.recordPrivateUnitsUnlessGivenElsewhere(many, 'sub_1')).toEqual({ ok: true, value: null });
    const refused = { ok: false, problem: { code: 'private-units-given', detail: expect.stringContaining('sub_1') } };
    expect(await stub.recordPrivateUnitsUnlessGivenElsewhere(['u_new', ...many.slice(-1)], 'sub_2')).toMatchObject(
      refused,
    );
    expect(await stub.refusePrivateUnitsGivenElsewhere(many.slice(12_000, 12_001), 'sub_2')).toMatchObject(refused);
    expect(await stub.recordPrivateUnitsUnlessGivenElsewhere(['u_new'], 'sub_2')).toEqual({ ok: true, value: null });
  });
});
