import { describe, expect, test } from 'vitest';
import { codeFunctions, codePromptVariables, mostCallsOfProgram, runCodeAttempt } from '#agents/code.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { agentLimits } from '#core/models/limits.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import type { ChatModel, RunProgram, ToolOutcome } from '#core/ports.ts';
import { trace as traceModel } from '#core/traces/trace.ts';

const toolNamed = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  server: name.slice(0, name.indexOf('/')),
  domain: 'tests',
  category: 'testing',
  description: `Does ${name}. It does more.`,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  ...more,
});
const few = ['hotels/find', 'hotels/book', 'maps/route'].map((name) => toolNamed(name));

const modelCall: ModelCall = {
  role: 'agent',
  model: 'm',
  prompt: 'p',
  promptTokens: 90,
  completionTokens: 10,
  costUsd: 0.5,
  latencyMs: 10,
  retries: 0,
};

type Call = Parameters<RunProgram>[1];
type Ran = (call: Call, signal: AbortSignal) => Promise<unknown>;

const success = (text: string, structured?: string): ToolOutcome => ({
  kind: 'success',
  text,
  truncated: false,
  sha256: 'a'.repeat(64),
  ...(structured === undefined ? {} : { structured }),
});

/** Runs an attempt of a model that issues calls turn by turn. A program is a function here, by its code. */
async function attempt(
  script: readonly (readonly [name: string, args: unknown])[],
  programs: Readonly<Record<string, Ran>> = {},
  {
    tools = few,
    outcomeOf = (tool: string): ToolOutcome => success(`${tool} done`),
    limits = {},
  }: { tools?: Tool[]; outcomeOf?: (tool: string) => ToolOutcome; limits?: object } = {},
) {
  const called: [string, unknown][] = [];
  let replies: string[] = [];
  let turns = 0;
  const model: ChatModel = {
    async completeTurn({ messages }) {
      replies = messages.flatMap((each) => (each.role === 'tool' ? [each.content] : []));
      const issued = script[turns];
      turns += 1;
      const toolCalls =
        issued === undefined ? [] : [{ id: `c${turns}`, name: issued[0], argumentsText: JSON.stringify(issued[1]) }];
      const finish = issued === undefined ? 'stop' : 'tool-calls';
      return { ok: true, content: issued === undefined ? 'Done.' : '', toolCalls, finish, call: modelCall };
    },
  };
  const runProgram: RunProgram = async ({ code }, call, signal) => {
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('aborted'))),
    );
    try {
      const text = JSON.stringify(await Promise.race([programs[code]?.(call, signal), aborted]));
      return { kind: 'returned', text: text ?? null, truncated: false, printed: '' };
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped', why: 'signal', printed: 'so far' };
      return { kind: 'threw', message: String(error), line: 2, printed: '' };
    }
  };
  const result = await runCodeAttempt({
    prompt: { id: 'agent-code@v1', messages: [{ role: 'user', content: 'Book a room' }] },
    tools,
    model,
    connections: {
      async call(tool, args) {
        called.push([tool, args]);
        return outcomeOf(tool);
      },
    },
    runProgram,
    limits: agentLimits.parse(limits),
    seed: 3,
    now: Date.now,
  });
  expect(traceModel.safeParse(result.trace).error).toBeUndefined();
  return { ...result, called, replies };
}

const run = (code: string): readonly [string, unknown] => ['run_code', { code }];

