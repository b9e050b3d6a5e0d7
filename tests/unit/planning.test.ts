import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeRecordingConnections } from '#adapters/mcp/recorded-connections.ts';
import { makeReplayingConnections } from '#adapters/mcp/replayed-connections.ts';
import { makeOutcomeOnlyCall, type ServerConnections } from '#adapters/mcp/server-connections.ts';
import { prompts, getPromptOrThrow, render } from '#adapters/prompts/index.ts';
import { malformedTurns } from '#agents/attempt.ts';
import { callsAtOnce } from '#agents/call-layer.ts';
import { planningPromptVariables, runPlanningAttempt } from '#agents/planning.ts';
import { notACall } from '#agents/prompted-calling.ts';
import { longResultChars } from '#agents/result-summary.ts';
import { sha256Hex } from '#core/values/canonical.ts';
import type { RecordedCall } from '#core/evaluation/recording.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { agentLimits, type AgentLimits } from '#core/models/limits.ts';
import type { ChatModel, ChatTurn, ToolConnections, ToolOutcome } from '#core/ports.ts';
import { countJsonBytesOfStepOrRoute, trace as traceModel, traceBytes } from '#core/traces/trace.ts';

const tools: Tool[] = ['test/find', 'test/book', 'test/slow'].map((name) => ({
  name,
  server: 'test',
  domain: 'tests',
  category: 'testing',
  inputSchema: { type: 'object' },
}));

type Turn = Parameters<ChatModel['completeTurn']>[0];
type Said = string | Partial<Extract<ChatTurn, { ok: true }>> | InfrastructureFault;
type Outcome = ToolOutcome & { readonly queuedMs?: number };

const sha256 = 'a'.repeat(64);
const success = (text: string): ToolOutcome => ({ kind: 'success', text, truncated: false, sha256 });
const gone: InfrastructureFault = { where: 'server', name: 'test', code: 'unreachable', detail: 'gone' };
const late: InfrastructureFault = { where: 'server', name: 'test', code: 'timeout', detail: 'late' };
const down: InfrastructureFault = { where: 'model', name: 'agent', code: 'http-status', detail: 'down' };
const missed: InfrastructureFault = { where: 'server', name: 'test', code: 'replay-miss', detail: 'not recorded' };

const plan = (...calls: [tool: string, args?: unknown][]): string =>
  JSON.stringify({
    reasoning: 'r',
    continue: true,
    calls: calls.map(([tool, args = {}]) => ({ tool, arguments: args })),
  });
const stop = '{"reasoning": "enough", "continue": false, "calls": []}';
const answer = 'Booked.';

interface Script {
  /** In place of the scripted tools; made with the attempt's clock. */
  readonly connect?: (clock: Clock) => ToolConnections;
  readonly plans: readonly Said[];
  readonly final?: Said;
  readonly summary?: (prompt: Turn) => Said;
  readonly outcome?: (tool: string, args: Readonly<Record<string, unknown>>) => Outcome;
  readonly limits?: Partial<AgentLimits>;
  /** Milliseconds of a call. */
  readonly latency?: (tool: string, args: Readonly<Record<string, unknown>>) => number;
  /** Milliseconds of a model's turn, of which some may be spent in a queue. */
  readonly modelMs?: number;
}

/** A clock that moves only when everybody waits, then to the next moment for which somebody waits. */
class Clock {
  now = 1_000;
  readonly #waiting: { readonly at: number; readonly resolve: () => void }[] = [];

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ at: this.now + ms, resolve });
    });
  }

  async runUntil<T>(work: Promise<T>): Promise<T> {
    let over = false;
    const ended = work.finally(() => {
      over = true;
    });
    ended.catch(() => undefined);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (over) return ended;
      const next = this.#waiting.toSorted((a, b) => a.at - b.at)[0];
      // A digest is under way, which takes no time of this clock.
      if (next === undefined) continue;
      this.now = Math.max(this.now, next.at);
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      next.resolve();
    }
  }
}

