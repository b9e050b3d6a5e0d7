import { describe, expect, test, vi } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { makeLazyConnections, type ConnectionOptions } from '#adapters/mcp/connections.ts';
import { makeRecordingConnections } from '#adapters/mcp/recorded-connections.ts';
import { makeReplayingConnections } from '#adapters/mcp/replayed-connections.ts';
import type { CallProgress, Forwarded, ServerConnections } from '#adapters/mcp/server-connections.ts';
import { recordedCall, type RecordedCall } from '#core/evaluation/recording.ts';
import { serverReply } from '#core/catalog/server-reply.ts';
import { type TestMcpServer, type TestTool } from '../support/mcp-server.ts';
import { running, serverWith } from '../support/running.ts';
import { toolsNamed, unlimited } from '../support/unlimited.ts';

const callable = toolsNamed(
  'test/a',
  'test/count',
  'test/huge',
  'test/large',
  'test/nothing',
  'test/odd',
  'test/patient',
  'test/slow',
  'test/wait',
);

function connect(server: TestMcpServer, more: Partial<ConnectionOptions> = {}): ServerConnections {
  const servers = [{ name: 'test', url: server.url, headers: {}, ...unlimited }];
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

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const later = (ms: number, value: string) =>
  new Promise<ReturnType<typeof text>>((resolve) => setTimeout(() => resolve(text(value)), ms));
const callsOf = (server: TestMcpServer) => server.requests.filter(({ rpc }) => rpc === 'tools/call').length;
const timeoutMs = 2_000;

function tools(): TestTool[] {
  let count = 0;
  return [
    {
      name: 'count',
      handle: async () => {
        count += 1;
        return text(String(count));
      },
    },
    { name: 'huge', handle: async () => text('x'.repeat(5_000_000)) },
    { name: 'large', handle: async () => text('x'.repeat(1_100_000)) },
    { name: 'slow', handle: () => later(3_000, 'late') },
    { name: 'wait', handle: ({ ms }) => later(Number(ms), `waited ${Number(ms)} ms`) },
    {
      name: 'patient',
      handle: async (_args, progress) => {
        for (let i = 1; i <= 3; i += 1) await progress(i);
        return text('done');
      },
    },
  ];
}

describe('forwarding a call', () => {
  const odd = {
    content: [
      { type: 'text', text: 'see', 'x-own': [1, null] },
      { type: 'image', data: 'AAAA', mimeType: 'image/png', _meta: { width: 2 } },
      { type: 'hologram', layers: 3 },
    ],
    structuredContent: { n: 7, deep: { a: [] } },
    _meta: { 'example.com/trace': 'abc' },
    'x-field': { kept: true },
  };

  test('returns a result exactly as the server sent it', async () => {
    const server = await serverWith({ tricks: { 'tools/call': { kind: 'result', result: odd } } });
    const forwarded = await connect(server).forward('test/odd', {}, { timeoutMs });
    expect(forwarded).toMatchObject({
      kind: 'answered',
      outcome: { kind: 'success', text: expect.stringContaining('[image image/png, 3 bytes]') },
    });
    const answer = forwarded.kind === 'answered' ? forwarded.answer : undefined;
    expect(answer).toEqual({ kind: 'result', result: odd });
    expect(serverReply.parse(JSON.parse(JSON.stringify(answer)))).toEqual(answer);
  });

  test("returns a server's error with its code, message and data", async () => {
    const error = { code: -32042, message: 'not so', data: { elicitations: [{ url: 'https://a.example' }], n: [1] } };
    const server = await serverWith({ tricks: { 'tools/call': { kind: 'rpc-error', ...error } } });
    expect(await connect(server).forward('test/a', {}, { timeoutMs })).toMatchObject({
      answer: { kind: 'error', error },
      outcome: { kind: 'error', code: -32042, text: 'not so' },
    });
  });

  test('reports anything but a result of tools/call as a fault', async () => {
    const server = await serverWith({ tricks: { 'tools/call': { kind: 'result', result: { content: 'text' } } } });
    const forwarded = await connect(server).forward('test/a', {}, { timeoutMs });
    expect(forwarded).toMatchObject({ kind: 'fault', fault: { code: 'malformed-protocol' } });
  });

  test('reports a result that is too large as an error, for the agent too', async () => {
    const { forward } = connect(await serverWith({ tools: tools() }));
    expect(await forward('test/huge', {}, { timeoutMs })).toMatchObject({
      answer: { kind: 'error', error: { code: -32603, message: 'result larger than 4194304 bytes' } },
      outcome: { kind: 'error', text: 'result larger than 4194304 bytes' },
    });
  });

  test('passes progress on, in order and before the answer', async () => {
    const { forward } = connect(await serverWith({ tools: tools() }));
    const seen: (CallProgress | string)[] = [];
    await forward('test/patient', {}, { timeoutMs, onProgress: (progress) => seen.push(progress) });
    seen.push('answered');
    expect(seen).toEqual([...[1, 2, 3].map((progress) => ({ progress, total: 10 })), 'answered']);
  });

  test('ends at once when its caller aborts it, and notifies the server', async () => {
    const server = await serverWith({ tools: tools() });
    const { forward, call } = connect(server);
    const caller = new AbortController();
    let begun = Infinity;
    // What the server never saw needs no notice.
    const breaksOff = vi.waitFor(
      () => expect(server.requests.some(({ rpc }) => rpc === 'tools/call')).toBe(true),
      5_000,
    );
    void breaksOff.then(() => {
      begun = performance.now();
      caller.abort();
    });
    expect(await forward('test/slow', {}, { timeoutMs, signal: caller.signal })).toMatchObject({
      fault: { code: 'connection-lost', detail: 'the caller broke the call off' },
    });
    expect(performance.now() - begun).toBeLessThan(1_000);
    expect(await forward('test/count', {}, { timeoutMs, signal: caller.signal })).toMatchObject({ kind: 'fault' });
    expect(await call('test/count', {}, timeoutMs)).toMatchObject({ text: '1' });
    // The notice goes its own way; nobody waits for it.
    const cancelled = () => server.requests.filter(({ rpc }) => rpc === 'notifications/cancelled');
    await vi.waitFor(() => expect(cancelled()).toHaveLength(1));
  });

  test('ignores a signal that is aborted after the answer', async () => {
    const server = await serverWith({ tools: tools() });
    const { forward, call } = connect(server);
    const caller = new AbortController();
    await forward('test/count', {}, { timeoutMs, signal: caller.signal });
    caller.abort();
    await call('test/count', {}, timeoutMs);
    expect(server.requests.filter(({ rpc }) => rpc === 'notifications/cancelled')).toEqual([]);
  });
});

describe('sessions that outlive their connections', () => {
  type Session = Parameters<NonNullable<ConnectionOptions['onSession']>>[1];

  async function opened(server: TestMcpServer): Promise<NonNullable<Session>> {
    const told: [string, Session][] = [];
    const first = makeLazyConnections({
      admission: new Admission(),
      servers: [{ name: 'test', url: server.url, headers: {}, ...unlimited }],
      tools: callable,
      allowLocal: true,
      onSession: (...each) => told.push(each),
    });
    await Promise.all([first.call('test/count', {}, timeoutMs), first.call('test/count', {}, timeoutMs)]);
    const [name, session] = told[0] ?? ['', null];
    expect([told.length, name]).toEqual([1, 'test']);
    if (session === null) throw new Error('no session');
    // A call that is under way when the process goes.
    void first.call('test/wait', { ms: 150 }, timeoutMs);
    return session;
  }

  test('are resumed without another handshake', async () => {
    const server = await serverWith({ tools: tools() });
    const session = await opened(server);
    const told: unknown[] = [];
    const again = connect(server, { resume: { test: session }, onSession: (...each) => told.push(each) });
    expect(await again.call('test/count', {}, timeoutMs)).toMatchObject({ text: '3' });
    const seen: CallProgress[] = [];
    await again.forward('test/patient', {}, { timeoutMs, onProgress: (progress) => seen.push(progress) });
    expect(seen).toHaveLength(3);
    expect(server.requests.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(1);
    expect(server.requests.at(-1)?.headers).toMatchObject({
      'mcp-session-id': session.sessionId,
      'mcp-protocol-version': session.protocolVersion,
    });
    expect(told).toEqual([]);
    expect(server.openSessions()).toBe(1);
    await again.close();
    expect(server.openSessions()).toBe(0);
  });

  test('never mistake the answer of an earlier call for their own', async () => {
    const server = await serverWith({ tools: tools() });
    const { call } = connect(server, { resume: { test: await opened(server) } });
    const waits = [400, 401, 402, 403, 404];
    const outcomes = await Promise.all(waits.map((ms) => call('test/wait', { ms }, timeoutMs)));
    expect(outcomes).toMatchObject(waits.map((ms) => ({ kind: 'success', text: `waited ${ms} ms` })));
  });

  test('abort their calls in the same way', async () => {
    const server = await serverWith({ tools: tools() });
    const { call } = connect(server, { resume: { test: await opened(server) } });
    expect(await call('test/slow', {}, 100)).toMatchObject({ fault: { code: 'timeout' } });
    expect(await call('test/count', {}, timeoutMs)).toMatchObject({ text: '3' });
  });

  test('are lost if the server forgot them, and replaced', async () => {
    const server = await serverWith({ tools: tools() });
    const { call } = connect(server, { resume: { test: await opened(server) } });
    server.forget();
    expect(await call('test/count', {}, timeoutMs)).toMatchObject({ fault: { code: 'connection-lost' } });
    expect(await call('test/count', {}, timeoutMs)).toMatchObject({ kind: 'success' });
  });

  test('are ended by close even if nothing was called', async () => {
    const server = await serverWith({ tools: tools() });
    const unused = connect(server, { resume: { test: await opened(server) } });
    await unused.close();
    expect(server.openSessions()).toBe(0);
  });
});

describe('a replay', () => {
  test("returns the servers' answers in their order, and asks no server", async () => {
    const server = await serverWith({ tools: tools() });
    const kept: RecordedCall[] = [];
    const live = makeRecordingConnections(connect(server), {
      unit: 'u1',
      attempt: 'a1',
      keep: (call) => kept.push(call),
    });
    const made: [string, Record<string, unknown>][] = [
      ['test/count', {}],
      ['test/count', {}],
      ['test/huge', {}],
      ['test/nothing', { a: 1 }],
      ['test/wait', { ms: 1 }],
      ['test/count', {}],
    ];
    // A replay waits for nothing.
    const withoutWaits = ({ queuedMs: _waited, ...forwarded }: Forwarded) => forwarded;
    const before = [];
    for (const [tool, args] of made) before.push(withoutWaits(await live.forward(tool, args, { timeoutMs })));
    const large = await live.call('test/large', {}, timeoutMs);
    expect(large).toMatchObject({ kind: 'success' });
    expect(await live.call('test/slow', {}, 50)).toMatchObject({ fault: { code: 'timeout' } });
    expect(kept).toHaveLength(made.length + 1);
    expect(kept.at(-1)).toMatchObject({ tool: 'test/slow', reply: { kind: 'fault', fault: { code: 'timeout' } } });
    const stored = recordedCall.array().parse(JSON.parse(JSON.stringify(kept)));

    const asked = callsOf(server);
    const replay = makeReplayingConnections(stored, { attempt: 'a1', tools: [], rules: {} });
    const after = [];
    for (const [tool, args] of made) after.push(withoutWaits(await replay.forward(tool, args, { timeoutMs })));
    expect(after).toEqual(before);
    expect(after.map((each) => each.kind)).toEqual(made.map(() => 'answered'));
    expect(await replay.call('test/count', {}, timeoutMs)).toMatchObject({
      kind: 'fault',
      fault: { where: 'server', name: 'test', code: 'replay-miss' },
    });
    expect(await replay.call('test/large', {}, timeoutMs)).toMatchObject({ fault: { code: 'replay-miss' } });
    expect(callsOf(server)).toBe(asked);
  });
});
