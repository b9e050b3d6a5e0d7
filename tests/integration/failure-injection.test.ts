import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { makeOpenAiModels } from '#adapters/model/openai.ts';
import { prompts, render } from '#adapters/prompts/index.ts';
import { runFunctionCallingAttempt } from '#agents/function-calling.ts';
import { agentLimits, type AgentLimits } from '#core/models/limits.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { caseAfterStageResult, newCase } from '#core/evaluation/case.ts';
import type { FaultCode, InfrastructureFault } from '#core/models/faults.ts';
import type { FailureVerdict } from '#core/traces/failure.ts';
import { trace as traceForm, type Trace } from '#core/traces/trace.ts';
import { traceWithCallsClassifiedByRules } from '#adapters/mcp/failure-rules.ts';
import { startTestMcpServer, type TestTool, type Trick } from '../support/mcp-server.ts';
import { startScriptedModels, type ScriptedModels } from '../support/scripted-models.ts';
import type { Rule } from '../support/script.ts';
import { unlimited } from '../support/unlimited.ts';

/** Whole attempts over real servers and endpoints on this machine, each with one fault, and the expected result. */

let models: ScriptedModels;
const running: { close(): Promise<unknown> }[] = [];
beforeAll(async () => {
  models = await startScriptedModels();
});
afterAll(() => models.close());
afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each.close();
});

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const outputSchema = { type: 'object', properties: { timeout: { type: 'number' } }, required: ['timeout'] };
const inputSchema = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };

const served: TestTool[] = [
  { name: 'echo', inputSchema, handle: async ({ word }) => text(`result-${String(word)}`) },
  { name: 'refuse', inputSchema, handle: async () => ({ ...text('Please log in first'), isError: true }) },
  { name: 'mumble', inputSchema, handle: async () => ({ ...text('Oops'), isError: true }) },
  {
    name: 'promise',
    inputSchema,
    outputSchema,
    handle: async () => ({ content: [], structuredContent: { timeout: 'soon' } }),
  },
  { name: 'flood', inputSchema, handle: async () => text('x'.repeat(200_000)) },
];
/** `vanish` is in the catalog, and gone from the server. */
const mounted: Tool[] = [...served, { name: 'vanish', inputSchema }].map(({ name, ...tool }) => ({
  name: `test/${name}`,
  server: 'test',
  domain: 'tests',
  category: 'testing',
  inputSchema,
  ...('outputSchema' in tool ? { outputSchema } : {}),
}));

interface Injected {
  /** Words of the request are the tools that the scripted agent calls. */
  readonly request?: string;
  readonly tricks?: Readonly<Record<string, Trick>>;
  readonly script?: readonly Rule[];
  readonly limits?: Partial<AgentLimits>;
}

async function attemptWith({ request = 'echo K7', tricks = {}, script = [], limits = {} }: Injected) {
  const server = await startTestMcpServer({ tools: served, tricks });
  running.push(server);
  const access = { name: 'test', url: server.url, headers: {}, ...unlimited };
  const bounds = { connectTimeoutMs: 1_000, closeTimeoutMs: 300, maxResultBytes: 100_000 };
  const connections = makeLazyConnections({
    admission: new Admission(),
    servers: [access],
    tools: mounted,
    allowLocal: true,
    ...bounds,
  });
  running.push(connections);
  const endpoint = await models.make(script);
  const waits: number[] = [];
  const config = { baseUrl: endpoint.url, apiKey: 'k', model: 'm', timeoutMs: 1_000, maxCompletionTokens: 100 };
  const model = makeOpenAiModels(
    { agent: config },
    {
      admission: new Admission(),
      fetch: makeGuardedFetch({ admission: new Admission(), allowLocal: true, maxBytes: 100_000 }),
      answerForm: prompts.answerForm,
      repair: prompts.repair,
      random: () => 0,
      // Waiting for an endpoint is what makes attempts long.
      sleep: async (ms) => void waits.push(ms),
    },
  );
  const { trace, fault, calls } = await runFunctionCallingAttempt({
    prompt: render(prompts.agent, { request, date: 'Monday, 2026-11-23', instructions: [] }),
    tools: mounted,
    model,
    connections,
    limits: { ...agentLimits.parse({}), callTimeoutMs: 1_000, ...limits },
    seed: 1,
    now: Date.now,
  });
  return {
    trace: traceWithCallsClassifiedByRules(trace, mounted),
    fault,
    calls,
    waits,
    asked: (await endpoint.asked()).length,
  };
}

