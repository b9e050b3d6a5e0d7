import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, test } from 'vitest';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { answerMcpRequest } from '#adapters/mcp/gateway-server.ts';
import { discoverTools } from '#adapters/mcp/list-tools.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeRuleCategorizedTools } from '#api/server-tools.ts';
import { startLegacyTaskServer, startModernTaskServer, type TaskServer } from '../support/task-server.ts';
import { startEverythingProcess } from '../support/everything-process.ts';
import { unlimited } from '../support/unlimited.ts';

const running: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each.close();
});

const eras = ['legacy', 'modern'] as const;

async function connectTo(era: (typeof eras)[number], options: { readonly pollIntervalMs?: number } = {}) {
  const server = await (era === 'legacy' ? startLegacyTaskServer(options) : startModernTaskServer(options));
  running.push(server);
  const admission = new Admission();
  const found = await discoverTools({ admission, url: server.url, headers: {}, allowLocal: true, timeoutMs: 5_000 });
  if (!found.ok) throw new Error(found.problem.detail);
  const { protocolVersion } = found.value;
  const tools = makeRuleCategorizedTools({ name: 'test', domain: 'tests' }, found.value.tools);
  const connections = makeLazyConnections({
    admission,
    servers: [{ name: 'test', url: server.url, headers: {}, ...unlimited, protocolVersion }],
    tools,
    allowLocal: true,
  });
  running.push(connections);
  server.asked.splice(0);
  return { server, connections, tools };
}

/** Starts the published server whose research takes four seconds and has to be called as a task. */
async function connectToEverything() {
  const server = await startEverythingProcess();
  running.push(server);
  const admission = new Admission();
  const found = await discoverTools({ admission, url: server.url, headers: {}, allowLocal: true, timeoutMs: 10_000 });
  if (!found.ok) throw new Error(found.problem.detail);
  const tools = makeRuleCategorizedTools({ name: 'test', domain: 'tests' }, found.value.tools);
  const { protocolVersion } = found.value;
  const connections = makeLazyConnections({
    admission,
    servers: [{ name: 'test', url: server.url, headers: {}, ...unlimited, protocolVersion }],
    tools,
    allowLocal: true,
  });
  running.push(connections);
  return { connections, tools };
}

const afterSession = (server: TaskServer): string[] =>
  server.asked.filter((method) => method.startsWith('tools/') || method.startsWith('tasks/'));

