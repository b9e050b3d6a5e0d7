import { expect, test } from 'vitest';
import { makeRecordingConnections } from '#adapters/mcp/recorded-connections.ts';
import { makeReplayingConnections } from '#adapters/mcp/replayed-connections.ts';
import { makeOutcomeOnlyCall, type ServerConnections } from '#adapters/mcp/server-connections.ts';
import {
  makeCallKeyAssigner,
  readCallsForReplay,
  recordedCall,
  storeRecordedCalls,
  type RecordedCall,
} from '#core/evaluation/recording.ts';

const keepArguments: ServerConnections['redactArguments'] = (_, args) => ({ ...args });

/** Connections to a server that counts, for ever or until it breaks. */
function counting(from = 0, breaksAt = Infinity): ServerConnections {
  let count = from;
  const forward: ServerConnections['forward'] = async () => {
    count += 1;
    const text = String(count);
    if (count === breaksAt) {
      return { kind: 'fault', fault: { where: 'server', name: 'test', code: 'timeout', detail: 'late' } };
    }
    const answer = { kind: 'result' as const, result: { content: [{ type: 'text', text }] } };
    return { kind: 'answered', answer, outcome: { kind: 'success', text, truncated: false, sha256: '' } };
  };
  return { forward, call: makeOutcomeOnlyCall(forward), redactArguments: keepArguments, close: async () => null };
}

async function recordOf(attempt: string, connections: ServerConnections, calls: number): Promise<RecordedCall[]> {
  const kept: RecordedCall[] = [];
  const recording = makeRecordingConnections(connections, { unit: 'u', attempt, keep: (call) => kept.push(call) });
  for (let i = 0; i < calls; i += 1) await recording.call('test/count', { a: 1, b: 2 }, 100);
  return kept;
}

async function replayed(recorded: readonly RecordedCall[], attempt: string, calls: number): Promise<string[]> {
  const { call } = makeReplayingConnections(recorded, { attempt, tools: [], rules: {} });
  const said: string[] = [];
  for (let i = 0; i < calls; i += 1) {
    const outcome = await call('test/count', { b: 2, a: 1 }, 100);
    said.push(outcome.kind === 'fault' ? outcome.fault.code : outcome.text);
  }
  return said;
}

test('each occurrence of a call gets its own recorded answer, and no further one', async () => {
  const recorded = await recordOf('a', counting(), 3);
  expect(recorded.map(({ occurrence }) => occurrence)).toEqual([0, 1, 2]);
  expect(await replayed(recorded, 'a', 4)).toEqual(['1', '2', '3', 'replay-miss']);
});

test('an attempt gets its own recorded answers, then those of the smallest id', async () => {
  const recorded = [
    ...(await recordOf('c', counting(30), 3)),
    ...(await recordOf('b', counting(20), 3)),
    ...(await recordOf('a', counting(10), 1)),
  ];
  expect(await replayed(recorded, 'a', 3)).toEqual(['11', '22', '23']);
  expect(await replayed(recorded, 'c', 3)).toEqual(['31', '32', '33']);
  expect(await replayed(recorded, 'd', 4)).toEqual(['11', '22', '23', 'replay-miss']);
  expect(await replayed(recorded.toReversed(), 'd', 3)).toEqual(['11', '22', '23']);
});

test('a fault that spoilt a call is replayed as it was', async () => {
  const recorded = await recordOf('a', counting(0, 2), 3);
  expect(recorded.map((call) => recordedCall.parse(JSON.parse(JSON.stringify(call))))).toEqual(recorded);
  expect(await replayed(recorded, 'a', 3)).toEqual(['1', 'timeout', '3']);
});

test('what the caller broke off, or no server could take, is not recorded', async () => {
  const fault = { where: 'server', name: 'test', code: 'connection-lost', detail: 'gone' } as const;
  const kept: RecordedCall[] = [];
  const keep = (call: RecordedCall): void => void kept.push(call);
  for (const unmounted of [{}, { unmounted: true }] as const) {
    const forward: ServerConnections['forward'] = async () => ({ kind: 'fault', fault, ...unmounted });
    const call = makeOutcomeOnlyCall(forward);
    const connections = { forward, call, redactArguments: keepArguments, close: async () => null };
    const recording = makeRecordingConnections(connections, { unit: 'u', attempt: 'a', keep });
    const signal = 'unmounted' in unmounted ? undefined : AbortSignal.abort();
    await recording.forward('test/count', {}, { timeoutMs: 100, signal });
  }
  expect(kept).toEqual([]);
});

test('parallel calls are distinguished by their order of issue', async () => {
  const kept: RecordedCall[] = [];
  const recording = makeRecordingConnections(counting(), { unit: 'u', attempt: 'a', keep: (call) => kept.push(call) });
  await Promise.all([1, 2, 3].map(() => recording.call('test/count', { a: 1, b: 2 }, 100)));
  expect(await replayed(kept, 'a', 3)).toEqual(['1', '2', '3']);
});

test('a closed replay gives no answers', async () => {
  const replay = makeReplayingConnections(await recordOf('a', counting(), 1), { attempt: 'a', tools: [], rules: {} });
  await replay.close();
  expect(await replay.call('test/count', { a: 1, b: 2 }, 100)).toMatchObject({ fault: { code: 'connection-lost' } });
});

test('keys depend on the value of the arguments, even with lone surrogates', () => {
  const keyOf = makeCallKeyAssigner();
  expect(keyOf('test/a', { b: [{ d: 1, c: 'x' }], a: 1.0 })).toEqual({
    tool: 'test/a',
    arguments: '{"a":1,"b":[{"c":"x","d":1}]}',
    occurrence: 0,
  });
  expect(keyOf('test/a', { a: 1, b: [{ c: 'x', d: 1 }] }).occurrence).toBe(1);
  expect(keyOf('test/b', { a: 1, b: [{ c: 'x', d: 1 }] }).occurrence).toBe(0);
  expect(keyOf('test/a', { 'k\ud800': 'v\udc00' }).arguments).toBe('{"k\ufffd":"v\ufffd"}');
});

test("an attempt's answers are written and read in messages of bounded size, complete and in order", async () => {
  const text = '€'.repeat(300_000);
  const calls = Array.from({ length: 60 }, (_, n): RecordedCall => ({
    unit: 'u',
    attempt: 'a',
    tool: 'test/count',
    arguments: '{}',
    occurrence: n,
    reply: { kind: 'result', result: { content: [{ type: 'text', text }] } },
  }));
  const written: RecordedCall[][] = [];
  const write = async (_unit: string, _attempt: string, part: readonly RecordedCall[], which: 'first' | 'further') => {
    if (which === 'first') written.length = 0;
    written.push([...part]);
  };
  await storeRecordedCalls({ replaceOrAppendCalls: write }, 'u', 'a', calls);
  await storeRecordedCalls({ replaceOrAppendCalls: write }, 'u', 'a', calls);
  expect(written.flat()).toEqual(calls);
  for (const part of written)
    expect(new TextEncoder().encode(JSON.stringify(part)).length).toBeLessThan(32 * 1024 * 1024);
  await storeRecordedCalls({ replaceOrAppendCalls: write }, 'u', 'a', []);
  expect(written).toEqual([[]]);

  const pages = [calls.slice(0, 10), calls.slice(10)];
  const pageForReplay = async (_unit: string, _attempt: string, after: number) => ({
    calls: pages[after] ?? [],
    next: after + 1 < pages.length ? after + 1 : null,
  });
  expect(await readCallsForReplay({ pageForReplay }, 'u', 'a')).toEqual(calls);
});
