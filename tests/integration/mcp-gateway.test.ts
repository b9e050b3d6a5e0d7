import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Admission } from '#adapters/network/admission.ts';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { answerMcpRequest, type GatewayAttempt, type GatewayCallOptions } from '#adapters/mcp/gateway-server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import { startTestMcpServer, type TestMcpServer, type TestServerOptions } from '../support/mcp-server.ts';
import { toolsNamed, unlimited } from '../support/unlimited.ts';

const running: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each.close();
});

const url = 'http://gateway.test/mcp';
const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  server: name.split('/')[0] ?? '',
  domain: 'tests',
  category: 'test',
  inputSchema: { type: 'object' },
  ...more,
});
const said = (text: string): ServerReply => ({ kind: 'result', result: { content: [{ type: 'text', text }] } });

/** An attempt that answers everything with one reply, and notes what was called. */
function attemptWith(
  more: Partial<GatewayAttempt> = {},
): GatewayAttempt & { readonly called: [string, Readonly<Record<string, unknown>> | null][] } {
  const called: [string, Readonly<Record<string, unknown>> | null][] = [];
  return {
    tools: [tool('fruit/apple')],
    call: async (name, args) => {
      called.push([name, args]);
      return said('yes');
    },
    ...more,
    called,
  };
}

/** The sdk's client, its requests answered by the gateway itself. */
async function clientOf(attempt: GatewayAttempt, statuses: [string, number][] = []): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: async (target, init) => {
      const response = await answerMcpRequest(new Request(target, init), attempt);
      statuses.push([init?.method ?? 'GET', response.status]);
      return response;
    },
  });
  await client.connect(transport);
  running.push(client);
  return client;
}

async function mounted(options: TestServerOptions): Promise<{ attempt: GatewayAttempt; server: TestMcpServer }> {
  const server = await startTestMcpServer(options);
  const connections = makeLazyConnections({
    admission: new Admission(),
    servers: [{ name: 'test', url: server.url, headers: {}, ...unlimited }],
    tools: toolsNamed('test/a'),
    allowLocal: true,
  });
  running.push(server, connections);
  const call: GatewayAttempt['call'] = async (name, args, { signal, onProgress }) => {
    const forwarded = await connections.forward(name, args ?? {}, { timeoutMs: 5_000, signal, onProgress });
    if (forwarded.kind === 'answered') return forwarded.answer;
    return { kind: 'error', error: { code: -32000, message: forwarded.fault.detail } };
  };
  return { attempt: { tools: [tool('test/a')], call }, server };
}

const post = (body: unknown, more: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal } = {}) =>
  new Request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...more.headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(more.signal === undefined ? {} : { signal: more.signal }),
  });

const rpc = (method: string, params: unknown = {}, id: number | string = 1) => ({ jsonrpc: '2.0', id, method, params });
const call = (name: string, more: Record<string, unknown> = {}) => rpc('tools/call', { name, arguments: {}, ...more });

/** The JSON-RPC messages of an answer, as they are on the wire. */
async function messages(response: Response): Promise<unknown[]> {
  const text = await response.text();
  return text.split('\n').flatMap((line): unknown[] => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
}

describe("the gateway's list of tools", () => {
  test('has the tools as their servers describe them, under names that MCP allows', async () => {
    const described = {
      title: 'An apple',
      description: 'Gives an apple',
      inputSchema: { type: 'object' as const, properties: { size: { type: 'number' } }, 'x-own': 1 },
      outputSchema: { type: 'object' as const, properties: { n: { type: 'number' } }, required: ['n'] },
      annotations: { readOnlyHint: true, 'x-hint': 'kept' },
    };
    const attempt = attemptWith({ tools: [tool('fruit/apple', described), tool('fruit/äpfel.v2')] });
    const answered = await messages(await answerMcpRequest(post(rpc('tools/list')), attempt));
    expect(answered).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          tools: [
            { name: 'fruit__apple', ...described },
            { name: 'fruit___pfel_v2', inputSchema: { type: 'object' } },
          ],
        },
      },
    ]);
    const client = await clientOf(attempt);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['fruit__apple', 'fruit___pfel_v2']);
    expect(client.getServerVersion()?.name).toBe('sextant');
    expect(await client.ping()).toEqual({});
  });

  test.each([0, 1, 200, 201, 450])('is paged: %i tools', async (count) => {
    const tools = Array.from({ length: count }, (_, i) => tool(`many/t${i}`));
    const client = await clientOf(attemptWith({ tools }));
    const names: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined, more = true; more; pages += 1) {
      const page = await client.listTools(cursor === undefined ? {} : { cursor });
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
      more = cursor !== undefined;
    }
    expect(names).toEqual(tools.map(({ name }) => name.replace('/', '__')));
    expect(pages).toBe(Math.max(1, Math.ceil(count / 200)));
  });

  test.each(['x', '', '0', '-200', '7', '200.0', '400', '1e2', 7, null])('refuses the cursor %j', async (cursor) => {
    const tools = Array.from({ length: 400 }, (_, i) => tool(`many/t${i}`));
    const answered = await messages(
      await answerMcpRequest(post(rpc('tools/list', { cursor })), attemptWith({ tools })),
    );
    expect(answered).toMatchObject([{ error: { code: -32602 } }]);
  });
});

