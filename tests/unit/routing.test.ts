import { describe, expect, test } from 'vitest';
import { runRoutingAttempt } from '#agents/routing.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { agentLimits, type AgentLimits } from '#core/models/limits.ts';
import type { ChatModel, ChatTurn, FindTools, RouteQuery, ToolConnections } from '#core/ports.ts';
import type { ModelCall, ModelRole } from '#core/models/model-call.ts';
import { trace as traceModel } from '#core/traces/trace.ts';

const toolNamed = (name: string): Tool => ({
  name,
  server: name.slice(0, name.indexOf('/')),
  domain: 'tests',
  category: 'testing',
  description: `does ${name}`,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
});
const tools = [toolNamed('hotels/find'), toolNamed('hotels/book'), toolNamed('maps/route')];

type Turn = Parameters<ChatModel['completeTurn']>[0];
type Said = { content?: string; calls?: [name: string, args: unknown][] };

const callOf = (role: ModelRole): ModelCall => ({
  role,
  model: 'm',
  prompt: 'p',
  promptTokens: role === 'embedder' ? 7 : 90,
  completionTokens: role === 'embedder' ? 0 : 10,
  costUsd: 0.5,
  latencyMs: 10,
  retries: 0,
});
const embedderFault: InfrastructureFault = { where: 'model', name: 'embedder', code: 'unreachable', detail: 'gone' };

/** Runs an attempt over a scripted model; searches find the tools that the query names, or whose server it names. */
async function attempt(
  script: Said[],
  limits: Partial<AgentLimits> = {},
  search: { fault?: InfrastructureFault; takesMs?: number; queuedMs?: number } = {},
) {
  const turns: Turn[] = [];
  const called: [string, unknown][] = [];
  const queries: RouteQuery[] = [];
  let time = 0;
  const model: ChatModel = {
    async completeTurn(request): Promise<ChatTurn> {
      turns.push(request);
      time += 10;
      const { content = '', calls = [] } = (script.length > 1 ? script.shift() : script[0]) ?? {};
      const toolCalls = calls.map(([name, args], at) => ({
        id: `c${turns.length}-${at}`,
        name,
        argumentsText: typeof args === 'string' ? args : JSON.stringify(args),
      }));
      return {
        ok: true,
        content,
        toolCalls,
        finish: toolCalls.length > 0 ? 'tool-calls' : 'stop',
        call: callOf('agent'),
      };
    },
  };
  const times: number[] = [];
  const { fault: searchFault, takesMs = 10, queuedMs = 0 } = search;
  const findTools: FindTools = async (query, timeoutMs) => {
    queries.push(query);
    times.push(timeoutMs);
    const isLate = takesMs > timeoutMs;
    time += queuedMs + Math.min(takesMs, timeoutMs);
    if (isLate) return { ok: false, fault: { ...embedderFault, code: 'timeout' }, calls: [], queuedMs };
    if (searchFault !== undefined) return { ok: false, fault: searchFault, calls: [] };
    const found = tools.filter(({ name }) => query.tool.split(' ').some((word) => name.split('/').includes(word)));
    return {
      ok: true,
      tools: found.map(({ name }) => ({ name, fit: 0.123456 })),
      calls: [callOf('embedder')],
      queuedMs,
    };
  };
  const connections: ToolConnections = {
    async call(tool, args) {
      called.push([tool, args]);
      return { kind: 'success', text: `${tool} done`, truncated: false, sha256: 'a'.repeat(64) };
    },
  };
  const result = await runRoutingAttempt({
    prompt: { id: 'agent-routing@v1', messages: [{ role: 'user', content: 'Book a room' }] },
    tools,
    model,
    connections,
    findTools,
    limits: { ...agentLimits.parse({}), ...limits },
    seed: 3,
    now: () => time,
  });
  expect(traceModel.safeParse(result.trace).error).toBeUndefined();
  const replies = turns.at(-1)?.messages.flatMap((each) => (each.role === 'tool' ? [each.content] : [])) ?? [];
  return { ...result, turns, called, queries, times, replies };
}