/** Whether an evaluation makes the attempt once more, or takes it as the agent's own. */
function fateOf(trace: Trace, fault: InfrastructureFault | null): 'relaunched' | 'own' {
  const begun = newCase({ id: 'c', unit: 'u', agent: 'a', trial: 1, requests: ['source', 'followUp'] });
  const result = { kind: 'attempt', side: 'source', trace, fault, calls: [] } as const;
  const { stage } = caseAfterStageResult(begun, result, { chain: ['test/echo'], origins: [], judges: true });
  return stage.kind === 'attempt' && stage.side === 'source' ? 'relaunched' : 'own';
}

interface Expected {
  readonly end: Trace['end'];
  readonly fault: { readonly where: 'server' | 'model'; readonly code: FaultCode } | null;
  /** Verdict on the failed call; null if none failed. */
  readonly failure: FailureVerdict | null;
  readonly fate: 'relaunched' | 'own';
}

const broken = (where: 'server' | 'model', code: FaultCode): Expected => ({
  end: 'fault',
  fault: { where, code },
  failure: null,
  fate: 'relaunched',
});
const failed = (failure: FailureVerdict): Expected => ({ end: 'answered', fault: null, failure, fate: 'own' });
const own = (end: Trace['end']): Expected => ({ end, fault: null, failure: null, fate: 'own' });
const rule = (name: string, failure: Extract<FailureVerdict, { source: 'rule' }>['class']): FailureVerdict => ({
  source: 'rule',
  class: failure,
  rule: name,
});

async function comesTo(injected: Injected, expected: Expected) {
  const { trace, fault, ...rest } = await attemptWith(injected);
  expect(traceForm.safeParse(trace).error).toBeUndefined();
  const failures = trace.steps.flatMap(({ failure }) => failure ?? []);
  const { where, code } = fault ?? {};
  expect({
    end: trace.end,
    fault: fault === null ? null : { where, code },
    failure: failures[0] ?? null,
    fate: fateOf(trace, fault),
  }).toEqual(expected);
  expect(failures.length).toBe(expected.failure === null ? 0 : 1);
  expect(trace.fault).toEqual(fault);
  expect(JSON.stringify(trace)).not.toMatch(/secret|of the server/);
  return { trace, ...rest };
}

describe('a faulty server', () => {
  const ways: [what: string, trick: Trick, code: FaultCode][] = [
    ['500', { kind: 'status', status: 500 }, 'http-status'],
    ['401', { kind: 'status', status: 401 }, 'http-status'],
    ['404', { kind: 'status', status: 404 }, 'http-status'],
    ['429', { kind: 'status', status: 429 }, 'rate-limited'],
    ['nothing, for ever', { kind: 'hang' }, 'timeout'],
    ['a cut before the headers', { kind: 'cut', when: 'before-headers' }, 'unreachable'],
    ['a cut in the stream', { kind: 'cut', when: 'mid-stream' }, 'connection-lost'],
    ['a cut in the JSON', { kind: 'cut', when: 'mid-json' }, 'connection-lost'],
    ['a web page', { kind: 'html' }, 'malformed-protocol'],
    ['broken JSON', { kind: 'broken-json' }, 'malformed-protocol'],
    ['a broken event', { kind: 'broken-event' }, 'malformed-protocol'],
    ['JSON that is no JSON-RPC', { kind: 'no-rpc' }, 'malformed-protocol'],
    ['an answer to something else', { kind: 'wrong-id' }, 'malformed-protocol'],
    ['a receipt for an answer', { kind: 'accepted' }, 'malformed-protocol'],
    ['redirects for ever', { kind: 'redirect', to: '/mcp' }, 'http-status'],
    ['a redirect to nowhere good', { kind: 'redirect', to: 'http://169.254.169.254/' }, 'address-forbidden'],
  ];
  test.each(ways)('breaks the attempt at initialize: %s', async (_what, trick, code) => {
    await comesTo({ tricks: { initialize: trick } }, broken('server', code));
  });
  const callWays = ways.map(([what, trick, code]): (typeof ways)[number] =>
    what === '404' ? ['404: the session is over', trick, 'connection-lost'] : [what, trick, code],
  );
  test.each(callWays)('spoils a call, and the attempt continues: %s', async (_what, trick, code) => {
    const spoilt = failed(expect.objectContaining({ source: 'rule', rule: expect.stringMatching(/^fault-/) }));
    const { trace } = await comesTo({ tricks: { 'tools/call': trick } }, spoilt);
    expect(trace.steps).toMatchObject([{ outcome: 'failure', cause: 'environment', fault: { code } }]);
    expect(trace.finalText).toBe('It is done.');
  });

  test.each<[what: string, trick: Trick, code: FaultCode]>([
    ['500', { kind: 'status', status: 500 }, 'http-status'],
    ['nothing, for ever', { kind: 'hang' }, 'timeout'],
    ['a cut before the headers', { kind: 'cut', when: 'before-headers' }, 'unreachable'],
  ])('breaks the attempt after initialize: %s', async (_what, trick, code) => {
    await comesTo({ tricks: { 'notifications/initialized': trick } }, broken('server', code));
  });

  const refused: Trick = { kind: 'rpc-error', code: -32602, message: 'no' };
  test('breaks the attempt if it refuses to initialize', async () => {
    await comesTo({ tricks: { initialize: refused } }, broken('server', 'malformed-protocol'));
  });
  test('that outlasts the attempt makes the agent too slow', async () => {
    const { trace } = await comesTo(
      { tricks: { 'tools/call': { kind: 'hang' } }, limits: { timeMs: 250 } },
      { ...own('time-limit'), failure: rule('broken-off', 'asynchronous-indeterminacy') },
    );
    expect(trace.steps.map(({ outcome, cause }) => [outcome, cause])).toEqual([['failure', undefined]]);
  });
});

