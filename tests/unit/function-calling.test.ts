import { describe, expect, test } from 'vitest';
import { runFunctionCallingAttempt } from '#agents/function-calling.ts';
import { agentLimits, type AgentLimits } from '#core/models/limits.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import type { ChatModel, ChatTurn, ToolConnections, ToolOutcome } from '#core/ports.ts';
import { trace as traceModel } from '#core/traces/trace.ts';

const toolNamed = (name: string): Tool => ({
  name,
  server: 'test',
  domain: 'tests',
  category: 'testing',
  inputSchema: { type: 'object' },
});
const tools = [toolNamed('test/find'), toolNamed('test/book.it')];

type Said =
  | { content?: string; calls?: [name: string, args: string][]; finish?: 'stop' | 'length' | 'refused' }
  | InfrastructureFault;
type Turn = Parameters<ChatModel['completeTurn']>[0];

const sha256 = 'a'.repeat(64);
const success = (text: string): ToolOutcome => ({ kind: 'success', text, truncated: false, sha256 });
const serverFault: InfrastructureFault = { where: 'server', name: 'test', code: 'unreachable', detail: 'gone' };
const modelFault: InfrastructureFault = { where: 'model', name: 'agent', code: 'timeout', detail: 'late' };

/** Runs an attempt over a scripted model and scripted tools; every turn and every call takes 10 ms of a made-up clock. */
async function attempt(script: Said[], outcomes: Record<string, ToolOutcome> = {}, limits: Partial<AgentLimits> = {}) {
  const turns: Turn[] = [];
  const called: [string, Readonly<Record<string, unknown>>, number][] = [];
  let time = 1_000;
  const model: ChatModel = {
    async completeTurn(request): Promise<ChatTurn> {
      turns.push(request);
      time += 10;
      const said = script.length > 1 ? script.shift() : script[0];
      if (said === undefined || 'where' in said) return { ok: false, fault: said ?? modelFault };
      const toolCalls = (said.calls ?? []).map(([name, argumentsText], i) => ({
        id: `c${turns.length}-${i}`,
        name,
        argumentsText,
      }));
      const call = {
        role: 'agent',
        model: 'm',
        prompt: request.prompt,
        promptTokens: 90,
        completionTokens: 10,
        costUsd: 0.5,
        latencyMs: 10,
        retries: 0,
      } as const;
      return {
        ok: true,
        content: said.content ?? '',
        toolCalls,
        finish: said.finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
        call,
      };
    },
  };
  const connections: ToolConnections = {
    async call(tool, args, timeoutMs) {
      called.push([tool, args, timeoutMs]);
      time += 10;
      return outcomes[tool] ?? success(`${tool} done`);
    },
  };
  const prompt = { id: 'agent@v1', messages: [{ role: 'user' as const, content: 'Book a room' }] };
  const result = await runFunctionCallingAttempt({
    prompt,
    tools,
    model,
    connections,
    limits: { ...agentLimits.parse({}), ...limits },
    seed: 3,
    now: () => time,
  });
  expect(traceModel.safeParse(result.trace).error).toBeUndefined();
  return { ...result, turns, called };
}