/** Runs an attempt over a scripted model and scripted tools. */
async function attempt(script: Script) {
  const clock = new Clock();
  const turns: Turn[] = [];
  const begun: string[] = [];
  const done: string[] = [];
  let [underWay, mostUnderWay] = [0, 0];
  const plans = [...script.plans];
  const model: ChatModel = {
    async completeTurn(request): Promise<ChatTurn> {
      turns.push(request);
      await clock.wait(script.modelMs ?? 10);
      const said =
        request.prompt === 'agent-final@v1'
          ? (script.final ?? answer)
          : request.prompt === 'agent-summary@v1'
            ? (script.summary?.(request) ?? 'short')
            : plans.length > 1
              ? plans.shift()
              : plans[0];
      if (said === undefined || (typeof said === 'object' && 'where' in said))
        return { ok: false, fault: said ?? down };
      const cost = { promptTokens: 90, completionTokens: 10, costUsd: 0.5, latencyMs: 10, retries: 0 };
      return {
        ok: true,
        content: typeof said === 'string' ? said : '',
        toolCalls: [],
        finish: 'stop',
        call: { role: 'agent', model: 'm', prompt: request.prompt, ...cost },
        ...(typeof said === 'string' ? {} : said),
      };
    },
  };
  const connections: ToolConnections = {
    async call(tool, args, timeoutMs) {
      const name = `${tool} ${JSON.stringify(args)}`;
      begun.push(name);
      underWay += 1;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      await clock.wait(Math.min(timeoutMs, script.latency?.(tool, args) ?? 10));
      underWay -= 1;
      done.push(name);
      if (timeoutMs < (script.latency?.(tool, args) ?? 10)) return { kind: 'fault', fault: late };
      return script.outcome?.(tool, args) ?? success(`${tool} done`);
    },
  };
  const limits = { ...agentLimits.parse({}), ...script.limits };
  const request = 'Book a room';
  const result = await clock.runUntil(
    runPlanningAttempt({
      prompt: render(
        prompts.agentPlanning,
        planningPromptVariables({ request, date: 'Monday, 2026-11-23', tools, limits, instructions: [] }),
      ),
      request,
      renderPrompt: (name, variables) => render(getPromptOrThrow(name), variables),
      tools,
      model,
      connections: script.connect?.(clock) ?? connections,
      limits,
      seed: 3,
      now: () => clock.now,
    }),
  );
  expect(traceModel.safeParse(result.trace).error).toBeUndefined();
  expect(underWay).toBe(0);
  const told = turns.map(({ messages }) => messages.at(-1)?.content ?? '');
  return { ...result, turns, told, begun, done, mostUnderWay };
}

/** The JSON of a fenced variable in a message. */
const fenced = (name: string, text = ''): unknown =>
  JSON.parse(new RegExp(`<data name="${name}">\\n(.*)\\n</data>`).exec(text)?.[1] ?? 'null');