describe('an error of a tool', () => {
  const rpcError = (code: number, message: string): Injected => ({
    tricks: { 'tools/call': { kind: 'rpc-error', code, message } },
  });
  const calling = (name: string, args: string): Injected => ({
    script: [{ form: 'turn', times: 1, behaviour: { kind: 'call', name, arguments: args } }],
    request: 'nothing more',
  });
  const open: FailureVerdict = { source: 'undecided' };
  const errors: [what: string, injected: Injected, failure: FailureVerdict][] = [
    ['an error', { request: 'refuse K7' }, rule('authentication-text', 'authentication-deficit')],
    ['an error that says nothing', { request: 'mumble K7' }, open],
    ['-32602', rpcError(-32602, 'no'), rule('parameters-refused', 'implicit-business-constraint')],
    ['-32603', rpcError(-32603, 'no'), open],
    ['-32603 with a reason', rpcError(-32603, 'socket hang up'), rule('network-text', 'network-instability')],
    ['-32002', rpcError(-32002, 'no'), rule('resource-not-found-code', 'invalid-artifact-reference')],
    ['-32001 is not the timeout of the sdk', rpcError(-32001, 'no'), open],
    ['gone', { request: 'vanish K7' }, rule('unknown-thing-text', 'invalid-artifact-reference')],
    ['another form than promised', { request: 'promise K7' }, rule('result-schema-text', 'service-scope-limitation')],
    ['too large', { request: 'flood K7' }, rule('result-size-text', 'service-scope-limitation')],
    ['made up', calling('no_such', '{}'), rule('unknown-tool', 'invalid-artifact-reference')],
    ['under its own name', calling('test/echo', '{}'), rule('unknown-tool', 'invalid-artifact-reference')],
    ['no JSON', calling('test__echo', '{"word":'), rule('malformed-arguments', 'syntactic-malformation')],
    [
      'arguments without end',
      calling('test__echo', JSON.stringify({ word: 'x'.repeat(40_000) })),
      rule('malformed-arguments', 'syntactic-malformation'),
    ],
    [
      'a key of its own',
      calling('test__refuse', '{"wrod":"a"}'),
      rule('authentication-text', 'authentication-deficit'),
    ],
    [
      'a key of its own, and no reason',
      calling('test__mumble', '{"wrod":"a"}'),
      rule('unknown-key', 'undefined-parameter-key'),
    ],
    [
      'a wrong type, and no reason',
      calling('test__mumble', '{"word":7}'),
      rule('schema-violation', 'syntactic-malformation'),
    ],
  ];
  test.each(errors)("is the agent's: %s", async (_what, injected, failure) => {
    const { trace } = await comesTo(injected, failed(failure));
    expect(trace.finalText).toBe('It is done.');
  });
});

