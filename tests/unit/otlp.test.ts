import { describe, expect, it } from 'vitest';
import { computeTraceIdOfAttempt } from '#core/values/traceparent.ts';
import type { CaseDetail } from '#core/evaluation/record.ts';
import { makeSpansOfCase } from '#core/reports/otlp/attempt-spans.ts';
import { layOutAttempt } from '#core/reports/otlp/attempt-spans.ts';
import { encodeSpan, encodeTraceRequest, spanKind } from '#core/reports/otlp/encoding.ts';
import { describeProvider } from '#core/reports/otlp/attempt-spans.ts';
import type { Trace } from '#core/traces/trace.ts';
import { evaluation } from '../client/records.ts';
import { traceRequest } from '../support/otlp-collector.ts';
import { makeStep, makeTrace } from '../support/traces.ts';
import { attemptOf, chain, fault, finished } from './evaluation/cases.ts';

const run = evaluation();
const [agent] = run.agents;
if (agent === undefined) throw new Error('the evaluation has no agent');
const done = finished({ unit: 'u_1', agent: 'steady' }, { tools: chain });

const start = '2026-01-01T00:00:00.000Z';
const steps = [
  makeStep('fruit/apple', { arguments: { colour: 'vermilion' }, latencyMs: 100 }),
  makeStep('fruit/pear', {
    outcome: 'failure',
    text: 'no pear',
    failure: { source: 'rule', class: 'resource-contention', rule: 'text' },
    latencyMs: 300,
  }),
  makeStep('fruit/plum', {
    outcome: 'failure',
    code: -32602,
    failure: { source: 'undecided' },
    turn: 2,
    latencyMs: 50,
  }),
  makeStep('fruit/kiwi', {
    outcome: 'failure',
    fault: { ...fault, code: 'timeout' },
    cause: 'environment',
    failure: { source: 'undecided' },
    turn: 2,
  }),
  makeStep('nothing', { outcome: 'failure', form: 'no-tool', failure: { source: 'undecided' }, turn: 2 }),
];
const trace = makeTrace(steps, { startedAt: start, turns: 3, durationMs: 1_000, finalText: 'Here is the quince.' });

const detailOf = (traces: Readonly<Record<string, Trace>>): CaseDetail => ({
  case: done,
  traces: { ...traces },
  asked: { source: 'Find an apple.', followUp: 'An apple, please.' },
  chain,
  plan: null,
});

const spansOf = async (of: Trace, withTexts = false, shown = agent) =>
  (await makeSpansOfCase(detailOf({ source: of }), { run, agent: shown, withTexts })).flat();

/** The attributes of a span by key, whatever their type. */
const attributesOf = (
  span: { readonly attributes: readonly { readonly key: string; readonly value: object }[] } | undefined,
) => Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));

describe('the spans of an attempt', () => {
  it('are an agent with its turns and calls, valid by the encoding of OTLP', async () => {
    const spans = await spansOf(trace, true);
    expect(spans.map(({ name }) => name)).toEqual([
      'invoke_agent steady',
      'chat offline-steady',
      'chat offline-steady',
      'chat offline-steady',
      'execute_tool apple',
      'execute_tool pear',
      'execute_tool plum',
      'execute_tool kiwi',
      'execute_tool nothing',
    ]);
    expect(() =>
      traceRequest.parse(encodeTraceRequest({ 'service.name': 'sextant' }, { name: 'sextant', version: '1' }, spans)),
    ).not.toThrow();
    const [root, ...children] = spans;
    expect(root).not.toHaveProperty('parentSpanId');
    for (const child of children) expect(child).toMatchObject({ parentSpanId: root?.spanId, traceId: root?.traceId });
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  });

  it('have the trace id that the servers saw, and the same ids every time', async () => {
    const spans = await spansOf(trace);
    expect(spans[0]?.traceId).toBe(await computeTraceIdOfAttempt('evl_1/u_1/steady.01.source'));
    expect(await spansOf(trace)).toEqual(spans);
    const [other] = (await makeSpansOfCase(detailOf({ followUp: trace }), { run, agent, withTexts: false })).flat();
    expect(other?.traceId).not.toBe(spans[0]?.traceId);
  });

  it('name the operation, the model, the tokens and the scores of the attempt', async () => {
    const [root, turn] = await spansOf(trace);
    const { usage } = attemptOf(done, 'source');
    expect(attributesOf(root)).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'steady',
      'gen_ai.request.model': 'offline-steady',
      'gen_ai.provider.name': 'models',
      'gen_ai.usage.input_tokens': String(usage.promptTokens),
      'sextant.evaluation': 'evl_1',
      'sextant.trial': '1',
      'sextant.times': 'estimated',
    });
    const scores = root?.events?.map((event) => attributesOf(event)) ?? [];
    expect(scores).toContainEqual({ 'gen_ai.evaluation.name': 'tcs', 'gen_ai.evaluation.score.value': 1 });
    expect(scores.every((score) => score['gen_ai.evaluation.name'] !== 'rubric')).toBe(true);
    expect(attributesOf(turn)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'sextant.turn': '1',
      'sextant.turn.tokens': '12',
    });
    expect(turn?.kind).toBe(spanKind.client);
  });

  it('say of a call what failed: the code of JSON-RPC, what broke, or an error of the tool', async () => {
    const calls = (await spansOf(trace)).slice(4);
    expect(calls.map((call) => attributesOf(call)['error.type'])).toEqual([
      undefined,
      'tool_error',
      '-32602',
      'timeout',
      'tool_error',
    ]);
    expect(calls.map(({ status }) => status?.code)).toEqual([undefined, 2, 2, 2, 2]);
    expect(attributesOf(calls[1])).toMatchObject({
      'mcp.method.name': 'tools/call',
      'sextant.server': 'fruit',
      'sextant.failure.class': 'resource-contention',
    });
    expect(attributesOf(calls[2])).toMatchObject({ 'rpc.response.status_code': '-32602' });
    expect(attributesOf(calls[4])).not.toHaveProperty('mcp.method.name');
  });

  it('have an error where a server marked one as a success, unless a judge overruled the rule', async () => {
    const found = { rule: 'error-prefix' };
    const reported = makeStep('fruit/apple', {
      text: 'Error: none',
      reported: found,
      failure: { source: 'undecided' },
    });
    const overruled = makeStep('fruit/apple', { text: 'Error: none', reported: { ...found, judged: 'overruled' } });
    const [, , ...calls] = await spansOf(makeTrace([reported, overruled], { startedAt: start }));
    expect(calls.map((call) => attributesOf(call)['error.type'])).toEqual(['tool_error', undefined]);
    expect(calls.map((call) => attributesOf(call)['sextant.reported_error'])).toEqual([true, undefined]);
  });

  it('have no text of anybody unless that is wanted', async () => {
    const text = JSON.stringify(await spansOf(trace));
    for (const secret of ['Find an apple', 'vermilion', 'no pear', '"found"', 'quince'])
      expect(text).not.toContain(secret);
    const whole = JSON.stringify(await spansOf(trace, true));
    for (const known of ['Find an apple', 'vermilion', 'no pear', '"found"', 'quince']) expect(whole).toContain(known);
  });

  it('have no turns of a model where nobody saw it', async () => {
    const external = {
      name: 'steady',
      loop: 'external' as const,
      limits: { timeMs: 1_000, callTimeoutMs: 100 },
      mounting: agent.mounting,
    };
    const spans = await spansOf(trace, false, external);
    expect(spans.map(({ name }) => name).filter((name) => name.startsWith('chat'))).toEqual([]);
    expect(attributesOf(spans[0])).not.toHaveProperty('gen_ai.request.model');
  });

  it('begin when the evaluation did where an earlier release kept no time, and say so', async () => {
    for (const startedAt of [undefined, 'yesterday']) {
      const [root] = await spansOf(startedAt === undefined ? makeTrace([]) : makeTrace([], { startedAt }));
      expect(attributesOf(root)['sextant.times']).toBe('unknown');
      expect(root?.startTimeUnixNano).toBe(`${Date.parse(run.createdAt)}000000`);
    }
  });
});