describe('a planning attempt', () => {
  test('plans, observes and then answers from everything observed', async () => {
    const { trace, calls, fault, turns, told } = await attempt({
      plans: [plan(['test/find', { q: 1 }], ['test/find', { q: 2 }]), plan(['test/book', { id: 7 }]), stop],
      outcome: (tool, args) => success(`${tool} gave ${JSON.stringify(args)}`),
    });
    expect(fault).toBeNull();
    expect(trace).toMatchObject({ end: 'answered', finalText: answer, turns: 3, promptTokens: 360, costUsd: 2 });
    expect(
      trace.steps.map(({ tool, arguments: args, outcome, turn, turnTokens }) => [
        tool,
        args,
        outcome,
        turn,
        turnTokens,
      ]),
    ).toEqual([
      ['test/find', { q: 1 }, 'success', 1, 100],
      ['test/find', { q: 2 }, 'success', 1, 100],
      ['test/book', { id: 7 }, 'success', 2, 100],
    ]);
    expect(calls.map(({ prompt }) => prompt)).toEqual([
      'agent-planning@v2',
      'agent-planning@v2',
      'agent-planning@v2',
      'agent-final@v1',
    ]);
    expect(told[1]).toContain('The results of round 1; 19 rounds are left.');
    expect(fenced('results', told[1])).toEqual([
      { tool: 'test/find', result: 'test/find gave {"q":1}' },
      { tool: 'test/find', result: 'test/find gave {"q":2}' },
    ]);
    expect(fenced('request', told[3])).toBe('Book a room');
    expect(fenced('rounds', told[3])).toEqual([
      {
        round: 1,
        calls: [
          { tool: 'test/find', arguments: { q: 1 }, result: 'test/find gave {"q":1}' },
          { tool: 'test/find', arguments: { q: 2 }, result: 'test/find gave {"q":2}' },
        ],
      },
      { round: 2, calls: [{ tool: 'test/book', arguments: { id: 7 }, result: 'test/book gave {"id":7}' }] },
    ]);
    expect(turns.every(({ seed, functions }) => seed === 3 && functions.length === 0)).toBe(true);
    const system = turns[0]?.messages[0]?.content;
    expect(fenced('limits', system)).toEqual({ rounds: 20, callsPerRound: 16 });
    expect(fenced('tools', system)).toHaveLength(3);
    expect(turns[0]?.messages[1]?.content).toBe('Book a room');
  });

  test('may stop at once: the answer then has nothing observed', async () => {
    const { trace, told } = await attempt({ plans: [stop], final: 'Nothing to do.' });
    expect(trace).toMatchObject({ end: 'answered', finalText: 'Nothing to do.', turns: 1, steps: [] });
    expect(fenced('rounds', told[1])).toEqual([]);
  });

  test('answers when its rounds are used up, which its end says', async () => {
    const { trace, told } = await attempt({ plans: [plan(['test/find'])], limits: { turns: 2 } });
    expect(trace).toMatchObject({ end: 'turn-limit', finalText: answer, turns: 2, fault: null });
    expect(trace.steps.map(({ turn }) => turn)).toEqual([1, 2]);
    expect(told[1]).toContain('1 round is left');
    expect(fenced('rounds', told[2])).toHaveLength(2);
  });

  test('records calls of unknown tools and oversized arguments as failures, and makes the others', async () => {
    const { trace, begun, told } = await attempt({
      plans: [plan(['test__find', { a: 1 }], ['test/book', { q: 'x'.repeat(40_000) }], ['test/find']), stop],
    });
    expect(begun).toEqual(['test/find {}']);
    expect(trace.steps.map(({ tool, outcome, arguments: args }) => [tool, outcome, args])).toEqual([
      ['test__find', 'failure', { a: 1 }],
      ['test/book', 'failure', null],
      ['test/find', 'success', {}],
    ]);
    expect(told[1]).toContain('There is no tool called');
    expect(told[1]).toContain('more than 32000 characters');
  });

  test.each([
    ['words', 'I will look for a room.'],
    ['nothing', ''],
    ['a fence', `\`\`\`json\n${plan(['test/find'])}\n\`\`\``],
    ['two objects', `${plan(['test/find'])}\n${stop}`],
    ['a continuing plan without calls', '{"reasoning": "", "continue": true, "calls": []}'],
    ['an end with calls', '{"reasoning": "", "continue": false, "calls": [{"tool": "test/find", "arguments": {}}]}'],
    ['no decision', '{"reasoning": "", "calls": [{"tool": "test/find", "arguments": {}}]}'],
    ['a decision in words', '{"reasoning": "", "continue": "yes", "calls": [{"tool": "test/find", "arguments": {}}]}'],
    ['no reasoning', '{"continue": true, "calls": [{"tool": "test/find", "arguments": {}}]}'],
    ['a call without arguments', '{"reasoning": "", "continue": true, "calls": [{"tool": "test/find"}]}'],
    ['a call without a name', plan([''])],
    ['arguments that are no object', plan(['test/find', '{}'])],
    ['more than a plan', '{"reasoning": "", "continue": false, "calls": [], "answer": "x"}'],
    [
      'arguments that are nested too deep',
      `{"reasoning":"","continue":true,"calls":[{"tool":"test/find","arguments":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}]}`,
    ],
  ])('reports %s instead of a plan to the model as a failure', async (_, said) => {
    const { trace, begun, told } = await attempt({ plans: [said, stop] });
    expect(begun).toEqual([]);
    expect(trace).toMatchObject({ end: 'answered', turns: 2 });
    expect(trace.steps).toMatchObject([
      { tool: notACall, outcome: 'failure', arguments: null, turn: 1, turnTokens: 100 },
    ]);
    expect(told[1]).toContain('could not be used');
  });

  test('ends without an answer after some malformed plans in a row', async () => {
    const { trace, turns } = await attempt({ plans: ['hm'] });
    expect(trace).toMatchObject({ end: 'turn-limit', finalText: '', turns: malformedTurns });
    expect(turns).toHaveLength(malformedTurns);
    const recovered = await attempt({ plans: ['hm', 'hm', plan(['test/find']), 'hm', 'hm', stop] });
    expect(recovered.trace).toMatchObject({ end: 'answered', finalText: answer, turns: 6 });
  });

  test('ends as the model does: refused, cut off or broken', async () => {
    const refused = await attempt({ plans: [{ content: 'no', finish: 'refused' }] });
    expect(refused.trace).toMatchObject({ end: 'refused', finalText: 'no' });
    const cut = await attempt({ plans: [{ content: stop, finish: 'length' }] });
    expect(cut.trace).toMatchObject({ end: 'token-limit', finalText: '' });
    const broken = await attempt({ plans: [plan(['test/find']), down] });
    expect(broken.trace).toMatchObject({ end: 'fault', fault: down, turns: 1, steps: [{ outcome: 'success' }] });
    const finalCut = await attempt({ plans: [stop], final: { content: 'Half an', finish: 'length' } });
    expect(finalCut.trace).toMatchObject({ end: 'token-limit', finalText: 'Half an', turns: 1 });
    const finalRefused = await attempt({ plans: [stop], final: { content: 'no', finish: 'refused' } });
    expect(finalRefused.trace).toMatchObject({ end: 'refused', finalText: 'no' });
    const finalBroken = await attempt({ plans: [plan(['test/find']), stop], final: down });
    expect(finalBroken.trace).toMatchObject({
      end: 'fault',
      fault: down,
      finalText: '',
      steps: [{ outcome: 'success' }],
    });
  });
});