describe('a faulty model endpoint', () => {
  const status = (code: number, more: Partial<Extract<Rule['behaviour'], { kind: 'status' }>> = {}) =>
    ({ kind: 'status', status: code, ...more }) as const;
  const after = (seconds: string) => ({ headers: { 'retry-after': seconds } });
  /** Asked with all its repeats. */
  const all = 5;
  const rest = [500, 1_000, 2_000, 4_000];

  const faults: [what: string, behaviour: Rule['behaviour'], code: FaultCode, asked: number, waits: number[]][] = [
    ['500 for ever', status(500), 'http-status', all, rest],
    ['503 for ever', status(503), 'http-status', all, rest],
    ['429 for ever', status(429), 'rate-limited', all, rest],
    ['429 for ever, with a time', status(429, after('2')), 'rate-limited', all, [2_000, 2_000, 2_000, 2_000]],
    ['429 until tomorrow', status(429, after('86400')), 'rate-limited', 1, []],
    ['no credit', status(429, { code: 'insufficient_quota' }), 'out-of-credit', 1, []],
    ['401', status(401), 'http-status', 1, []],
    ['404: no such model', status(404, { code: 'model_not_found' }), 'http-status', 1, []],
    ['400', status(400), 'http-status', 1, []],
    ['nothing, for ever', { kind: 'hang' }, 'timeout', 2, [500]],
    ['a cut before the headers', { kind: 'cut', when: 'before-headers' }, 'unreachable', all, rest],
    ['a cut in the JSON', { kind: 'cut', when: 'mid-json' }, 'connection-lost', all, rest],
    ['a web page', { kind: 'html' }, 'malformed-protocol', 1, []],
    ['broken JSON', { kind: 'broken-json' }, 'malformed-protocol', 1, []],
    ['no choices', { kind: 'no-choices' }, 'malformed-protocol', 1, []],
  ];
  test.each(faults)('breaks the attempt at once: %s', async (_what, behaviour, code, asked, waits) => {
    const result = await comesTo({ script: [{ behaviour }] }, broken('model', code));
    expect([result.asked, result.waits, result.calls]).toEqual([asked, waits, []]);
  });
  test.each(faults)('breaks the attempt after a call: %s', async (_what, behaviour, code, asked, waits) => {
    // Only the second turn sees the tool's result.
    const result = await comesTo({ script: [{ contains: 'result-K7', behaviour }] }, broken('model', code));
    expect([result.asked, result.waits]).toEqual([asked + 1, waits]);
    expect(result.trace.steps.map(({ outcome }) => outcome)).toEqual(['success']);
    expect(result.calls).toHaveLength(1);
  });

  const passing: [what: string, behaviour: Rule['behaviour'], times: number, waits: number[]][] = [
    ['500 once', status(500), 1, [500]],
    ['500 four times', status(500), 4, rest],
    ['429 with a time', status(429, after('1')), 1, [1_000]],
    ['429 with a time in milliseconds', status(429, { headers: { 'retry-after-ms': '70' } }), 1, [70]],
    ['a cut before the headers', { kind: 'cut', when: 'before-headers' }, 1, [500]],
    ['a cut in the JSON', { kind: 'cut', when: 'mid-json' }, 2, [500, 1_000]],
  ];
  test.each(passing)('does no harm if it recovers: %s', async (_what, behaviour, times, waits) => {
    const result = await comesTo({ script: [{ times, behaviour }] }, own('answered'));
    expect(result.waits).toEqual(waits);
    expect(result.calls.map(({ retries }) => retries)).toEqual([times, 0]);
  });

  const ends: [what: string, injected: Injected, end: Trace['end']][] = [
    ['a refusal', { script: [{ behaviour: { kind: 'refusal' } }] }, 'refused'],
    ['the length of an answer', { script: [{ behaviour: { kind: 'truncated' } }] }, 'token-limit'],
    ['an answer without end', { script: [{ behaviour: { kind: 'huge', bytes: 200_000 } }] }, 'token-limit'],
    [
      'a conversation longer than the model can read',
      { script: [{ behaviour: status(400, { code: 'context_length_exceeded' }) }] },
      'token-limit',
    ],
    [
      'a conversation that the endpoint filters',
      { script: [{ behaviour: status(400, { code: 'content_filter' }) }] },
      'refused',
    ],
    [
      'a model slower than the attempt',
      { script: [{ behaviour: { kind: 'hang' } }], limits: { timeMs: 200 } },
      'time-limit',
    ],
    ['an answer of nothing', { script: [{ behaviour: { kind: 'content', content: '' } }] }, 'answered'],
  ];
  test.each(ends)("gives the agent's own result: %s", async (_what, injected, end) => {
    await comesTo(injected, own(end));
  });

  test('is not asked again by an attempt that has no time left', async () => {
    const { asked } = await attemptWith({ script: [{ behaviour: { kind: 'hang' } }], limits: { timeMs: 200 } });
    expect(asked).toBe(1);
  });
});
