import { beforeAll, expect, test } from 'vitest';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import type { Trace } from '#core/traces/trace.ts';
import {
  caseOf,
  casesOf,
  evaluate,
  evaluateToEnd,
  evaluationOf,
  followEvaluation,
  frozen,
  withRules,
  type TestBed,
} from '../support/evaluation.ts';
import { modelKey } from '../support/exploration.ts';
import type { Rule } from '../support/script.ts';
import { expectStatus } from '../support/workspace.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await frozen(1, {
    servers: {
      fruit: {
        tools: [
          ...['apple', 'plum'].map((name) => ({ name, inputSchema: { type: 'object' } })),
          // Agents read this as text, with the keys in this order.
          { name: 'pear', inputSchema: { type: 'object' }, does: 'structured', structured: { skin: 'green', core: 1 } },
        ],
      },
      long: { tools: [{ name: 'list', inputSchema: { type: 'object' }, does: 'flood', bytes: 20_000 }] },
    },
  });
});

const plan = (...calls: readonly { readonly tool: string; readonly arguments: unknown }[]): string =>
  JSON.stringify({ reasoning: 'they are independent', continue: true, calls });
const stop = '{"reasoning":"that is all","continue":false,"calls":[]}';
const said = (contains: string, content: string): Rule => ({
  form: 'turn',
  contains,
  behaviour: { kind: 'content', content },
});
const apple = { tool: 'fruit/apple', arguments: { n: 1 } };

/** In the first round two equal calls, a third, one without a tool; in the second a long result; then the end. */
const rules: readonly Rule[] = [
  said('The calls and their results:', 'Two apples and a list.'),
  said('You shorten what a tool returned', 'A list of x.'),
  said('The results of round 2', stop),
  said('The results of round 1', plan({ tool: 'long/list', arguments: {} })),
  said('in rounds', plan(apple, { tool: 'fruit/pear', arguments: {} }, apple, { tool: 'fruit/none', arguments: {} })),
];

const planner = ({ model }: TestBed, limits: Readonly<Record<string, number>> = {}) => ({
  name: 'planner',
  loop: 'planning',
  model: 'planner',
  endpoint: { baseUrl: model.baseUrl, apiKey: modelKey, promptPricePerMTok: 1, completionPricePerMTok: 2 },
  limits: { timeMs: 20_000, ...limits },
});

async function traceOf(ground: TestBed, run: string, request: RequestName = 'source'): Promise<Trace> {
  const [{ id } = { id: '' }] = await casesOf(ground, run);
  const trace = (await caseOf(ground, run, id)).traces[request];
  if (trace === undefined) throw new Error(`the case has no trace of ${request}`);
  return trace;
}

/** A trace without its times. */
const lasting = (trace: Trace): Trace => ({
  ...trace,
  durationMs: 0,
  startedAt: '',
  steps: trace.steps.map((step) => ({ ...step, latencyMs: 0 })),
});

test('a cancelled evaluation keeps nothing of a round that was under way', async () => {
  const ground = await withRules(bed, ...rules);
  const server = bed.servers['fruit'];
  await server?.trick('tools/call', { kind: 'hang' });
  const run = await evaluate(ground, [], { agents: [planner(ground, { callTimeoutMs: 1_500 })], judges: false });
  while (((await server?.log())?.requests ?? []).filter(({ rpc }) => rpc === 'tools/call').length < 2)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expectStatus(await ground.workspace.post(`/v1/evaluations/${run}/cancel`), 200);
  await followEvaluation(ground, run);
  const stored = async () => [
    (await evaluationOf(ground, run)).status,
    (await casesOf(ground, run)).map((each) => each.attempts),
  ];
  const before = await stored();
  expect(before).toEqual(['cancelled', [{}]]);
  // Long enough for the calls to time out and the attempt to continue.
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  expect(await stored()).toEqual(before);
  await server?.trick('tools/call', null);
});

test('an agent that plans is evaluated end to end, and its recording replays the calls of a round', async () => {
  const ground = await withRules(bed, ...rules);
  const agents = [planner(ground)];
  const options = { agents, judges: false, mounting: { kind: 'distractors', servers: 10 } };
  const first = await evaluateToEnd(ground, [], { ...options, recording: 'record' });
  expect(first.record).toMatchObject({
    status: 'completed',
    agents: [{ name: 'planner', loop: 'planning', mounting: { kind: 'distractors', servers: 10 } }],
    progress: { notEvaluated: 0, relaunched: 0 },
  });
  expect(first.record.provenance.prompts).toEqual(['agent-final@v1', 'agent-planning@v2', 'agent-summary@v1']);

  const trace = await traceOf(ground, first.run);
  expect(trace).toMatchObject({ end: 'answered', finalText: 'Two apples and a list.', turns: 3 });
  expect(trace.steps.map(({ turn, tool, outcome }) => [turn, tool, outcome])).toEqual([
    [1, 'fruit/apple', 'success'],
    [1, 'fruit/pear', 'success'],
    [1, 'fruit/apple', 'success'],
    [1, 'fruit/none', 'failure'],
    [2, 'long/list', 'success'],
  ]);
  expect(trace.steps[4]).toMatchObject({ summary: 'A list of x.', truncated: true });
  // Three plans, a summary and an answer for each request.
  expect((await ground.model.asked()).filter(({ model }) => model === 'planner')).toHaveLength(10);
  expect(first.record.usage.calls).toBe(10);

  for (const server of Object.values(bed.servers)) await server.close();
  const again = await withRules(bed, ...rules);
  const replayed = await evaluateToEnd(again, [], {
    ...options,
    agents: [planner(again)],
    recording: 'replay',
    recordingId: first.record.config.recordingId,
  });
  expect(replayed.record).toMatchObject({ status: 'completed', progress: { notEvaluated: 0 } });
  for (const request of ['source', 'followUp'] as const)
    expect(lasting(await traceOf(again, replayed.run, request))).toEqual(
      lasting(await traceOf(ground, first.run, request)),
    );

  // A call that nobody recorded ends the attempt; what came back with it is kept, and nothing is made twice.
  const other = await withRules(bed, said('in rounds', plan(apple, { tool: 'fruit/plum', arguments: {} }, apple)));
  const missed = await evaluateToEnd(other, [], {
    ...options,
    agents: [planner(other)],
    recording: 'replay',
    recordingId: first.record.config.recordingId,
  });
  expect(missed.record.progress).toMatchObject({ notEvaluated: 2, relaunched: 0 });
  expect(await traceOf(other, missed.run)).toMatchObject({
    end: 'fault',
    turns: 1,
    steps: [{ outcome: 'success' }, { outcome: 'fault', fault: { code: 'replay-miss' } }, { outcome: 'success' }],
  });
});