describe('the calls of one plan', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, n): [string, unknown] => ['test/find', { n }]);

  test('are under way at the same time, and their steps are in the order of the plan', async () => {
    const { trace, done, mostUnderWay } = await attempt({
      plans: [plan(['test/slow', { n: 0 }], ['test/find', { n: 1 }], ['test/book', { n: 2 }]), stop],
      latency: (_, { n }) => 300 - 100 * Number(n),
    });
    expect(done).toEqual(['test/book {"n":2}', 'test/find {"n":1}', 'test/slow {"n":0}']);
    expect(trace.steps.map(({ tool, latencyMs }) => [tool, latencyMs])).toEqual([
      ['test/slow', 300],
      ['test/find', 200],
      ['test/book', 100],
    ]);
    expect(mostUnderWay).toBe(3);
    expect(trace.durationMs).toBe(3 * 10 + 300);
  });

  test('are never more at once than an invocation has places for, and begin in the order of the plan', async () => {
    const { begun, mostUnderWay, trace } = await attempt({ plans: [plan(...numbered(12)), stop] });
    expect(mostUnderWay).toBe(callsAtOnce);
    expect(begun).toEqual(numbered(12).map(([tool, args]) => `${tool} ${JSON.stringify(args)}`));
    expect(trace.durationMs).toBe(3 * 10 + 3 * 10);
  });

  test('beyond the limit of a round are not made, and the model is told', async () => {
    const several = await attempt({ plans: [plan(...numbered(4)), stop], limits: { callsPerTurn: 2 } });
    expect(several.trace.steps.map(({ arguments: args }) => args)).toEqual([{ n: 0 }, { n: 1 }]);
    expect(fenced('results', several.told[1])).toMatchObject([
      { result: 'test/find done' },
      { result: 'test/find done' },
      { result: 'Not carried out: too many calls in one turn.' },
      { result: 'Not carried out: too many calls in one turn.' },
    ]);
    const alone = await attempt({ plans: [plan(...numbered(4)), stop], limits: { parallelCalls: false } });
    expect(alone.trace.steps).toHaveLength(1);
    expect(fenced('limits', alone.turns[0]?.messages[0]?.content)).toMatchObject({ callsPerRound: 1 });
  });

  test('fail alone: a time-out, an error and a broken connection spoil no other call', async () => {
    const { trace, told } = await attempt({
      plans: [plan(['test/slow'], ['test/find'], ['test/book'], ['test/find', { n: 2 }]), stop],
      limits: { callTimeoutMs: 100 },
      latency: (tool) => (tool === 'test/slow' ? 5_000 : 10),
      outcome: (tool, { n }) =>
        tool === 'test/book'
          ? { kind: 'error', text: 'no rooms', truncated: false, sha256 }
          : n === 2
            ? { kind: 'fault', fault: gone }
            : success('found'),
    });
    expect(trace.steps.map(({ outcome, latencyMs }) => [outcome, latencyMs])).toEqual([
      ['failure', 100],
      ['success', 10],
      ['failure', 10],
      ['failure', 10],
    ]);
    expect(trace.steps.map(({ cause }) => cause)).toEqual(['environment', undefined, undefined, 'environment']);
    expect(trace).toMatchObject({ end: 'answered', fault: null });
    expect(fenced('results', told[1])).toMatchObject([
      { result: expect.stringContaining('The call failed: ') },
      { result: 'found' },
      { result: 'The call failed: no rooms' },
      { result: expect.stringContaining('The call failed: ') },
    ]);
  });

  test('are all kept, once, if one of them ends the attempt; no further ones are made', async () => {
    for (const ending of [
      { kind: 'fault', fault: missed },
      { kind: 'fault', fault: gone, unmounted: true },
    ] satisfies Outcome[]) {
      const { trace, fault, begun } = await attempt({
        plans: [plan(...numbered(12)), stop],
        latency: (_, { n }) => (n === 1 ? 10 : 200),
        outcome: (_, { n }) => (n === 1 ? ending : success(`found ${JSON.stringify(n)}`)),
      });
      expect(fault).toEqual(ending.fault);
      expect(begun).toHaveLength(callsAtOnce);
      expect(trace).toMatchObject({ end: 'fault', fault: ending.fault, finalText: '', turns: 1 });
      expect(trace.steps.map(({ arguments: args, outcome }) => [args, outcome])).toEqual([
        [{ n: 0 }, 'success'],
        [{ n: 1 }, 'fault'],
        [{ n: 2 }, 'success'],
        [{ n: 3 }, 'success'],
        [{ n: 4 }, 'success'],
      ]);
    }
  });

  test('end with the time of the attempt, which counts for nobody else', async () => {
    const { trace, begun } = await attempt({
      plans: [plan(...numbered(7)), stop],
      limits: { timeMs: 1_000 },
      latency: (_, { n }) => (n === 2 ? 60_000 : 50),
    });
    expect(begun).toHaveLength(callsAtOnce);
    expect(trace).toMatchObject({ end: 'time-limit', fault: null, finalText: '', durationMs: 1_000 });
    expect(trace.steps.map(({ failure }) => failure)).toEqual([
      null,
      null,
      { source: 'rule', class: 'asynchronous-indeterminacy', rule: 'broken-off' },
      null,
      null,
    ]);
  });

  test('take none of the time that they waited in queues', async () => {
    const { trace } = await attempt({
      plans: [plan(...numbered(3)), stop],
      limits: { timeMs: 1_300 },
      latency: (_, { n }) => 400 * (Number(n) + 1),
      outcome: (_, { n }) => ({ ...success('found'), queuedMs: 400 * Number(n) + 300 }),
    });
    expect(trace.steps.map(({ latencyMs }) => latencyMs)).toEqual([100, 100, 100]);
    expect(trace).toMatchObject({ end: 'answered', durationMs: 130 });
  });

  test('are all over when what the platform throws is thrown on', async () => {
    const finished: number[] = [];
    const run = attempt({
      plans: [plan(...numbered(7)), stop],
      latency: (_, { n }) => 10 * (Number(n) + 1),
      outcome: (_, { n }) => {
        if (n === 1) throw new Error('out of requests');
        finished.push(Number(n));
        return success('found');
      },
    });
    await expect(run).rejects.toThrow('out of requests');
    expect(finished).toEqual([0, 2, 3, 4]);
  });

  test('never make a trace longer than one step beyond its bound', async () => {
    const { trace } = await attempt({
      plans: [
        plan(...Array.from({ length: 16 }, (_, n): [string, unknown] => ['test/find', { n, q: '€'.repeat(30_000) }])),
      ],
      outcome: () => ({ ...success('\u0001'.repeat(8_000)), truncated: true }),
      limits: { turns: 3 },
      summary: () => down,
    });
    const sizes = trace.steps.map(countJsonBytesOfStepOrRoute);
    const sum = sizes.reduce((a, b) => a + b, 0);
    expect(sum).toBeGreaterThan(traceBytes);
    expect(sum - (sizes.at(-1) ?? 0)).toBeLessThanOrEqual(traceBytes);
    expect(trace).toMatchObject({ end: 'turn-limit', finalText: answer, turns: 1 });
  });
});