describe('a call through the gateway', () => {
  test('reaches its tool by name, and passes unknown names on as written', async () => {
    const attempt = attemptWith();
    const client = await clientOf(attempt);
    await client.callTool({ name: 'fruit__apple', arguments: { size: 3 } });
    await client.callTool({ name: 'fruit__pear' });
    expect(attempt.called).toEqual([
      ['fruit/apple', { size: 3 }],
      ['fruit__pear', {}],
    ]);
  });

  test.each([
    [{}, ''],
    [{ name: 7 }, ''],
    [{ name: 'fruit__apple', arguments: [] }, 'fruit/apple'],
    [{ name: 'fruit__apple', arguments: null }, 'fruit/apple'],
    [{ name: 'a', arguments: 'b' }, 'a'],
  ])('is reported without arguments if it is malformed: %j', async (params, name) => {
    const attempt = attemptWith();
    await messages(await answerMcpRequest(post(rpc('tools/call', params)), attempt));
    expect(attempt.called).toEqual([[name, null]]);
  });

  test('returns a result unchanged', async () => {
    const result = {
      content: [
        { type: 'text', text: 'see', 'x-own': [1, null] },
        { type: 'image', data: 'AAAA', mimeType: 'image/png', _meta: { width: 2 } },
        { type: 'hologram', layers: 3 },
      ],
      structuredContent: { n: 'no number' },
      _meta: { 'example.com/trace': 'abc' },
      'x-field': { kept: true },
    };
    const { attempt } = await mounted({ tricks: { 'tools/call': { kind: 'result', result } } });
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } } };
    const strict = { ...attempt, tools: [tool('test/a', { outputSchema })] };
    const answered = await messages(await answerMcpRequest(post(call('test__a')), strict));
    expect(answered).toEqual([{ jsonrpc: '2.0', id: 1, result }]);
  });

  test("returns an image, structured content and _meta to the SDK's client", async () => {
    const result = {
      content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
      structuredContent: { n: 7 },
      _meta: { 'example.com/trace': 'abc' },
      isError: true,
    };
    const { attempt } = await mounted({ tricks: { 'tools/call': { kind: 'result', result } } });
    const client = await clientOf(attempt);
    expect(await client.callTool({ name: 'test__a' })).toEqual(result);
  });

  test("returns an error with the server's code, message and data", async () => {
    const error = { code: -32050, message: 'not so', data: { n: [1] } };
    const { attempt } = await mounted({ tricks: { 'tools/call': { kind: 'rpc-error', ...error } } });
    const answered = await messages(await answerMcpRequest(post(call('test__a')), attempt));
    expect(answered).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
    const client = await clientOf(attempt);
    // The sdk's client puts the code before the message once.
    const thrown = client.callTool({ name: 'test__a' });
    await expect(thrown).rejects.toMatchObject({ ...error, message: 'MCP error -32050: not so' });
  });

  test('passes progress on to a client that asked for it', async () => {
    const { attempt } = await mounted({
      tools: [
        {
          name: 'a',
          handle: async (_args, progress) => {
            for (let i = 1; i <= 3; i += 1) await progress(i);
            return { content: [] };
          },
        },
      ],
    });
    const seen: unknown[] = [];
    const client = await clientOf(attempt);
    const result = await client.callTool({ name: 'test__a' }, undefined, { onprogress: (each) => seen.push(each) });
    seen.push(result);
    expect(seen).toEqual([...[1, 2, 3].map((progress) => ({ progress, total: 10 })), { content: [] }]);
    const token = await messages(
      await answerMcpRequest(post(call('test__a', { _meta: { progressToken: 'p' } })), attempt),
    );
    expect(token).toHaveLength(4);
    expect(token[0]).toMatchObject({ method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } });
  });

  test('requests no progress that nobody wants, and sends none after the answer', async () => {
    const options: GatewayCallOptions[] = [];
    const attempt = attemptWith({
      call: async (_name, _args, each) => {
        options.push(each);
        return said('yes');
      },
    });
    expect(await messages(await answerMcpRequest(post(call('a')), attempt))).toHaveLength(1);
    const asked = await answerMcpRequest(post(call('a', { _meta: { progressToken: 1 } })), attempt);
    expect(await messages(asked)).toHaveLength(1);
    options[1]?.onProgress?.({ progress: 1 });
    expect(options.map(({ onProgress }) => typeof onProgress)).toEqual(['undefined', 'function']);
  });
});

