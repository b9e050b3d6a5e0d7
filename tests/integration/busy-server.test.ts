import { describe, expect, test } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { waitBeforeRetryMsOrNull } from '#adapters/network/retry-after.ts';
import type { ServerConnections } from '#adapters/mcp/server-connections.ts';
import type { TestMcpServer, Trick } from '../support/mcp-server.ts';
import { running, serverWith } from '../support/running.ts';
import { toolsNamed, unlimited } from '../support/unlimited.ts';

function connect(server: TestMcpServer): ServerConnections {
  const connections = makeLazyConnections({
    admission: new Admission(),
    servers: [{ name: 'test', url: server.url, headers: {}, ...unlimited }],
    tools: toolsNamed('test/echo'),
    allowLocal: true,
    connectTimeoutMs: 3_000,
  });
  running.push(connections);
  return connections;
}

const busy = (status: number, headers: Record<string, string>, times?: number): Trick => ({
  kind: 'status',
  status,
  headers,
  ...(times === undefined ? {} : { times }),
});
const callsOf = (server: TestMcpServer, method = 'tools/call') =>
  server.requests.filter(({ rpc }) => rpc === method).length;
const inTwoSeconds = (): string => new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_000).toUTCString();

describe('a busy server that says when to try again', () => {
  test.each<[what: string, status: number, after: () => string]>([
    ['429, in seconds', 429, () => '1'],
    ['503, in seconds', 503, () => '1'],
    ['429, as an HTTP date', 429, inTwoSeconds],
  ])('is asked again within the call: %s', async (_what, status, after) => {
    const server = await serverWith({ tricks: { 'tools/call': busy(status, { 'retry-after': after() }, 1) } });
    const begun = performance.now();
    expect(await connect(server).call('test/echo', { text: 'ripe' }, 5_000)).toMatchObject({ text: 'ripe' });
    expect(performance.now() - begun).toBeGreaterThan(800);
    expect(callsOf(server)).toBe(2);
  });

  test('is asked again within the call when it is busy at initialize', async () => {
    const server = await serverWith({ tricks: { initialize: busy(429, { 'retry-after': '1' }, 1) } });
    expect(await connect(server).call('test/echo', { text: 'ripe' }, 5_000)).toMatchObject({ text: 'ripe' });
    expect(callsOf(server, 'initialize')).toBe(2);
  });

  test('costs the call none of its time by the wait', async () => {
    const server = await serverWith({ tricks: { 'tools/call': busy(429, { 'retry-after': '1' }, 1) } });
    const outcome = await connect(server).call('test/echo', { text: 'ripe' }, 500);
    expect(outcome).toMatchObject({ text: 'ripe' });
    expect(outcome.queuedMs).toBeGreaterThan(900);
    expect(outcome.queuedMs).toBeLessThan(1_500);
  });

  test('is waited for two minutes at most, and the agent is told', async () => {
    const server = await serverWith({ tricks: { 'tools/call': busy(429, { 'retry-after': '120' }) } });
    const begun = performance.now();
    const outcome = await connect(server).call('test/echo', { text: 'ripe' }, 2_000);
    expect(outcome).toMatchObject({
      kind: 'fault',
      fault: { code: 'rate-limited', status: 429, detail: 'HTTP status 429: the server asks to wait 120 seconds' },
    });
    expect(performance.now() - begun).toBeLessThan(1_500);
    expect(callsOf(server)).toBe(1);
  });

  test('is asked ever less often if it asks for no time at all, until the time for waiting is over', async () => {
    const server = await serverWith({ tricks: { 'tools/call': busy(503, { 'retry-after': '0' }) } });
    const waiting = { timeoutMs: 1_000, mostWaitMs: 1_000 };
    expect(await connect(server).forward('test/echo', { text: 'ripe' }, waiting)).toMatchObject({ kind: 'fault' });
    expect(callsOf(server)).toBeGreaterThan(1);
    expect(callsOf(server)).toBeLessThan(6);
  });

  test('that does not say when is not asked again', async () => {
    const server = await serverWith({ tricks: { 'tools/call': busy(503, {}) } });
    expect(await connect(server).call('test/echo', { text: 'ripe' }, 2_000)).toMatchObject({ fault: { status: 503 } });
    expect(callsOf(server)).toBe(1);
  });
});

test.each([
  [undefined, 1, 9_000, null],
  [2_000, 1, 9_000, 2_000],
  [2_000, 1, 2_000, null],
  [0, 1, 9_000, 100],
  [0, 3, 9_000, 400],
])('a wish to wait %s ms, at repeat %i with %i ms left, comes to %s', (asked, repeat, left, wait) => {
  expect(waitBeforeRetryMsOrNull(asked, repeat, left)).toBe(wait);
});