describe('a long result', () => {
  const long = (n: unknown) => success(`${JSON.stringify(n)} ${'x'.repeat(20_000)} end`);

  test('is shown as the summary of its whole text, which counts and is kept with the step', async () => {
    const { trace, calls, told, turns } = await attempt({
      plans: [plan(['test/find', { n: 1 }], ['test/book']), stop],
      outcome: (tool) => (tool === 'test/find' ? long(1) : success('booked')),
      summary: () => ' room 7 \n',
    });
    expect(calls.map(({ prompt }) => prompt)).toEqual([
      'agent-planning@v2',
      'agent-summary@v1',
      'agent-planning@v2',
      'agent-final@v1',
    ]);
    expect(trace).toMatchObject({ turns: 2, promptTokens: 360 });
    expect(trace.steps).toMatchObject([{ summary: 'room 7', truncated: true }, { text: 'booked' }]);
    expect(trace.steps[1]).not.toHaveProperty('summary');
    expect(fenced('results', told[2])).toEqual([
      { tool: 'test/find', summary: 'room 7' },
      { tool: 'test/book', result: 'booked' },
    ]);
    expect(fenced('longResult', turns[1]?.messages[1]?.content)).toMatch(/ end$/);
    expect(fenced('call', turns[1]?.messages[1]?.content)).toEqual({ tool: 'test/find', arguments: { n: 1 } });
  });

  test.each([
    ['the model breaks', down],
    ['the model refuses', { content: 'no', finish: 'refused' }],
    ['the summary is cut off', { content: 'half', finish: 'length' }],
    ['the summary is empty', ' '],
  ] satisfies [string, Said][])('is shown by its beginning if %s, and the model is told', async (_, said) => {
    const { trace, told } = await attempt({
      plans: [plan(['test/find']), stop],
      outcome: long,
      summary: () => said,
    });
    expect(trace.end).toBe('answered');
    expect(trace.steps[0]).not.toHaveProperty('summary');
    expect(fenced('results', told.at(-2))).toEqual([
      {
        tool: 'test/find',
        result: expect.stringContaining('[cut off here]'),
        note: 'There is no summary of this long result.',
      },
    ]);
  });

  test('of a call that failed says so beside its summary, and a summary is bounded', async () => {
    const { trace, told } = await attempt({
      plans: [plan(['test/find']), stop],
      outcome: () => ({ kind: 'error', text: 'e'.repeat(longResultChars + 1), truncated: false, sha256 }),
      summary: () => 's'.repeat(9_000),
    });
    expect(trace.steps).toMatchObject([{ outcome: 'failure', summary: 's'.repeat(4_000) }]);
    expect(fenced('results', told[2])).toMatchObject([{ summary: 's'.repeat(4_000), note: 'The call failed.' }]);
  });

  test('is not summarised without the tokens for it', async () => {
    const { calls, trace } = await attempt({
      plans: [plan(['test/find', { n: 1 }], ['test/find', { n: 2 }]), stop],
      outcome: long,
      limits: { tokens: 9_000 },
    });
    expect(trace.steps.map(({ summary }) => summary)).toEqual(['short', undefined]);
    expect(calls.filter(({ prompt }) => prompt === 'agent-summary@v1')).toHaveLength(1);
  });

  test('is summarised at the same time as others of its group', async () => {
    const { trace } = await attempt({
      plans: [plan(['test/find', { n: 1 }], ['test/find', { n: 2 }]), stop],
      outcome: long,
      modelMs: 500,
    });
    expect(trace.durationMs).toBe(500 + 10 + 500 + 500 + 500);
  });
});

