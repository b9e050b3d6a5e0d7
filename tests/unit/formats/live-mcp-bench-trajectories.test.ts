import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importedAttempts } from '#core/evaluation/imported-attempts.ts';
import { matchTrajectoriesToUnits } from '#core/evaluation/live-mcp-bench/match-trajectories.ts';
import { parsePythonResult } from '#core/benchmarks/formats/live-mcp-bench/python-result.ts';
import { makeToolNamer, parseTrajectories } from '#core/evaluation/live-mcp-bench/trajectories.ts';
import type { Trace } from '#core/traces/trace.ts';

/** Texts as Python writes them. */
const python = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}'`;
const result = (text: string, isError = false): string =>
  `meta=None content=[TextContent(type='text', text=${python(text)}, annotations=None)] isError=${isError ? 'True' : 'False'}`;

const routeResult = result(
  'success: true\nmatched_tools:\n- server_name: Fruit Market\n  tool_name: price\n  tool_description: Says a price.\n- server_name: disk\n  tool_name: write\n  tool_description: Writes.\n',
);
const call = (id: string, name: string, args: unknown) => ({
  id,
  type: 'function',
  function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
});
const execute = (id: string, params: unknown, server = 'Fruit Market', tool = 'price') =>
  call(id, 'execute-tool', { server_name: server, tool_name: tool, params });
const query = '<tool_assistant>\nserver: a market\ntool: say the price of a fruit\n</tool_assistant>';

/** A trajectory of ours in the published form. */
const trajectory = (...results: readonly [string, string, string]) => ({
  task_id: 't1',
  Question: 'What does an apple cost?',
  answers: '',
  category: 'Shopping',
  response: 'An apple costs 2.',
  messages: [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: 'What does an apple cost?' },
    { role: 'assistant', content: 'Let me look.', tool_calls: [call('c1', 'route', { query })] },
    { role: 'tool', tool_call_id: 'c1', content: results[0] },
    {
      role: 'assistant',
      tool_calls: [execute('c2', { fruit: 'apple' }), execute('c3', { path: 'x' }, 'disk', 'write')],
    },
    { role: 'tool', tool_call_id: 'c2', content: results[1] },
    { role: 'tool', tool_call_id: 'c3', content: results[2] },
    { role: 'assistant', content: 'An apple costs 2.' },
  ],
});
const tools = makeToolNamer([{ name: 'fruit-market/price', server: 'fruit-market' }]);

async function traceOf(each: unknown): Promise<Trace> {
  const [read] = await parseTrajectories([each], tools);
  if (read?.trace.ok !== true) throw new Error(`not read: ${read?.trace.problem ?? ''}`);
  return read.trace.value;
}

