import { compileFunction } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { getPromptOrThrow, prompts, render } from '#adapters/prompts/index.ts';
import type { LoopResult } from '#agents/attempt-log.ts';
import type { AttemptInput } from '#agents/attempt.ts';
import { codePromptVariables, runCodeAttempt } from '#agents/code.ts';
import { runFunctionCallingAttempt } from '#agents/function-calling.ts';
import { agentLimits } from '#core/models/limits.ts';
import { planningPromptVariables, runPlanningAttempt } from '#agents/planning.ts';
import { runPromptedCallingAttempt, listToolsForPrompt } from '#agents/prompted-calling.ts';
import { runRoutingAttempt } from '#agents/routing.ts';
import { runToolSearchAttempt } from '#agents/tool-search.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { ChatMessage, ChatModel, RenderedPrompt, RunProgram, ToolOutcome } from '#core/ports.ts';
import { replyToChatOrThrow } from '../../offline/models/answering.ts';
import { chatRequest } from '../../offline/models/protocol.ts';
import { testCards } from './models-cards.ts';
import { toolOf } from './models-support.ts';

const tools: Tool[] = [...testCards.values()].map(toolOf).map((tool) => ({
  ...tool,
  server: tool.category,
  domain: 'tests',
}));

const wire = (message: ChatMessage): unknown => {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant' || message.toolCalls.length === 0) return message;
  const tool_calls = message.toolCalls.map(({ id, name, argumentsText }) => ({
    id,
    type: 'function',
    function: { name, arguments: argumentsText },
  }));
  return { role: 'assistant', content: message.content, tool_calls };
};

/** An offline agent as the loops see it, without a network between. */
const modelNamed = (model: string): ChatModel => ({
  async completeTurn({ messages, functions, parallelCalls, prompt, seed }) {
    const reply = replyToChatOrThrow(
      chatRequest.parse({
        model,
        seed,
        messages: messages.map(wire),
        parallel_tool_calls: parallelCalls,
        tools: functions.map((one) => ({ type: 'function', function: one })),
      }),
      testCards,
    );
    const calls = 'calls' in reply ? reply.calls : [];
    return {
      ok: true,
      content: 'text' in reply ? reply.text : '',
      toolCalls: calls.map(({ id, name, arguments: args }) => ({ id, name, argumentsText: JSON.stringify(args) })),
      finish: calls.length > 0 ? 'tool-calls' : 'stop',
      call: {
        role: 'agent',
        model,
        prompt,
        promptTokens: 1,
        completionTokens: 1,
        costUsd: 0,
        latencyMs: 0,
        retries: 0,
      },
    };
  },
});

const results: Readonly<Record<string, string>> = {
  'time/today_date': 'Today is 2031-03-10.',
  'time/week_number': 'week 11',
  'calc/power_of': '2048',
};

const resultOf = (tool: string): ToolOutcome =>
  tool === 'files/delete_note'
    ? { kind: 'error', text: 'there is no such note', truncated: false, sha256: 'a'.repeat(64) }
    : { kind: 'success', text: results[tool] ?? 'fine', truncated: false, sha256: 'a'.repeat(64) };

const searched: string[] = [];

const attempt = (
  run: (input: AttemptInput) => Promise<LoopResult>,
  model: string,
  prompt: RenderedPrompt,
  mounted = tools,
): Promise<LoopResult> =>
  run({
    prompt,
    tools: mounted,
    model: modelNamed(model),
    connections: { call: async (tool) => resultOf(tool) },
    findTools: async (query) => {
      searched.push(query.tool);
      return { ok: true, tools: tools.map(({ name }) => ({ name, fit: 0.5 })), calls: [] };
    },
    runProgram: runInThisProcess,
    limits: agentLimits.parse({}),
    seed: 1,
    now: () => 0,
  });