test('a planning attempt ends at its limits of tokens and time, without an answer', async () => {
  const tokens = await attempt({ plans: [plan(['test/find'])], limits: { tokens: 150 } });
  expect(tokens.trace).toMatchObject({ end: 'token-limit', turns: 6, finalText: '' });
  const unanswered = await attempt({ plans: [plan(['test/find']), stop], limits: { tokens: 110 } });
  expect(unanswered.trace).toMatchObject({ end: 'token-limit', turns: 2, finalText: '' });
  const time = await attempt({ plans: [plan(['test/find'])], limits: { timeMs: 45 } });
  expect(time.trace).toMatchObject({ end: 'time-limit', turns: 3, finalText: '' });
});

test('whatever servers do, steps are in the order of the plans, made calls and steps are the same, and no limit is passed', async () => {
  const call = fc.record({
    tool: fc.constantFrom('test/find', 'test/book', 'test/slow', 'test/none'),
    latency: fc.integer({ min: 1, max: 300 }),
    kind: fc.constantFrom('success', 'error', 'spoilt', 'ending', 'long'),
    queued: fc.integer({ min: 0, max: 100 }),
  });
  const rounds = fc.array(fc.array(call, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 5 });
  const limits = fc.record({
    turns: fc.integer({ min: 1, max: 5 }),
    callsPerTurn: fc.integer({ min: 1, max: 20 }),
    timeMs: fc.integer({ min: 1, max: 2_000 }),
    callTimeoutMs: fc.integer({ min: 1, max: 400 }),
    tokens: fc.integer({ min: 100, max: 40_000 }),
  });
  await fc.assert(
    fc.asyncProperty(rounds, limits, async (planned, given) => {
      const flat = planned.flat();
      let id = 0;
      const said = planned.map((calls) => plan(...calls.map(({ tool }): [string, unknown] => [tool, { id: id++ }])));
      const at = (args: Readonly<Record<string, unknown>>) => flat[Number(args['id'])];
      const { trace, begun, fault, mostUnderWay, calls } = await attempt({
        plans: [...said, stop],
        limits: given,
        latency: (_, args) => at(args)?.latency ?? 1,
        outcome: (_, args) => {
          const { kind = 'success', queued = 0 } = at(args) ?? {};
          const made: ToolOutcome =
            kind === 'success' || kind === 'long'
              ? success(kind === 'long' ? 'y'.repeat(9_000) : 'fine')
              : kind === 'error'
                ? { kind, text: 'no', truncated: false, sha256 }
                : { kind: 'fault', fault: kind === 'ending' ? missed : gone };
          return { ...made, queuedMs: Math.min(queued, at(args)?.latency ?? 0) };
        },
      });
      const ids = trace.steps.map((step) => Number(step.arguments?.['id']));
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(new Set(ids).size).toBe(ids.length);
      const sent = trace.steps.filter(({ tool }) => tool !== 'test/none');
      expect(sent.map(({ tool, arguments: args }) => `${tool} ${JSON.stringify(args)}`)).toEqual(begun);
      expect(trace.turns).toBeLessThanOrEqual(given.turns);
      expect(mostUnderWay).toBeLessThanOrEqual(callsAtOnce);
      for (const turn of new Set(trace.steps.map((step) => step.turn)))
        expect(trace.steps.filter((step) => step.turn === turn).length).toBeLessThanOrEqual(given.callsPerTurn);
      expect(trace.steps.some(({ outcome }) => outcome === 'fault')).toBe(
        sent.some(({ fault: spoilt }) => spoilt?.code === 'replay-miss'),
      );
      if (fault !== null) expect(trace).toMatchObject({ end: 'fault', fault });
      expect(trace.promptTokens + trace.completionTokens).toBe(100 * calls.length);
    }),
    { numRuns: 150 },
  );
});