describe('a function-calling attempt', () => {
  test('calls tools until it has an answer', async () => {
    const { trace, calls, fault, turns, called } = await attempt([
      { content: 'let me see', calls: [['test__find', '{"q":"room"}']] },
      {
        calls: [
          ['test__book_it', ''],
          ['test__find', '{}'],
        ],
      },
      { content: 'Booked.' },
    ]);
    expect(fault).toBeNull();
    expect(trace).toMatchObject({
      end: 'answered',
      finalText: 'Booked.',
      turns: 3,
      promptTokens: 270,
      completionTokens: 30,
      costUsd: 1.5,
      durationMs: 60,
    });
    expect(trace.steps.map(({ tool, outcome, turn, text }) => [tool, outcome, turn, text])).toEqual([
      ['test/find', 'success', 1, 'test/find done'],
      ['test/book.it', 'success', 2, 'test/book.it done'],
      ['test/find', 'success', 2, 'test/find done'],
    ]);
    expect(trace.steps[0]).toMatchObject({ arguments: { q: 'room' }, sha256, latencyMs: 10, turn: 1, turnTokens: 100 });
    expect(called.map(([, args]) => args)).toEqual([{ q: 'room' }, {}, {}]);
    expect(calls).toHaveLength(3);
    expect(turns[0]?.functions.map(({ name }) => name)).toEqual(['test__find', 'test__book_it']);
    expect(turns[1]?.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'let me see',
        toolCalls: [{ id: 'c1-0', name: 'test__find', argumentsText: '{"q":"room"}' }],
      },
      { role: 'tool', toolCallId: 'c1-0', content: 'test/find done' },
    ]);
    expect(turns.every(({ seed }) => seed === 3)).toBe(true);
  });

  test("reports the model's mistakes back to it as failures that reach no server", async () => {
    const { trace, turns, called } = await attempt([
      {
        calls: [
          ['test__find', '{"q":'],
          ['test__find', '[1]'],
          ['no_such', '{"a":1}'],
          ['test__find', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
        ],
      },
      { content: 'sorry' },
    ]);
    expect(called).toEqual([]);
    expect(trace.steps.map(({ tool, outcome, arguments: args, sha256: hash }) => [tool, outcome, args, hash])).toEqual([
      ['test/find', 'failure', null, null],
      ['test/find', 'failure', null, null],
      ['no_such', 'failure', { a: 1 }, null],
      ['test/find', 'failure', null, null],
    ]);
    expect(turns[1]?.messages.slice(-4).map(({ content }) => content)).toEqual([
      expect.stringContaining('not a JSON object'),
      expect.stringContaining('not a JSON object'),
      expect.stringContaining('no function called "no_such"'),
      expect.stringContaining('of at most 100 levels'),
    ]);
  });

  test('records tool errors as failures and continues', async () => {
    const error: ToolOutcome = { kind: 'error', text: 'no rooms', code: -32602, truncated: false, sha256 };
    const { trace, turns } = await attempt([{ calls: [['test__find', '{}']] }, { content: 'none' }], {
      'test/find': error,
    });
    expect(trace.steps[0]).toMatchObject({ outcome: 'failure', text: 'no rooms', code: -32602, sha256 });
    expect(turns[1]?.messages.at(-1)?.content).toBe('The call failed: no rooms');
    expect(trace.end).toBe('answered');
  });

  test('cuts long results for the trace and for the model at the same place', async () => {
    const long = success(`${'x'.repeat(7_999)}😀${'y'.repeat(10_000)}`);
    const { trace, turns } = await attempt([{ calls: [['test__find', '{}']] }, {}], { 'test/find': long });
    expect(trace.steps[0]).toMatchObject({ text: 'x'.repeat(7_999), truncated: true });
    expect(turns[1]?.messages.at(-1)?.content).toBe(`${'x'.repeat(7_999)}\n[cut off here]`);
  });

  test('keeps oversized arguments and answers away from servers and traces', async () => {
    const long = JSON.stringify({ q: 'x'.repeat(40_000) });
    const { trace, turns, called } = await attempt([
      {
        calls: [
          ['test__find', long],
          ['no_such', long],
        ],
      },
      { content: 'y'.repeat(100_000) },
    ]);
    expect(called).toEqual([]);
    expect(trace.steps.map(({ outcome, arguments: args }) => [outcome, args])).toEqual([
      ['failure', null],
      ['failure', null],
    ]);
    expect(turns[1]?.messages.at(-2)?.content).toContain('more than 32000 characters');
    expect(trace.finalText).toBe('y'.repeat(32_000));
  });

  const threeCalls: Said = {
    calls: [
      ['test__find', '{}'],
      ['test__book_it', '{}'],
      ['test__find', '{}'],
    ],
  };

  test('continues after a server fault, of which the model is told', async () => {
    const outcomes: Record<string, ToolOutcome> = { 'test/book.it': { kind: 'fault', fault: serverFault } };
    const { trace, fault, turns } = await attempt([threeCalls, { content: 'sorry' }], outcomes);
    expect(fault).toBeNull();
    expect(trace).toMatchObject({ end: 'answered', fault: null, finalText: 'sorry', turns: 2 });
    expect(trace.steps.map(({ outcome, cause }) => [outcome, cause])).toEqual([
      ['success', undefined],
      ['failure', 'environment'],
      ['success', undefined],
    ]);
    expect(turns[1]?.messages.at(-2)?.content).toBe(`The call failed: ${serverFault.name}: ${serverFault.detail}`);
  });

  test.each<[why: string, outcome: ToolOutcome]>([
    ['no server can be connected to', { kind: 'fault', fault: serverFault, unmounted: true }],
    ['a recording has no answer', { kind: 'fault', fault: { ...serverFault, code: 'replay-miss' } }],
  ])('ends if %s, and keeps the steps so far', async (_why, outcome) => {
    const { trace, fault } = await attempt([threeCalls], { 'test/book.it': outcome });
    expect(fault).not.toBeNull();
    expect(trace).toMatchObject({ end: 'fault', fault, turns: 1 });
    expect(trace.steps).toHaveLength(2);
  });

  test('ends on a model fault', async () => {
    const { trace, fault, calls } = await attempt([{ calls: [['test__find', '{}']] }, modelFault]);
    expect(fault).toEqual(modelFault);
    expect(trace).toMatchObject({ end: 'fault', turns: 1 });
    expect([trace.steps.length, calls.length]).toEqual([1, 1]);
  });
});

