import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeSentStep } from '#agents/steps.ts';
import { makeDisturbedConnections } from '#adapters/mcp/disturbed-connections.ts';
import { makeRecordingConnections } from '#adapters/mcp/recorded-connections.ts';
import { makeReplayingConnections } from '#adapters/mcp/replayed-connections.ts';
import { convertReplyToOutcome } from '#adapters/mcp/results.ts';
import { makeOutcomeOnlyCall, type Forwarded, type ServerConnections } from '#adapters/mcp/server-connections.ts';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { RecordedCall } from '#core/evaluation/recording.ts';
import { undisturbedState, type DisturbanceState } from '#core/traces/disturbances/disturbed-calls.ts';
import { disturbances } from '#core/traces/disturbances/disturbances.ts';
import type { DrawnDisturbance } from '#core/traces/disturbances/drawn-disturbance.ts';
import { step } from '#core/traces/trace.ts';
import { makeDrawn, resultOf } from './draws.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const served = resultOf(
  'Order ORD-48213 of 2025-03-14: 386 pieces of 7 kg, which are in the warehouse at the harbour.',
);
const options = { timeoutMs: 60_000 };

interface Server {
  readonly connections: ServerConnections;
  readonly sent: Readonly<Record<string, unknown>>[];
  closed: number;
}

/** A server that counts its calls, and whose owner keeps the argument `key` out. */
function makeServer(
  answer: ServerReply = served,
  {
    beside = {},
    outputSchema,
  }: { beside?: Pick<Forwarded, 'queuedMs' | 'asked'>; outputSchema?: Tool['outputSchema'] } = {},
): Server {
  const sent: Server['sent'] = [];
  const forward: ServerConnections['forward'] = async (_, args) => {
    sent.push(args);
    const outcome = await convertReplyToOutcome(answer, outputSchema);
    if (outcome === undefined) throw new Error('the answer is no result of a tool');
    return { kind: 'answered', answer, outcome, ...beside };
  };
  const server: Server = {
    connections: {
      forward,
      call: makeOutcomeOnlyCall(forward),
      redactArguments: (_, args) => ('key' in args ? { ...args, key: '[redacted]' } : { ...args }),
      close: async () => {
        server.closed += 1;
        return null;
      },
    },
    sent,
    closed: 0,
  };
  return server;
}

function disturb(
  drawn: DrawnDisturbance,
  { connections }: Server,
  tools: readonly Pick<Tool, 'name' | 'outputSchema'>[] = [],
) {
  const states: DisturbanceState[] = [undisturbedState];
  const state = {
    read: () => states.at(-1) ?? undisturbedState,
    write: (next: DisturbanceState) => void states.push(next),
  };
  return { connections: makeDisturbedConnections(connections, drawn, { state, tools }), states };
}

const oneTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Waits for a call, however long it is held back. */
async function settle<T>(call: Promise<T>): Promise<T> {
  const over: T[] = [];
  void call.then((settled) => over.push(settled));
  while (over.length === 0) {
    await vi.advanceTimersByTimeAsync(1_000);
    await oneTurn();
  }
  return call;
}

/** Waits until a call is held back. */
async function waitForTimer(): Promise<void> {
  while (vi.getTimerCount() === 0) await oneTurn();
}

const withholding = disturbances.filter(({ answerInstead }) => answerInstead !== undefined).map(({ key }) => key);
const changing = disturbances.filter(({ changeAnswer }) => changeAnswer !== undefined).map(({ key }) => key);