describe('the times of an attempt', () => {
  it('let the calls of a turn start together, and share what they do not explain among the turns', () => {
    const { attempt, turns, steps: calls } = layOutAttempt(trace);
    expect(attempt).toEqual({ startMs: 0, endMs: 1_000 });
    const perTurn = (1_000 - 300 - 50) / 3;
    expect(turns[0]).toEqual({ startMs: 0, endMs: perTurn });
    expect(calls[0]).toEqual({ startMs: perTurn, endMs: perTurn + 100 });
    expect(calls[1]).toEqual({ startMs: perTurn, endMs: perTurn + 300 });
    expect(turns[1]?.startMs).toBe(perTurn + 300);
    expect(turns[2]?.endMs).toBeCloseTo(1_000);
  });

  it('never end before they began, also when calls took longer than their attempt', () => {
    const { attempt, turns } = layOutAttempt(makeTrace([makeStep('a/b', { latencyMs: 500 })], { durationMs: 10 }));
    expect(attempt).toEqual({ startMs: 0, endMs: 500 });
    expect(turns).toEqual([{ startMs: 0, endMs: 0 }]);
  });

  it('are those of an attempt without turns', () => {
    expect(layOutAttempt(makeTrace([], { turns: 0, durationMs: 5 }))).toEqual({
      attempt: { startMs: 0, endMs: 5 },
      turns: [],
      steps: [],
      routes: [],
    });
  });
});

describe('the encoding of a span', () => {
  const facts = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    parentSpanId: null,
    name: 'n',
    kind: spanKind.internal,
    error: null,
  };

  it('keeps nanoseconds exactly', () => {
    const encoded = encodeSpan({ ...facts, startMs: 0.25, endMs: 1, attributes: {} }, 1_767_225_600_000);
    expect(encoded.startTimeUnixNano).toBe('1767225600000250000');
    expect(encoded.endTimeUnixNano).toBe('1767225600001000000');
  });

  it('writes whole numbers as texts and figures as numbers, and replaces halves of characters', () => {
    const attributes = { a: 1, b: 0.5, c: { double: 1 }, d: true, e: 'x\uD83C', f: undefined };
    const encoded = encodeSpan({ ...facts, startMs: 0, endMs: 0, attributes }, 1e12);
    expect(encoded.attributes).toEqual([
      { key: 'a', value: { intValue: '1' } },
      { key: 'b', value: { doubleValue: 0.5 } },
      { key: 'c', value: { doubleValue: 1 } },
      { key: 'd', value: { boolValue: true } },
      { key: 'e', value: { stringValue: 'x\uFFFD' } },
    ]);
  });
});

it.each([
  [
    'https://api.openai.com/v1',
    { 'gen_ai.provider.name': 'openai', 'server.address': 'api.openai.com', 'server.port': 443 },
  ],
  [
    'http://localhost:8000/v1',
    { 'gen_ai.provider.name': 'localhost', 'server.address': 'localhost', 'server.port': 8_000 },
  ],
  ['http://models', { 'gen_ai.provider.name': 'models', 'server.address': 'models', 'server.port': 80 }],
  ['no address', { 'gen_ai.provider.name': 'unknown' }],
])('the provider behind %s is named', (baseUrl, named) => {
  expect(describeProvider(baseUrl)).toEqual(named);
});