describe('a published trajectory', () => {
  it('becomes a trace with its searches, calls, results and answer', async () => {
    const trace = await traceOf(trajectory(routeResult, result("It's\n2."), 'Tool call timed out.'));
    expect(trace).toMatchObject({ finalText: 'An apple costs 2.', end: 'answered', fault: null, turns: 3 });
    expect(trace.routes).toMatchObject([
      {
        query: 'say the price of a fruit',
        server: 'a market',
        after: 0,
        turn: 1,
        tools: [{ name: 'Fruit Market/price' }, { name: 'disk/write' }],
      },
    ]);
    expect(trace.steps).toMatchObject([
      {
        tool: 'fruit-market/price',
        arguments: { fruit: 'apple' },
        outcome: 'success',
        text: "It's\n2.",
        truncated: false,
        turn: 2,
      },
      { tool: 'disk/write', outcome: 'failure', cause: 'environment', fault: { code: 'timeout' }, turn: 2 },
    ]);
    const attempt = { unit: 'u_1', agent: 'claude', trial: 1, request: 'request', trace };
    expect(importedAttempts.safeParse({ attempts: [attempt] }).success).toBe(true);
  });

  it('says which calls failed, and which results are cut', async () => {
    const failed = await traceOf(trajectory(routeResult, result('no such fruit', true), result('Error: disk is full')));
    expect(failed.steps).toMatchObject([{ outcome: 'failure' }, { outcome: 'success', reported: {} }]);
    const beginning = "meta=None content=[TextContent(type='text', text='";
    const { steps } = await traceOf(
      trajectory(routeResult, `${beginning}${'a'.repeat(9_990)}`, `${beginning}Error executing tool y`),
    );
    expect(steps).toMatchObject([
      { outcome: 'success', truncated: true, sha256: null },
      { outcome: 'failure', truncated: true, sha256: null },
    ]);
  });

  it('is not evaluated if the model broke, and has no answer then', async () => {
    const whole = trajectory(routeResult, result('2'), result('ok'));
    const broken = {
      ...whole,
      response: 'Error: Connection error.',
      messages: [...whole.messages.slice(0, -1), { role: 'assistant', content: 'Connection error.' }],
    };
    const trace = await traceOf(broken);
    expect(trace).toMatchObject({ end: 'fault', finalText: '', turns: 2, fault: { where: 'model' } });
    const read = await parseTrajectories([broken], tools);
    expect(matchTrajectoriesToUnits(read, new Map([['t1', 'u_1']]), 'a')).toMatchObject({
      broken: ['t1 at 1'],
      unparsed: [],
    });
  });

  it('keeps calls that are no JSON, and calls that have no result', async () => {
    const whole = trajectory(routeResult, result('2'), result('ok'));
    const messages = whole.messages.map((each) =>
      each.role === 'assistant' && each.tool_calls?.length === 2
        ? { ...each, tool_calls: [call('c2', 'execute-tool', '{"server_name":'), execute('c9', {})] }
        : each,
    );
    const { steps } = await traceOf({ ...whole, messages });
    expect(steps).toMatchObject([
      { tool: 'execute-tool', arguments: null },
      { tool: 'fruit-market/price', outcome: 'failure', failure: { rule: 'broken-off' } },
    ]);
  });

  it('is unparsed and named where it cannot be read, and takes no other with it', async () => {
    const good = trajectory(routeResult, result('2'), result('ok'));
    const unknownForm = { ...trajectory(routeResult, 'CallToolResult(2)', result('ok')), task_id: 't2' };
    const read = await parseTrajectories([7, { task_id: 't3' }, unknownForm, good, good], tools);
    const units = new Map([
      ['t1', 'u_1'],
      ['t2', 'u_2'],
      ['t3', 'u_3'],
    ]);
    const { attempts, unparsed, unmatched } = matchTrajectoriesToUnits(read, units, 'a');
    expect(attempts.map(({ unit }) => unit)).toEqual(['u_1']);
    expect(unparsed.map((name) => name.split(':')[0])).toEqual(['a trajectory at 1', 't3 at 2', 't2 at 3']);
    expect(unparsed[2]).toContain('c2');
    expect(unmatched).toEqual(['t1 at 5']);
  });

  it('is a trace or unparsed, however it is broken', async () => {
    const whole = JSON.stringify(trajectory(routeResult, result('2'), result('ok')));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), fc.string({ maxLength: 5 }), async (at, noise) => {
        const text = whole.slice(0, at) + noise + whole.slice(at + noise.length);
        let broken: unknown;
        try {
          broken = JSON.parse(text);
        } catch {
          return;
        }
        const [read] = await parseTrajectories([broken], tools);
        expect(read?.at).toBe(1);
        if (read?.trace.ok === true)
          expect(
            importedAttempts.safeParse({
              attempts: [{ unit: 'u', agent: 'a', request: 'request', trace: read.trace.value }],
            }).success,
          ).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("Python's text of a result", () => {
  it('gives back every text', () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (text, isError) => {
        expect(parsePythonResult(result(text, isError))).toEqual({ kind: 'answer', text, isCut: false, isError });
      }),
    );
  });

  it('is read with other escapes, several contents, and contents that are no text', () => {
    const written = String.raw`meta=None content=[ImageContent(type='image', data='AA==', mimeType='image/png'), TextContent(type='text', text="a\x41\u00e9\U0001f600\\", annotations=None), TextContent(type='text', text='b')] isError=False`;
    expect(parsePythonResult(written)).toEqual({ kind: 'answer', text: 'aAé😀\\\nb', isCut: false, isError: false });
  });

  it('is cut wherever the harness cut it, and never more than what it is', () => {
    const whole = result('a\nb\\c"d\'e');
    fc.assert(
      fc.property(fc.integer({ min: 'meta=None content=['.length, max: whole.length - 1 }), (length) => {
        const read = parsePythonResult(whole.slice(0, length));
        if (read !== null) expect(read).toMatchObject({ kind: 'answer', isCut: true, isError: null });
        if (read?.kind === 'answer') expect('a\nb\\c"d\'e'.startsWith(read.text)).toBe(true);
      }),
    );
  });
});