describe('an attempt of an agent that searches for its tools', () => {
  test('shows the model two functions, whatever is mounted', async () => {
    const { turns } = await attempt([{ content: 'Nothing to do.' }]);
    expect(turns[0]?.functions.map(({ name }) => name)).toEqual(['route', 'execute']);
  });

  test('searches, calls what it found, and answers', async () => {
    const { trace, called, queries, replies, calls } = await attempt([
      { calls: [['route', { query: 'find a hotel', server: 'hotels' }]] },
      { calls: [['execute', { server: 'hotels', tool: 'find', arguments: { q: 'room' } }]] },
      { content: 'Found.' },
    ]);
    expect(trace).toMatchObject({ end: 'answered', finalText: 'Found.', turns: 3 });
    expect(queries).toEqual([{ tool: 'find a hotel', server: 'hotels' }]);
    expect(called).toEqual([['hotels/find', { q: 'room' }]]);
    const [hotel, result] = replies;
    expect(JSON.parse(hotel ?? '')).toEqual([
      {
        server: 'hotels',
        tool: 'find',
        description: 'does hotels/find',
        inputSchema: tools[0]?.inputSchema,
        score: 0.1235,
      },
    ]);
    expect(result).toBe('hotels/find done');
    expect(trace.steps.map(({ tool, turn }) => [tool, turn])).toEqual([['hotels/find', 2]]);
    expect(trace.routes).toEqual([
      {
        query: 'find a hotel',
        server: 'hotels',
        tools: [{ name: 'hotels/find', fit: 0.123456 }],
        after: 0,
        turn: 1,
        latencyMs: 10,
      },
    ]);
    expect(calls.map(({ role }) => role)).toEqual(['agent', 'embedder', 'agent', 'agent']);
  });

  test('pays for its searches: their tokens and cost are its own', async () => {
    const { trace } = await attempt([{ calls: [['route', { query: 'find' }]] }, { content: 'Done.' }]);
    expect(trace).toMatchObject({ turns: 2, promptTokens: 187, completionTokens: 20, costUsd: 1.5 });
  });

  test('keeps the place of a search among the steps', async () => {
    const { trace } = await attempt([
      { calls: [['execute', { server: 'hotels', tool: 'book' }]] },
      { calls: [['route', { query: 'maps' }]] },
      { content: 'Done.' },
    ]);
    expect(trace.routes?.map(({ after, turn }) => [after, turn])).toEqual([[1, 2]]);
  });

  test('calls a tool that exists even if no search has returned it', async () => {
    const { called } = await attempt([
      { calls: [['execute', { server: 'hotels', tool: 'book' }]] },
      { content: 'Done.' },
    ]);
    expect(called).toEqual([['hotels/book', {}]]);
  });

  test('hears that a tool does not exist, which is a failed step', async () => {
    const { trace, called, replies } = await attempt([
      { calls: [['execute', { server: 'hotels', tool: 'cancel', arguments: {} }]] },
      { content: 'Could not.' },
    ]);
    expect(called).toEqual([]);
    expect(trace.steps).toMatchObject([{ tool: 'hotels/cancel', outcome: 'failure' }]);
    expect(replies[0]).toContain('There is no tool called "cancel" on a server called "hotels"');
  });

  test('takes the name of a tool with or without its server', async () => {
    const { called } = await attempt([
      { calls: [['execute', { server: 'maps', tool: 'maps/route', arguments: null }]] },
      { content: 'Done.' },
    ]);
    expect(called).toEqual([['maps/route', {}]]);
  });

  test('is told if nothing was found', async () => {
    const { trace, replies } = await attempt([
      { calls: [['route', { query: 'weather' }]] },
      { content: 'No such tool.' },
    ]);
    expect(replies).toEqual(['No tool was found.']);
    expect(trace.routes).toMatchObject([{ query: 'weather', tools: [] }]);
    expect(trace.routes?.[0]?.problem).toBeUndefined();
  });

  test.each([['{"query": 1}'], ['{}'], ['{"query": "  "}'], ['not JSON'], ['[]']])(
    'is told that nothing was searched for with the arguments %s',
    async (args) => {
      const { trace, queries, replies } = await attempt([{ calls: [['route', args]] }, { content: 'Done.' }]);
      expect(queries).toEqual([]);
      expect(replies[0]).toContain('Nothing was searched for');
      expect(trace.routes).toMatchObject([{ query: '', tools: [], problem: expect.any(String) }]);
      expect(trace.steps).toEqual([]);
    },
  );

  test.each([['{"tool": "find"}'], ['{"server": "hotels", "tool": "find", "arguments": "{}"}'], ['not JSON']])(
    'is told that nothing was called with the arguments %s',
    async (args) => {
      const { trace, called, replies } = await attempt([{ calls: [['execute', args]] }, { content: 'Done.' }]);
      expect(called).toEqual([]);
      expect(replies[0]).toContain('Nothing was called');
      expect(trace.steps).toMatchObject([{ tool: 'execute', outcome: 'failure' }]);
    },
  );

  test('hears that a function does not exist', async () => {
    const { trace, replies } = await attempt([{ calls: [['hotels__find', { q: 'x' }]] }, { content: 'Done.' }]);
    expect(replies[0]).toContain('There is no function called "hotels__find"');
    expect(trace.steps).toMatchObject([{ tool: 'hotels__find', outcome: 'failure' }]);
  });

  test('ends with a fault if the embedder breaks, because the embedder is a part of it', async () => {
    const { trace, fault } = await attempt([{ calls: [['route', { query: 'find' }]] }], {}, { fault: embedderFault });
    expect(fault).toEqual(embedderFault);
    expect(trace.end).toBe('fault');
  });

  test('gives a search the time of a call, or what is left of its own', async () => {
    const search: Said = { calls: [['route', { query: 'find' }]] };
    const { times } = await attempt([search, search, { content: 'Done.' }], { timeMs: 1_015, callTimeoutMs: 1_000 });
    expect(times).toEqual([1_000, 985]);
  });

  test('ends with a fault if the embedder takes longer than a call may', async () => {
    const limits = { timeMs: 10_000, callTimeoutMs: 1_000 };
    const { trace, fault } = await attempt([{ calls: [['route', { query: 'find' }]] }], limits, { takesMs: 1_001 });
    expect(fault).toMatchObject({ name: 'embedder', code: 'timeout' });
    expect(trace).toMatchObject({ end: 'fault', durationMs: 1_010 });
  });

  test('ends at its time limit if its time is over during a search, and keeps the search', async () => {
    const limits = { timeMs: 500, callTimeoutMs: 1_000 };
    const { trace, fault } = await attempt([{ calls: [['route', { query: 'find' }]] }], limits, { takesMs: 900 });
    expect(fault).toBeNull();
    expect(trace).toMatchObject({ end: 'time-limit', durationMs: 500 });
    expect(trace.routes).toMatchObject([
      { tools: [], latencyMs: 490, problem: expect.stringContaining('time was over') },
    ]);
  });

  test("does not lose time while a search waits for the embedder's place", async () => {
    const limits = { timeMs: 500, callTimeoutMs: 1_000 };
    const script: Said[] = [{ calls: [['route', { query: 'find' }]] }, { content: 'Done.' }];
    const { trace } = await attempt(script, limits, { queuedMs: 60_000 });
    expect(trace).toMatchObject({ end: 'answered', durationMs: 30 });
    expect(trace.routes).toMatchObject([{ latencyMs: 10 }]);
  });

  test('stops at its limits of turns, tokens and calls in one turn', async () => {
    const search: Said = { calls: [['route', { query: 'find' }]] };
    expect((await attempt([search], { turns: 3 })).trace).toMatchObject({ end: 'turn-limit', turns: 3 });
    const talkative = await attempt([search], { tokens: 1_000, turns: 100 });
    expect(talkative.trace).toMatchObject({ end: 'token-limit', turns: 54 });
    const twice: Said = { calls: [...(search.calls ?? []), ...(search.calls ?? [])] };
    const { trace, replies } = await attempt([twice, { content: 'Done.' }], { callsPerTurn: 1 });
    expect(trace.routes).toHaveLength(1);
    expect(replies[1]).toContain('Not carried out');
  });

  test('keeps only the beginning of an endless query', async () => {
    const { trace } = await attempt([{ calls: [['route', { query: 'x'.repeat(20_000) }]] }, { content: 'Done.' }]);
    expect(trace.routes?.[0]?.query).toHaveLength(2_000);
  });
});