/** Runs a program of these rules here, where it needs no isolate. */
const runInThisProcess: RunProgram = async ({ code }, call) => {
  const tools = new Proxy(
    {},
    {
      get: (_, name) => async (args: unknown) => {
        const reply = await call(String(name), JSON.stringify(args));
        if (!reply.ok) throw new Error(reply.message);
        return /^\s*[[{]/.test(reply.text) ? JSON.parse(reply.text) : reply.text;
      },
    },
  );
  const text: unknown = await compileFunction(`return (async () => {${code}\n})()`, ['tools'])(tools);
  return { kind: 'returned', text: JSON.stringify(text), truncated: false, printed: '' };
};

const request =
  'First, look up today\'s date, then find the calendar week for today\'s date, after that raise 2 to the power of the calendar week, then delete "old.txt" from the folder, and finally save "milk and bread" under the path "a.txt".';
const date = 'Monday, 2026-11-23';

const native = (model: string) =>
  attempt(runFunctionCallingAttempt, model, render(prompts.agent, { request, date, instructions: [] }));
const written = (model: string) =>
  attempt(
    runPromptedCallingAttempt,
    model,
    render(prompts.agentPrompted, { request, date, tools: listToolsForPrompt(tools), instructions: [] }),
  );
const routed = (model: string) => attempt(runRoutingAttempt, model, render(prompts.agentRouting, { request, date }));
const loading = (model: string) =>
  attempt(runToolSearchAttempt, model, render(prompts.agentToolSearch, { request, date }));
const programmed = (model: string, shown = tools) =>
  attempt(
    runCodeAttempt,
    model,
    render(
      prompts.agentCode,
      codePromptVariables({ request, date, tools: shown, instructions: [], limits: agentLimits.parse({}) }),
    ),
    shown,
  );
const done = ({ trace }: LoopResult) => trace.steps.map(({ tool, arguments: args, outcome }) => [tool, args, outcome]);

const planned = (model: string, wish = request, outcomeOf = resultOf) =>
  attempt(
    (input) =>
      runPlanningAttempt({
        ...input,
        connections: { call: async (tool) => outcomeOf(tool) },
        request: wish,
        renderPrompt: (name, variables) => render(getPromptOrThrow(name), variables),
      }),
    model,
    render(
      prompts.agentPlanning,
      planningPromptVariables({ request: wish, date, tools, limits: agentLimits.parse({}), instructions: [] }),
    ),
  );

describe('offline agents that plan in rounds', () => {
  it('make calls together that need nothing from each other, and answer from what came back', async () => {
    const { trace } = await planned('offline-steady');
    expect(trace.steps.map(({ tool, arguments: args, outcome, turn }) => [turn, tool, args, outcome])).toEqual([
      [1, 'time/today_date', {}, 'success'],
      [2, 'time/week_number', { date: '2031-03-10' }, 'success'],
      [3, 'calc/power_of', { base: 2, exponent: 11 }, 'success'],
      [3, 'files/delete_note', { path: 'old.txt' }, 'failure'],
      [3, 'files/write_note', { content: 'milk and bread', path: 'a.txt' }, 'success'],
    ]);
    expect(trace).toMatchObject({ end: 'answered', turns: 4 });
    expect(trace.finalText).toContain('2048');
    expect(trace.finalText).toContain('which failed');
  });

  it.each(['offline-hasty', 'offline-forgetful'])('reach an answer as %s, the same each time', async (model) => {
    const { trace } = await planned(model);
    expect(trace.end).toBe('answered');
    expect(trace.steps.length).toBeGreaterThan(0);
    expect((await planned(model)).trace).toEqual(trace);
  });

  it('summarise a long result by what the request speaks of, and add nothing', async () => {
    const lines = [
      'The list:',
      ...Array.from({ length: 900 }, (_, n) => `entry number ${n}`),
      'The date is 2031-03-10.',
    ];
    const text = lines.join('\n');
    const { trace } = await planned('offline-steady', "Look up today's date.", () => ({
      kind: 'success',
      text,
      truncated: false,
      sha256: 'a'.repeat(64),
    }));
    const summary = trace.steps[0]?.summary ?? '';
    expect(summary).toContain('The date is 2031-03-10.');
    expect(summary.length).toBeLessThanOrEqual(4_000);
    expect(summary.split('\n').filter((line) => !lines.includes(line))).toEqual([]);
  });
});

describe('offline agents with tools in the prompt', () => {
  it('act the same as with native calls if steady', async () => {
    const [one, other] = [await native('offline-steady'), await written('offline-steady')];
    expect(done(other)).toEqual(done(one));
    expect(done(other)).toEqual([
      ['time/today_date', {}, 'success'],
      ['time/week_number', { date: '2031-03-10' }, 'success'],
      ['calc/power_of', { base: 2, exponent: 11 }, 'success'],
      ['files/delete_note', { path: 'old.txt' }, 'failure'],
      ['files/write_note', { content: 'milk and bread', path: 'a.txt' }, 'success'],
    ]);
    expect(other.trace).toMatchObject({ end: 'answered', finalText: one.trace.finalText });
    expect(other.trace.finalText).toContain('which failed');
  });

  it.each(['offline-hasty', 'offline-forgetful'])('reach an answer as %s, the same each time', async (model) => {
    const { trace } = await written(model);
    expect(trace.end).toBe('answered');
    expect(trace.steps.length).toBeGreaterThan(0);
    expect((await written(model)).trace).toEqual(trace);
  });
});

describe('offline agents that search for their tools', () => {
  it('search once for each clause, then act the same as with native calls if steady', async () => {
    searched.length = 0;
    const { trace } = await routed('offline-steady');
    expect(searched).toHaveLength(5);
    expect(searched[2]).toBe('raise 2 to the power of the calendar week');
    expect(trace.routes).toHaveLength(5);
    const one = await native('offline-steady');
    expect(done({ ...one, trace })).toEqual(done(one));
    expect(trace.finalText).toBe(one.trace.finalText);
  });

  it.each(['offline-hasty', 'offline-forgetful'])('reach an answer as %s, the same each time', async (model) => {
    const { trace } = await routed(model);
    expect(trace.end).toBe('answered');
    expect(trace.steps.length).toBeGreaterThan(0);
    expect((await routed(model)).trace).toEqual(trace);
  });

  it('load functions by a search for each clause, then act the same as with all functions if steady', async () => {
    searched.length = 0;
    const { trace } = await loading('offline-steady');
    expect(searched).toHaveLength(5);
    const one = await native('offline-steady');
    expect(done({ ...one, trace })).toEqual(done(one));
    expect(trace.finalText).toBe(one.trace.finalText);
  });
});

describe('offline agents that write programs', () => {
  it('make the calls of a function-calling agent, in fewer turns, with values that pass from call to call', async () => {
    const [one, other] = [await native('offline-steady'), await programmed('offline-steady')];
    expect(done(other)).toEqual(done(one));
    expect(other.trace.turns).toBeLessThan(one.trace.turns);
    expect(other.trace.programs?.[0]?.calls).toBeGreaterThan(2);
    expect(other.trace.finalText).toBe(one.trace.finalText);
  });

  it('ask what the tools take that they need, where the prompt lists names', async () => {
    const long = tools.map((tool) => ({
      ...tool,
      description: `${tool.description}. ${'It takes its time. '.repeat(100)}`,
    }));
    const [one, other] = [await native('offline-steady'), await programmed('offline-steady', long)];
    expect(done(other)).toEqual(done(one));
    expect(other.trace.programs?.map(({ turn }) => turn)).toEqual([2, 3]);
  });

  it.each(['offline-hasty', 'offline-forgetful'])('are wrong in their way and reproducibly: %s', async (model) => {
    const { trace } = await programmed(model);
    expect(trace.steps.length).toBeGreaterThan(0);
    expect((await programmed(model)).trace.steps).toEqual(trace.steps);
  });
});