test('a recording of overlapping calls replays the same trace, however fast the servers were', async () => {
  const call = fc.record({ n: fc.integer({ min: 0, max: 1 }), latency: fc.integer({ min: 1, max: 100 }) });
  const rounds = fc.array(fc.array(call, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rounds, async (planned) => {
      const latencies = planned.flat().map(({ latency }) => latency);
      const plans = [
        ...planned.map((calls) => plan(...calls.map(({ n }): [string, unknown] => ['test/find', { n }]))),
        stop,
      ];
      const kept = new Map<number, RecordedCall>();
      const recorded = await attempt({
        plans,
        connect: (clock) => {
          let [begun, answered] = [0, 0];
          // A server that counts its answers: which call gets which depends on their speed.
          const forward: ServerConnections['forward'] = async () => {
            await clock.wait(latencies[begun++] ?? 1);
            const text = String((answered += 1));
            return {
              kind: 'answered',
              answer: { kind: 'result', result: { content: [{ type: 'text', text }] } },
              outcome: { kind: 'success', text, truncated: false, sha256: await sha256Hex(text) },
            };
          };
          const redactArguments: ServerConnections['redactArguments'] = (_, args) => ({ ...args });
          const close = async () => null;
          const server = { forward, call: makeOutcomeOnlyCall(forward), redactArguments, close };
          const keep = (each: RecordedCall, place: number): void => void kept.set(place, each);
          return makeRecordingConnections(server, { unit: 'u', attempt: 'a', keep });
        },
      });
      const inOrder = [...kept].toSorted(([a], [b]) => a - b).map(([, each]) => each);
      expect(inOrder.map(({ arguments: args }) => args)).toEqual(planned.flat().map(({ n }) => `{"n":${n}}`));
      const replayed = await attempt({
        plans,
        connect: () => makeReplayingConnections(inOrder, { attempt: 'a', tools: [], rules: {} }),
      });
      const lasting = ({ trace }: typeof replayed) => trace.steps.map((step) => ({ ...step, latencyMs: 0 }));
      expect(replayed.fault).toBeNull();
      expect(lasting(replayed)).toEqual(lasting(recorded));
    }),
    { numRuns: 60 },
  );
});