describe('the limits of a function-calling attempt', () => {
  const again: Said = { calls: [['test__find', '{}']] };

  test('end it after too many turns', async () => {
    const { trace, fault } = await attempt([again], {}, { turns: 3 });
    expect(fault).toBeNull();
    expect(trace).toMatchObject({ end: 'turn-limit', turns: 3, fault: null });
    expect(trace.steps).toHaveLength(3);
  });
  test('end it after too many tokens', async () => {
    expect((await attempt([again], {}, { tokens: 150 })).trace).toMatchObject({ end: 'token-limit', turns: 6 });
    expect((await attempt([{ content: 'and so', finish: 'length' }])).trace).toMatchObject({
      end: 'token-limit',
      finalText: 'and so',
    });
  });
  test('end it when its time is over, even if that shows as a time-out of model or tool', async () => {
    const { trace, turns, called } = await attempt([again], {}, { timeMs: 45 });
    expect(trace).toMatchObject({ end: 'time-limit', turns: 3 });
    expect(turns.map(({ timeoutMs }) => timeoutMs)).toEqual([45, 25, 5]);
    expect(called.map(([, , timeoutMs]) => timeoutMs)).toEqual([35, 15]);
    const late = await attempt([modelFault], {}, { timeMs: 10 });
    expect([late.trace.end, late.fault]).toEqual(['time-limit', null]);
    const slow: ToolOutcome = { kind: 'fault', fault: { ...serverFault, code: 'timeout' } };
    const cut = await attempt([again], { 'test/find': slow }, { timeMs: 20 });
    expect([cut.trace.end, cut.fault]).toEqual(['time-limit', null]);
    expect(cut.trace.steps[0]).toMatchObject({ outcome: 'failure', failure: { rule: 'broken-off' } });
    expect(cut.trace.steps[0]).not.toHaveProperty('cause');
  });
  test('skip calls beyond the number allowed in one turn', async () => {
    const { trace, turns } = await attempt(
      [{ calls: Array.from({ length: 5 }, () => ['test__find', '{}']) }, {}],
      {},
      { callsPerTurn: 2 },
    );
    expect(trace.steps).toHaveLength(2);
    expect(turns[1]?.messages.filter(({ role }) => role === 'tool')).toHaveLength(5);
  });
  test('do not apply to a refusal, which ends it as refused', async () => {
    expect((await attempt([{ content: 'no', finish: 'refused' }])).trace).toMatchObject({
      end: 'refused',
      finalText: 'no',
    });
  });
});