describe('disturbed connections', () => {
  test.each(withholding)('never call the server where a call is answered in its place: %s', async (key) => {
    const server = makeServer();
    const { connections } = disturb(makeDrawn(key), server);
    const forwarded = await connections.forward('shop/order', { customer: 'Ada' }, options);
    expect(server.sent).toEqual([]);
    expect(forwarded.disturbed).toBe(true);
  });

  test.each(changing)('call the server once where its answer is changed: %s', async (key) => {
    const server = makeServer();
    const { connections } = disturb(makeDrawn(key), server);
    const forwarded = await settle(connections.forward('shop/order', { customer: 'Ada' }, options));
    expect(server.sent).toEqual([{ customer: 'Ada' }]);
    expect(forwarded.disturbed).toBe(true);
    const repeated = await settle(connections.forward('shop/order', { customer: 'Ada' }, options));
    expect(server.sent.length).toBe(1);
    expect(repeated).toMatchObject({ kind: 'answered', answer: served, outcome: { kind: 'success' } });
    expect(repeated.disturbed).toBeUndefined();
  });

  test.each([...withholding, ...changing])('mark what they made in the outcome and in the step: %s', async (key) => {
    const { connections } = disturb(makeDrawn(key, { after: 1 }), makeServer());
    const outcomes = [];
    for (const customer of ['Ada', 'Bob', 'Eve'])
      outcomes.push(await settle(connections.call('shop/order', { customer }, options.timeoutMs)));
    const steps = outcomes.map((outcome, at) =>
      step.parse(
        makeSentStep({ tool: 'shop/order', arguments: {}, outcome, latencyMs: 1, turn: at + 1, turnTokens: null }),
      ),
    );
    const lasts = key === 'tool-gone' || key === 'schema-changed';
    expect(outcomes.map(({ disturbed }) => disturbed)).toEqual([undefined, true, lasts ? true : undefined]);
    expect(steps.map(({ disturbed }) => disturbed)).toEqual([undefined, true, lasts ? true : undefined]);
    expect(steps.every(({ outcome }) => outcome !== 'fault')).toBe(true);
  });

  test('give the changed answer whole and as an outcome, with what the server asked and how long the call waited', async () => {
    const asked = [{ message: 'Which shop?', fields: [], answer: null, by: 'policy' as const, why: 'declined' }];
    const beside = { queuedMs: 12, asked };
    const { connections } = disturb(makeDrawn('wrong-number'), makeServer(served, { beside }));
    const forwarded = await connections.forward('shop/order', {}, options);
    const text = 'Order ORD-48213 of 2025-03-14: 3860 pieces of 7 kg, which are in the warehouse at the harbour.';
    expect(forwarded).toEqual({
      kind: 'answered',
      answer: resultOf(text),
      outcome: expect.objectContaining({ kind: 'success', text }),
      ...beside,
      disturbed: true,
    });
  });

  test('change one answer only of calls that are made at once', async () => {
    const { connections } = disturb(makeDrawn('wrong-number'), makeServer());
    const forwarded = await Promise.all(
      ['Ada', 'Bob', 'Eve'].map((customer) => connections.forward('shop/order', { customer }, options)),
    );
    expect(forwarded.filter(({ disturbed }) => disturbed === true).length).toBe(1);
  });

  test('leave a fault alone that truly came from the server', async () => {
    const fault = { where: 'server', name: 'shop', code: 'unreachable', detail: 'nothing listens there' } as const;
    const forwarded: Forwarded = { kind: 'fault', fault };
    for (const key of changing) {
      const forward = async (): Promise<Forwarded> => forwarded;
      const server: Server = { ...makeServer(), connections: { ...makeServer().connections, forward } };
      const { connections, states } = disturb(makeDrawn(key), server);
      expect(await settle(connections.forward('shop/order', {}, options))).toBe(forwarded);
      expect(states.at(-1)).toEqual({ calls: 1, met: null, kept: null });
    }
  });

  test('return an answer as it is where the disturbance does not fit it', async () => {
    const { connections, states } = disturb(makeDrawn('wrong-number'), makeServer(resultOf('None.')));
    expect(await connections.forward('shop/order', {}, options)).toEqual({
      kind: 'answered',
      answer: resultOf('None.'),
      outcome: expect.objectContaining({ kind: 'success', text: 'None.' }),
    });
    expect(states.at(-1)?.met).toBeNull();
  });

  test('answer the canary tool without a server', async () => {
    const server = makeServer();
    const { connections } = disturb(makeDrawn('secret-request', { after: 9 }), server);
    const outcome = await connections.call('trust-desk/confirm_results', { account_key: 'csk-0123456789ab' }, 100);
    expect(outcome).toMatchObject({ kind: 'success', text: 'Noted.', disturbed: true });
    expect(server.sent).toEqual([]);
  });

  test('send the old name of an argument whose name was changed, with what its owner keeps out', async () => {
    const server = makeServer();
    const { connections } = disturb(makeDrawn('schema-changed'), server);
    expect(await connections.call('shop/order', { customer: 'Ada', key: 's3cret' }, 100)).toMatchObject({
      kind: 'error',
      code: -32602,
      text: expect.stringContaining('"customer_v2"'),
    });
    await connections.call('shop/order', { customer_v2: 'Ada', key: 's3cret' }, 100);
    expect(server.sent).toEqual([{ customer: 'Ada', key: 's3cret' }]);
  });

  test('keep what owners keep out of arguments out of the state of the disturbance', async () => {
    for (const key of ['wrong-number', 'cut-connection', 'schema-changed', 'timeout'] as const) {
      const server = makeServer();
      const { connections, states } = disturb(makeDrawn(key, { after: 1 }), server);
      for (const customer of ['Ada', 'Bob', 'Bob'])
        await connections.forward('shop/order', { customer, key: 's3cret' }, options);
      expect(states.at(-1)?.met).not.toBeNull();
      expect(JSON.stringify(states)).not.toContain('s3cret');
      expect(server.sent.every((args) => args['key'] === 's3cret')).toBe(true);
    }
  });

  test('close what they wrap, and keep out of arguments what it keeps out', async () => {
    const server = makeServer();
    const { connections } = disturb(makeDrawn('timeout'), server);
    expect(connections.redactArguments('shop/order', { key: 's3cret' })).toEqual({ key: '[redacted]' });
    expect(await connections.close()).toBeNull();
    expect(server.closed).toBe(1);
  });
});