describe('an attempt of an agent that writes programs', () => {
  test('has the calls of a program as its steps, in the order of issue', async () => {
    const both: Ran = async (call) => Promise.all([call('hotels__find', '{"q":"x"}'), call('maps__route', '{}')]);
    const { trace, called, replies } = await attempt([run('both')], { both });
    expect(called).toEqual([
      ['hotels/find', { q: 'x' }],
      ['maps/route', {}],
    ]);
    expect(trace.steps.map(({ tool, turn, turnTokens, text }) => [tool, turn, turnTokens, text])).toEqual([
      ['hotels/find', 1, 100, 'hotels/find done'],
      ['maps/route', 1, 100, 'maps/route done'],
    ]);
    expect(trace.programs).toMatchObject([{ chars: 4, end: 'returned', line: null, after: 0, calls: 2, turn: 1 }]);
    expect(replies).toEqual([
      'Returned: [{"ok":true,"text":"hotels/find done","json":null},{"ok":true,"text":"maps/route done","json":null}]',
    ]);
    expect(trace).toMatchObject({ end: 'answered', finalText: 'Done.' });
  });

  test('gives a program the structured content of a result as well', async () => {
    const one: Ran = async (call) => call('hotels__find', '{}');
    const { replies } = await attempt([run('one')], { one }, { outcomeOf: () => success('12', '{"result":12}') });
    expect(replies[0]).toContain('"json":"{\\"result\\":12}"');
  });

  test('gives a program an error where a call failed, the tool does not exist or the arguments are none', async () => {
    const three: Ran = async (call) => [
      await call('hotels__find', '{}'),
      await call('nothing', '{}'),
      await call('hotels__book', '[1]'),
    ];
    const failing = (): ToolOutcome => ({ kind: 'error', text: 'no rooms', truncated: false, sha256: 'b'.repeat(64) });
    const { trace, replies } = await attempt([run('three')], { three }, { outcomeOf: failing });
    expect(replies[0]).toContain('The call failed: no rooms');
    expect(replies[0]).toContain('There is no function called');
    expect(replies[0]).toContain('are not a JSON object');
    expect(trace.steps.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['hotels/find', 'failure'],
      ['nothing', 'failure'],
      ['hotels/book', 'failure'],
    ]);
  });

  test('is told the message and the line of an error', async () => {
    const code = 'const x = null;\n  x.foo;';
    const bad: Ran = async () => {
      throw new TypeError('no foo');
    };
    const { trace, replies } = await attempt([run(code)], { [code]: bad });
    expect(replies).toEqual([
      'The code failed: TypeError: no foo (line 2: x.foo;). Calls before that were carried out.',
    ]);
    expect(trace.programs).toMatchObject([{ end: 'threw', line: 2 }]);
  });

  test('makes no more calls in a program than it may, and is told what it printed', async () => {
    const endless: Ran = async (call) => {
      for (let n = 0; n < 10_000; n += 1) await call('maps__route', '{}').catch(() => null);
    };
    const { trace, called, replies } = await attempt([run('endless')], { endless });
    expect(called).toHaveLength(mostCallsOfProgram);
    expect(trace.steps).toHaveLength(mostCallsOfProgram);
    expect(trace.programs).toMatchObject([{ end: 'too-many-calls', calls: mostCallsOfProgram }]);
    expect(replies[0]).toBe(
      'The code was stopped: it called tools more than 100 times. Calls before that were carried out.\nPrinted:\nso far',
    );
  });

  test('ends with the time of the attempt, also while a program waits for nothing', async () => {
    const { trace } = await attempt(
      [run('wait')],
      { wait: () => new Promise(() => {}) },
      { limits: { timeMs: 1_000 } },
    );
    expect(trace).toMatchObject({ end: 'time-limit', programs: [{ end: 'attempt-over', calls: 0 }] });
  });

  test('ends with a fault that no attempt survives, after which a program makes no call', async () => {
    const two: Ran = async (call) => [await call('maps__route', '{}'), await call('maps__route', '{}')];
    const unmounted: ToolOutcome = {
      kind: 'fault',
      fault: { where: 'server', name: 'maps', code: 'unreachable', detail: 'gone' },
      unmounted: true,
    };
    const { trace, called } = await attempt([run('two')], { two }, { outcomeOf: () => unmounted });
    expect(called).toHaveLength(1);
    expect(trace).toMatchObject({ end: 'fault', steps: [{ outcome: 'fault' }] });
  });

  test('does not hide a defect of the platform from its run', async () => {
    const one: Ran = async (call) => call('maps__route', '{}');
    const broken = () => {
      throw new Error('the platform broke');
    };
    await expect(attempt([run('one')], { one }, { outcomeOf: broken })).rejects.toThrow('the platform broke');
  });

  test('waits for a call that the program did not wait for, and carries out no later one', async () => {
    const careless: Ran = async (call) => {
      void call('hotels__find', '{}');
      void call('maps__route', '{}');
      await Promise.resolve();
    };
    const { trace } = await attempt([run('careless')], { careless });
    expect(trace.steps.length).toBeLessThanOrEqual(1);
    expect(trace.programs?.[0]?.calls).toBe(trace.steps.length);
  });

  test('is told that tools are no functions, and what run_code takes', async () => {
    const { replies, trace } = await attempt([
      ['hotels__find', { q: 'x' }],
      ['run_code', { source: '1' }],
    ]);
    expect(replies[0]).toBe('There is no function called "hotels__find". Tools are called in code that run_code runs.');
    expect(replies[1]).toContain('Nothing was run: the arguments are not {"code": "<text>"}');
    expect(trace.steps).toMatchObject([{ tool: 'hotels/find', outcome: 'failure' }]);
  });
});

describe('the tools that a program can call', () => {
  const opening = { request: 'r', date: 'd', instructions: [], limits: agentLimits.parse({}) };
  const many = Array.from({ length: 300 }, (_, at) => toolNamed(`many/tool-${at}`));

  test('are declared in the prompt if they are few', () => {
    const { tools, how } = codePromptVariables({ ...opening, tools: few });
    expect(tools[0]).toBe('/** Does hotels/find. It does more. */ hotels__find(args?: { q?: string }): unknown');
    expect(how).toContain('declared');
    expect(codeFunctions(few).map(({ name }) => name)).toEqual(['run_code']);
  });

  test('are listed by their names if they are many, and declared when asked for', async () => {
    const { tools, how } = codePromptVariables({ ...opening, tools: many });
    expect(tools[7]).toBe('many__tool_7: Does many/tool-7.');
    expect(how).toContain('describe_tools');
    expect(codeFunctions(many).map(({ name }) => name)).toEqual(['run_code', 'describe_tools']);
    const names = ['many__tool_7', 'tools.many__tool_8', 'other'];
    const { replies, trace } = await attempt([['describe_tools', { names }]], {}, { tools: many });
    expect(replies[0]?.split('\n')).toEqual([
      '/** Does many/tool-7. It does more. */ many__tool_7(args?: { q?: string }): unknown',
      '/** Does many/tool-8. It does more. */ many__tool_8(args?: { q?: string }): unknown',
      'There is no tool called "other".',
    ]);
    expect(trace.steps).toEqual([]);
  });
});