describe.each(eras)('a tool of a %s server that answers with a task', (era) => {
  test('gives the result with which the task ends', async () => {
    const { server, connections } = await connectTo(era);
    expect(await connections.call('test/done', {}, 10_000)).toMatchObject({ kind: 'success', text: 'done at last' });
    const asked = afterSession(server);
    expect(asked[0]).toBe('tools/call');
    expect(new Set(asked.slice(1, era === 'legacy' ? -1 : undefined))).toEqual(new Set(['tasks/get']));
    if (era === 'legacy') expect(asked.at(-1)).toBe('tasks/result');
    expect(server.cancelled).toEqual([]);
  });

  test('is asked no more often than its server wants', async () => {
    const { server, connections } = await connectTo(era, { pollIntervalMs: 600 });
    const begun = Date.now();
    expect(await connections.call('test/done', {}, 10_000)).toMatchObject({ kind: 'success' });
    const gaps = server.polledAt.map((at, index) => at - (server.polledAt[index - 1] ?? begun));
    expect(gaps.length).toBeGreaterThan(0);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(590);
  });

  test('is an error of the tool if the task ends with one', async () => {
    const { connections } = await connectTo(era);
    expect(await connections.call('test/failed', {}, 10_000)).toMatchObject({ kind: 'error', text: 'no such city' });
  });

  test('is an error if the task fails for another reason, in the words of the server', async () => {
    const { connections } = await connectTo(era);
    const outcome = await connections.call('test/refused', {}, 10_000);
    expect(outcome).toMatchObject({
      kind: 'error',
      text: expect.stringContaining('API rate limit exceeded'),
      code: -32603,
    });
  });

  test('is a spoilt call if the server cancels the task', async () => {
    const { connections } = await connectTo(era);
    expect(await connections.call('test/cancelled', {}, 10_000)).toMatchObject({
      kind: 'error',
      cause: 'environment',
      text: expect.stringMatching(/^task cancelled by the server: .*maintenance/),
    });
  });

  test('is a fault if the server forgets the task', async () => {
    const { connections } = await connectTo(era);
    expect(await connections.call('test/forgotten', {}, 10_000)).toMatchObject({
      kind: 'fault',
      fault: { code: 'connection-lost', detail: 'the server lost the task: it refused tasks/get (-32602)' },
    });
  });

  test('times out within the time of the call, and the task is cancelled', async () => {
    const { server, connections } = await connectTo(era);
    const begun = Date.now();
    expect(await connections.call('test/endless', {}, 1_500)).toMatchObject({
      kind: 'fault',
      fault: { code: 'timeout', detail: 'the task did not end in time' },
    });
    expect(Date.now() - begun).toBeLessThan(3_000);
    expect(server.cancelled).toHaveLength(1);
    expect(server.polledAt.length).toBeLessThanOrEqual(5);
  });

  test('is asked once more at the end of its time if its server wants to be left alone for longer', async () => {
    const { server, connections } = await connectTo(era, { pollIntervalMs: 60_000 });
    expect(await connections.call('test/endless', {}, 1_500)).toMatchObject({ fault: { code: 'timeout' } });
    expect(server.polledAt).toHaveLength(1);
  });

  test('is cancelled when nobody waits for it any more', async () => {
    const { server, connections } = await connectTo(era);
    const caller = new AbortController();
    const forwarded = connections.forward('test/endless', {}, { timeoutMs: 10_000, signal: caller.signal });
    while (server.polledAt.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    caller.abort();
    expect(await forwarded).toMatchObject({ kind: 'fault', fault: { detail: 'the caller broke the call off' } });
    expect(server.cancelled).toHaveLength(1);
  });

  test('is asked again when a busy server says, without costing the call its time', async () => {
    const { server, connections } = await connectTo(era);
    server.refuseNext(1, 2);
    const outcome = await connections.call('test/done', {}, 2_500);
    expect(outcome).toMatchObject({ kind: 'success' });
    expect(outcome.queuedMs).toBeGreaterThanOrEqual(1_900);
  });

  test('reaches a client of the gateway that knows no tasks as a result', async () => {
    const { connections, tools } = await connectTo(era);
    const client = new LegacyClient({ name: 'agent', version: '1' });
    const fetch = (target: string | URL, init?: RequestInit) =>
      answerMcpRequest(new Request(target, init), {
        tools,
        call: async (name, args, { signal }) => {
          const forwarded = await connections.forward(name, args ?? {}, { timeoutMs: 10_000, signal });
          if (forwarded.kind === 'answered') return forwarded.answer;
          return { kind: 'error', error: { code: -32000, message: forwarded.fault.detail } };
        },
      });
    await client.connect(new LegacyTransport(new URL('http://gateway.test/mcp'), { fetch }));
    running.push(client);
    const { tools: listed } = await client.listTools();
    expect(listed.every(({ execution }) => execution?.taskSupport === undefined)).toBe(true);
    expect(await client.callTool({ name: 'test__done', arguments: {} })).toMatchObject({
      content: [{ type: 'text', text: 'done at last' }],
    });
  });
});

test('a task of a modern server that asks its user is declined once, and ends', async () => {
  const { server, connections } = await connectTo('modern');
  expect(await connections.call('test/asks', {}, 10_000)).toMatchObject({ kind: 'success' });
  expect(server.answers).toEqual([{ action: 'decline' }]);
  expect(server.asked.filter((method) => method === 'tasks/update')).toHaveLength(1);
});

test('a task of a legacy server that wants to ask learns that nobody can be asked, and ends', async () => {
  const { connections } = await connectTo('legacy');
  expect(await connections.call('test/asks', {}, 10_000)).toMatchObject({
    kind: 'success',
    text: expect.stringContaining('Method not found'),
  });
});

describe('the published server "everything"', () => {
  test('gets its research called as a task, and asked for until it is done', { timeout: 30_000 }, async () => {
    const { connections, tools } = await connectToEverything();
    const required = tools.filter(({ taskSupport }) => taskSupport === 'required').map(({ name }) => name);
    expect(required).toEqual(['test/simulate-research-query']);
    const outcome = await connections.call('test/simulate-research-query', { topic: 'tea' }, 15_000);
    expect(outcome).toMatchObject({ kind: 'success', text: expect.stringContaining('Research Report: tea') });
  });

  test('has its research cancelled when the time of the call is over', { timeout: 30_000 }, async () => {
    const { connections } = await connectToEverything();
    expect(await connections.call('test/simulate-research-query', { topic: 'tea' }, 2_500)).toMatchObject({
      kind: 'fault',
      fault: { code: 'timeout' },
    });
  });
});