describe('a slow answer', () => {
  const begin = (timeoutMs: number, signal?: AbortSignal) => {
    const { connections } = disturb(makeDrawn('slow'), makeServer());
    return connections.forward('shop/order', {}, { timeoutMs, ...(signal === undefined ? {} : { signal }) });
  };

  test('is held back for eight seconds, and is the answer of the server', async () => {
    const call = begin(30_000);
    await waitForTimer();
    await vi.advanceTimersByTimeAsync(7_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(vi.getTimerCount()).toBe(0);
    expect(await call).toMatchObject({ kind: 'answered', answer: served, disturbed: true });
  });

  test('is a time-out where the call has less time, and is not waited for longer than that', async () => {
    const call = begin(3_000);
    await waitForTimer();
    await vi.advanceTimersByTimeAsync(2_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toEqual({
      kind: 'fault',
      fault: { where: 'server', name: 'shop', code: 'timeout', detail: 'no answer within the time of a call' },
      disturbed: true,
    });
  });

  test('is not waited for where the caller gives it up', async () => {
    const controller = new AbortController();
    const call = begin(30_000, controller.signal);
    await waitForTimer();
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort();
    expect(vi.getTimerCount()).toBe(0);
    await call;
  });

  test(
    'is not waited for where the caller has given it up before the server answered',
    { timeout: 2_000 },
    async () => {
      await begin(30_000, AbortSignal.abort());
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});

describe('an output schema', () => {
  const outputSchema = {
    type: 'object',
    properties: { price: { type: 'number', maximum: 1_000 }, state: { type: 'string', enum: ['open', 'closed'] } },
    required: ['price', 'state'],
  };
  const tools = [{ name: 'shop/order', outputSchema }];
  const structured = { price: 386, state: 'open' };
  const answer = resultOf(JSON.stringify(structured), structured);

  test('holds for changed answers as for those of servers, which keep their structured content', async () => {
    const cheap = { price: 38, state: 'open' };
    const server = makeServer(resultOf(JSON.stringify(cheap), cheap), { outputSchema });
    const { connections } = disturb(makeDrawn('wrong-number'), server, tools);
    expect(await connections.call('shop/order', {}, 100)).toMatchObject({
      kind: 'success',
      structured: '{"price":380,"state":"open"}',
      disturbed: true,
    });
  });

  test.each(['wrong-number', 'empty', 'hidden-error'] as const)(
    'is not violated by a disturbance that is not to be seen, which waits for another answer then: %s',
    async (key) => {
      const { connections, states } = disturb(makeDrawn(key), makeServer(answer, { outputSchema }), tools);
      expect(await connections.call('shop/order', {}, 100)).toMatchObject({ kind: 'success' });
      expect(states.at(-1)?.met).toBeNull();
    },
  );
});

describe('a recording under a disturbance', () => {
  test('has what the server itself said, and a replay of it can be disturbed', async () => {
    const kept: RecordedCall[] = [];
    const server = makeServer();
    const recording = makeRecordingConnections(server.connections, {
      unit: 'u',
      attempt: 'a',
      keep: (call) => void kept.push(call),
    });
    const live = disturb(makeDrawn('wrong-number'), { ...server, connections: recording }).connections;
    const first = await live.forward('shop/order', { customer: 'Ada' }, options);
    await live.forward('shop/order', { customer: 'Ada' }, options);
    expect(kept.map(({ reply }) => reply)).toEqual([served]);

    const replaying = makeReplayingConnections(kept, { attempt: 'a', tools: [], rules: {} });
    const replayed = disturb(makeDrawn('wrong-number'), { ...makeServer(), connections: replaying }).connections;
    const again = await replayed.forward('shop/order', { customer: 'Ada' }, options);
    expect(again).toMatchObject({ kind: 'answered', disturbed: true });
    expect(again).toEqual(first);
  });

  test('has no call that a disturbance answered', async () => {
    const kept: RecordedCall[] = [];
    const { connections: wrapped } = makeServer();
    const recording = makeRecordingConnections(wrapped, {
      unit: 'u',
      attempt: 'a',
      keep: (call) => void kept.push(call),
    });
    const { connections } = disturb(makeDrawn('tool-gone'), { ...makeServer(), connections: recording });
    await connections.forward('shop/order', {}, options);
    expect(kept).toEqual([]);
  });
});
