import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import type { ServerConnections } from '#adapters/mcp/server-connections.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeServerLimitsForRunsOrNull } from '#core/catalog/server.ts';
import { newGovernor, type GovernorState } from '#core/models/governor/governor.ts';
import type { Governor } from '#core/models/governor/port.ts';
import type { StatedLimits } from '#core/catalog/stated-limits.ts';
import { WaitingCalls } from '#durable-objects/endpoint-governor/waiting-calls.ts';
import { serveLocally } from '../support/serve-locally.ts';
import { toolsNamed, unlimited } from '../support/unlimited.ts';

const running: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each.close();
});

const message = z.object({ id: z.union([z.string(), z.number()]).optional(), method: z.string() });

interface Counts {
  mostUnderWay: number;
  readonly arrivals: number[];
  refused: number;
}

/** A server that takes so many calls at once, refuses others with 429 and a time, and takes a while for each. */
async function startCountingServer(takesAtOnce: number, tookMs: number) {
  const counts: Counts = { mostUnderWay: 0, arrivals: [], refused: 0 };
  let underWay = 0;
  const server = await serveLocally(async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const { id } = message.parse(await request.json());
    counts.arrivals.push(Date.now());
    if (underWay >= takesAtOnce) {
      counts.refused += 1;
      return new Response(null, { status: 429, headers: { 'retry-after': '1' } });
    }
    underWay += 1;
    counts.mostUnderWay = Math.max(counts.mostUnderWay, underWay);
    await new Promise((resolve) => setTimeout(resolve, tookMs));
    underWay -= 1;
    const result = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
    return Response.json({ jsonrpc: '2.0', id, result });
  });
  running.push(server);
  return { url: server.url, counts };
}

/** Counts the requests to a governor. */
function countingGovernor() {
  const calls = new WaitingCalls(newGovernor, (state: GovernorState) => void (known.state = state));
  const known = { asked: 0, state: newGovernor };
  const governor: Governor = {
    askForLeave: (request) => ((known.asked += 1), calls.askForLeave(request)),
    extendLease: (lease) => ((known.asked += 1), calls.extendLease(lease)),
    reportRequestEnd: (request) => ((known.asked += 1), calls.reportRequestEnd(request)),
  };
  return { governor, known };
}

/** The connections of an attempt in an invocation of its own. */
function connect(url: string, governor?: Governor, limits: StatedLimits = {}): ServerConnections {
  const connections = makeLazyConnections({
    admission: new Admission(),
    servers: [
      {
        name: 'test',
        url,
        headers: {},
        ...unlimited,
        protocolVersion: '2026-07-28',
        ...(governor === undefined ? {} : { gate: { governor, limits } }),
      },
    ],
    tools: toolsNamed('test/work'),
    allowLocal: true,
    connectTimeoutMs: 500,
  });
  running.push(connections);
  return connections;
}

const timeoutMs = 1_000;

describe('a server with limits', () => {
  test('gets no more calls at once than its owner says, over all attempts, and they cost the calls none of their time', async () => {
    const { url, counts } = await startCountingServer(2, 200);
    const { governor, known } = countingGovernor();
    const attempts = Array.from({ length: 5 }, () => connect(url, governor, { concurrency: 2 }));
    const outcomes = await Promise.all(
      attempts.flatMap(({ forward }) => [1, 2, 3].map(() => forward('test/work', {}, { timeoutMs }))),
    );
    expect(outcomes).toEqual(outcomes.map(() => expect.objectContaining({ kind: 'answered' })));
    expect(counts).toMatchObject({ mostUnderWay: 2, refused: 0 });
    expect(Math.max(...outcomes.map(({ queuedMs = 0 }) => queuedMs))).toBeGreaterThan(timeoutMs);
    // One request before a call and one after it.
    expect(known.asked).toBe(outcomes.length * 2);
  });

  test('gets no more in a minute than its owner says, and a call that finds no place in time is told so', async () => {
    const { url, counts } = await startCountingServer(99, 5);
    const { governor } = countingGovernor();
    const { forward } = connect(url, governor, { perMinute: 4 });
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => forward('test/work', {}, { timeoutMs, mostWaitMs: 200 })),
    );
    expect(counts.arrivals).toHaveLength(4);
    expect(outcomes.filter(({ kind }) => kind === 'answered')).toHaveLength(4);
    expect(outcomes.filter(({ kind }) => kind === 'fault')).toEqual(
      Array.from({ length: 2 }, () =>
        expect.objectContaining({
          fault: expect.objectContaining({
            code: 'rate-limited',
            detail: expect.stringContaining('no place within the limits of the server (4 a minute)'),
          }),
        }),
      ),
    );
  });

  test('that is busy all the same is left alone by all attempts for as long as it says', async () => {
    const { url, counts } = await startCountingServer(1, 100);
    const { governor } = countingGovernor();
    const attempts = Array.from({ length: 3 }, () => connect(url, governor, { concurrency: 3 }));
    const outcomes = await Promise.all(attempts.map(({ forward }) => forward('test/work', {}, { timeoutMs })));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['answered', 'answered', 'answered']);
    const begun = counts.arrivals[0] ?? 0;
    const [first = 0, ...others] = counts.arrivals.filter((at) => at - begun > 100);
    expect(first - begun).toBeGreaterThan(900);
    expect(others.every((at) => at >= first)).toBe(true);
  });

  test('that answers nothing is not asked any more, by any attempt', async () => {
    const { governor, known } = countingGovernor();
    const unheard = 'http://127.0.0.1:9/mcp';
    const outcomes: unknown[] = [];
    for (let n = 0; n < 7; n += 1)
      outcomes.push(await connect(unheard, governor, { concurrency: 4 }).forward('test/work', {}, { timeoutMs }));
    expect(outcomes.slice(0, 5)).toEqual(
      Array.from({ length: 5 }, () =>
        expect.objectContaining({ fault: expect.objectContaining({ code: 'unreachable' }) }),
      ),
    );
    expect(outcomes[6]).toMatchObject({
      kind: 'fault',
      fault: { code: 'unreachable', detail: expect.stringContaining('left alone until') },
    });
    expect(known.state.circuit.strikes).toBe(1);
  });

  test('starts nothing for an attempt that has ended while its call waited', async () => {
    const { url, counts } = await startCountingServer(9, 150);
    const { governor } = countingGovernor();
    const [busy, waiting] = [connect(url, governor, { concurrency: 1 }), connect(url, governor, { concurrency: 1 })];
    const first = busy.forward('test/work', {}, { timeoutMs });
    await vi.waitUntil(() => counts.arrivals.length === 1);
    const second = waiting.forward('test/work', {}, { timeoutMs });
    await new Promise((resolve) => setTimeout(resolve, 30));
    await waiting.close();
    expect(await second).toMatchObject({ kind: 'fault', fault: { code: 'connection-lost' } });
    expect(await first).toMatchObject({ kind: 'answered' });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(counts.arrivals).toHaveLength(1);
  });
});

test('a server without limits has no governor', () => {
  expect(makeServerLimitsForRunsOrNull('srv_1', {})).toBeNull();
  expect(makeServerLimitsForRunsOrNull('srv_1', { perMinute: 9 })).toEqual({ perMinute: 9, governor: 'server:srv_1' });
});
