import { describe, expect, test } from 'vitest';
import { mostLoadedFunctions, runToolSearchAttempt } from '#agents/tool-search.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { agentLimits } from '#core/models/limits.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import type { ChatModel, FindTools } from '#core/ports.ts';
import { trace as traceModel } from '#core/traces/trace.ts';

const toolNamed = (name: string): Tool => ({
  name,
  server: name.slice(0, name.indexOf('/')),
  domain: 'tests',
  category: 'testing',
  description: `does ${name}`,
  inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
});

const call: ModelCall = {
  role: 'agent',
  model: 'm',
  prompt: 'p',
  promptTokens: 90,
  completionTokens: 10,
  costUsd: 0.5,
  latencyMs: 10,
  retries: 0,
};

type Issued = readonly [name: string, args: unknown];

/** Runs an attempt of a model with a script: the calls of each turn; after the last one it answers. */
async function attempt(script: readonly (readonly Issued[])[], tools: readonly Tool[], shownTools?: readonly string[]) {
  const shown: string[][] = [];
  const called: [string, unknown][] = [];
  const replies: string[] = [];
  const model: ChatModel = {
    async completeTurn({ functions, messages }) {
      const issued = script[shown.length] ?? [];
      shown.push(functions.map(({ name }) => name));
      replies.splice(0, replies.length, ...messages.flatMap((each) => (each.role === 'tool' ? [each.content] : [])));
      const toolCalls = issued.map(([name, args], at) => ({
        id: `c${shown.length}-${at}`,
        name,
        argumentsText: typeof args === 'string' ? args : JSON.stringify(args),
      }));
      const finish = toolCalls.length > 0 ? 'tool-calls' : 'stop';
      return { ok: true, content: finish === 'stop' ? 'Done.' : '', toolCalls, finish, call };
    },
  };
  const findTools: FindTools = async ({ tool }) => ({
    ok: true,
    tools: tools.filter(({ name }) => name.includes(tool)).map(({ name }) => ({ name, fit: 0.5 })),
    calls: [],
  });
  const { trace } = await runToolSearchAttempt({
    prompt: { id: 'agent-tool-search@v1', messages: [{ role: 'user', content: 'Book a room' }] },
    tools,
    model,
    connections: {
      async call(tool, args) {
        called.push([tool, args]);
        return { kind: 'success', text: `${tool} done`, truncated: false, sha256: 'a'.repeat(64) };
      },
    },
    findTools,
    shown: shownTools,
    limits: agentLimits.parse({}),
    seed: 3,
    now: () => 0,
  });
  expect(traceModel.safeParse(trace).error).toBeUndefined();
  return { trace, shown, called, replies };
}

const search = (query: unknown): Issued => ['tool_search', { query }];
const few = ['hotels/find', 'hotels/book', 'maps/route'].map(toolNamed);

describe('an attempt of an agent that loads its tools', () => {
  test('begins with one function, whatever is mounted', async () => {
    const { shown, trace } = await attempt([], few);
    expect(shown).toEqual([['tool_search']]);
    expect(trace).toMatchObject({ routes: [], steps: [], end: 'answered' });
  });

  test('has the functions that a search found from the next turn on, behind those of earlier searches', async () => {
    const { shown, called, trace } = await attempt(
      [[search('maps')], [search('hotels')], [['hotels__book', { q: 'room' }]]],
      few,
    );
    expect(shown).toEqual([
      ['tool_search'],
      ['tool_search', 'maps__route'],
      ['tool_search', 'maps__route', 'hotels__find', 'hotels__book'],
      ['tool_search', 'maps__route', 'hotels__find', 'hotels__book'],
    ]);
    expect(called).toEqual([['hotels/book', { q: 'room' }]]);
    expect(trace.routes?.map(({ query, after, turn }) => [query, after, turn])).toEqual([
      ['maps', 0, 1],
      ['hotels', 0, 2],
    ]);
  });

  test('has the chosen tools from the start, and can call them without a search', async () => {
    const { shown, called } = await attempt(
      [[['maps__route', { q: 'way' }]], [search('hotels')], [['hotels__book', { q: 'room' }]]],
      few,
      ['maps/route', 'trains/find'],
    );
    expect(shown).toEqual([
      ['tool_search', 'maps__route'],
      ['tool_search', 'maps__route'],
      ['tool_search', 'maps__route', 'hotels__find', 'hotels__book'],
      ['tool_search', 'maps__route', 'hotels__find', 'hotels__book'],
    ]);
    expect(called).toEqual([
      ['maps/route', { q: 'way' }],
      ['hotels/book', { q: 'room' }],
    ]);
  });

  test('loads a function once, however often it is found', async () => {
    const { shown } = await attempt([[search('maps')], [search('route')]], few);
    expect(shown[2]).toEqual(['tool_search', 'maps__route']);
  });

  test('cannot call a function of a mounted tool that no search has loaded', async () => {
    const { called, replies, trace } = await attempt([[['hotels__book', { q: 'room' }]]], few);
    expect(called).toEqual([]);
    expect(replies).toEqual([
      'hotels__book is not loaded: search for it with tool_search, and call it in a later turn.',
    ]);
    expect(trace.steps).toMatchObject([{ tool: 'hotels/book', outcome: 'failure' }]);
  });

  test('cannot call a function in the turn that searches for it', async () => {
    const { called, replies } = await attempt([[search('maps'), ['maps__route', {}]]], few);
    expect(called).toEqual([]);
    expect(replies[0]).toBe('Loaded, best first; call them from your next turn on: maps__route.');
    expect(replies[1]).toContain('maps__route is not loaded');
  });

  test('is told that nothing was found, and that a search says nothing', async () => {
    const { replies, trace } = await attempt([[search('weather'), search(''), ['tool_search', 'no JSON']]], few);
    expect(replies[0]).toBe('No tool was found. Search in other words.');
    expect(replies[1]).toContain('Nothing was searched for');
    expect(replies[2]).toContain('Nothing was searched for');
    expect(trace.routes).toMatchObject([
      { query: 'weather', tools: [] },
      { query: '', tools: [], problem: expect.any(String) },
      { query: '', tools: [], problem: expect.any(String) },
    ]);
  });

  test('loads no more functions than endpoints take, and says which are left out', async () => {
    const many = Array.from({ length: mostLoadedFunctions + 1 }, (_, at) => toolNamed(`many/t${at}`));
    const { shown, replies } = await attempt([[search('many')]], many);
    expect(shown[1]).toHaveLength(1 + mostLoadedFunctions);
    expect(replies[0]).toContain('100 functions are loaded, which is the most: many__t100 cannot be called.');
  });
});