describe('the gateway aborts a call', () => {
  /** An attempt whose calls last until they are aborted. */
  function patient(underWay?: GatewayAttempt['underWay']): GatewayAttempt & { readonly signals: AbortSignal[] } {
    const signals: AbortSignal[] = [];
    const attempt = attemptWith({
      call: (_name, _args, { signal }) =>
        new Promise((resolve) => {
          signals.push(signal);
          signal.addEventListener('abort', () => resolve(said('broken off')));
        }),
      ...(underWay === undefined ? {} : { underWay }),
    });
    return { ...attempt, signals };
  }
  const aborted = (signals: readonly AbortSignal[]) =>
    expect.poll(() => signals.map((signal) => signal.aborted), { timeout: 1_000 });

  test('when the client cancels it in a separate request', async () => {
    const underWay: NonNullable<GatewayAttempt['underWay']> = new Map();
    const attempt = patient(underWay);
    const client = await clientOf(attempt);
    const caller = new AbortController();
    const broken = client.callTool({ name: 'a' }, undefined, { signal: caller.signal });
    const other = client.callTool({ name: 'b' });
    await aborted(attempt.signals).toEqual([false, false]);
    caller.abort('enough');
    await expect(broken).rejects.toThrow('enough');
    await aborted(attempt.signals).toEqual([true, false]);
    expect(underWay.size).toBe(1);
    for (const controller of underWay.values()) controller.abort();
    expect(await other).toMatchObject({ content: [{ text: 'broken off' }] });
    expect(underWay.size).toBe(0);
  });

  test('when its client disconnects', async () => {
    const attempt = patient();
    const client = new AbortController();
    await answerMcpRequest(post(call('a'), { signal: client.signal }), attempt);
    await aborted(attempt.signals).toEqual([false]);
    client.abort();
    await aborted(attempt.signals).toEqual([true]);
  });

  test('when nobody reads its answer any more', async () => {
    const attempt = patient();
    const response = await answerMcpRequest(post(call('a')), attempt);
    await aborted(attempt.signals).toEqual([false]);
    await response.body?.cancel();
    await aborted(attempt.signals).toEqual([true]);
  });

  test('at its own server too', async () => {
    const { attempt, server } = await mounted({
      tools: [{ name: 'a', handle: () => new Promise((resolve) => setTimeout(() => resolve({ content: [] }), 2_000)) }],
    });
    const response = await answerMcpRequest(post(call('test__a')), attempt);
    const calls = (method: string) => server.requests.filter((each) => each.rpc === method).length;
    await expect.poll(() => calls('tools/call')).toBe(1);
    await response.body?.cancel();
    await expect.poll(() => calls('notifications/cancelled')).toBe(1);
  });
});

describe('the gateway over HTTP', () => {
  test("supports what the SDK's client needs", async () => {
    const statuses: [string, number][] = [];
    const client = await clientOf(attemptWith(), statuses);
    await client.ping();
    await expect
      .poll(() => statuses.map((each) => each.join(' ')).toSorted())
      .toEqual(['GET 405', 'POST 200', 'POST 200', 'POST 202']);
  });

  test.each(['GET', 'DELETE', 'PUT'])('answers %s as unsupported', async (method) => {
    const response = await answerMcpRequest(new Request(url, { method }), attemptWith());
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  const problem = z.object({ error: z.object({ code: z.number() }) });
  const refusals: [string, () => Request, number][] = [
    ['another content type', () => post('{}', { headers: { 'content-type': 'text/plain' } }), 415],
    ['another accept', () => post(rpc('tools/list'), { headers: { accept: 'text/html' } }), 406],
    ['no JSON', () => post('{'), 400],
    ['no JSON-RPC', () => post({ hello: 'world' }), 400],
    ['another protocol version', () => post(rpc('ping'), { headers: { 'mcp-protocol-version': '1999-01-01' } }), 400],
    ['more than a megabyte', () => post(call('a', { arguments: { a: 'x'.repeat(1024 * 1024) } })), 413],
  ];
  test.each(refusals)('refuses %s', async (_what, request, status) => {
    const attempt = attemptWith();
    const response = await answerMcpRequest(request(), attempt);
    expect(response.status).toBe(status);
    expect(problem.parse(await response.json()).error.code).toBeLessThan(0);
    expect(attempt.called).toEqual([]);
  });

  test('does not know other methods', async () => {
    const answered = await messages(await answerMcpRequest(post(rpc('resources/list')), attemptWith()));
    expect(answered).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }]);
  });
});
