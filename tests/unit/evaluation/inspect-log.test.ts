import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { agentLimits } from '#core/models/limits.ts';
import type { AttemptRecord, EvaluationCase } from '#core/evaluation/case.ts';
import { traceWithoutTexts } from '#core/evaluation/delete-texts.ts';
import {
  addCaseToInspectTotals,
  generateInspectLogText,
  inspectLogFileName,
  noInspectTotals,
  type InspectLogBasis,
} from '#core/evaluation/inspect-log/log.ts';
import { makeInspectSamples } from '#core/evaluation/inspect-log/sample.ts';
import type { CaseDetail } from '#core/evaluation/record.ts';
import { standardMounting } from '#core/units/mounting/mounting.ts';
import { makeScore, makeUnscored } from '#core/scoring/score.ts';
import type { Step, Trace } from '#core/traces/trace.ts';
import { agentResult, evaluation } from '../../client/records.ts';
import { complaintsOfInspectSchema as complaintsOf } from '../../support/inspect-schema.ts';
import { makeStep, makeTrace } from '../../support/traces.ts';
import { attemptOf, chain, fault, finished } from './cases.ts';

const jsonObject = z.record(z.string(), z.unknown());

const run = evaluation({ status: 'completed', endedAt: '2026-01-01T01:00:00.000Z' });
const [agent] = run.agents;
if (agent === undefined) throw new Error('the evaluation has no agent');

const grades = {
  ar: makeUnscored('judge-unparsed', { judge: null, cosines: [] }),
  success: makeScore(0, {}, 'It guessed.'),
};
const done = finished({ unit: 'u_1', agent: 'steady' }, { tools: chain, grades });

const detailOf = (traces: Readonly<Record<string, Trace>>, more: Partial<CaseDetail> = {}): CaseDetail => ({
  case: done,
  traces: { ...traces },
  asked: { source: 'Find an apple.', followUp: 'An apple, please.' },
  chain,
  plan: { ok: true, value: ['Find an apple'] },
  ...more,
});

const sum = (cases: readonly EvaluationCase[]) => cases.reduce(addCaseToInspectTotals, noInspectTotals);

const basisOf = (details: readonly CaseDetail[], more: Partial<InspectLogBasis> = {}): InspectLogBasis => ({
  run,
  agent,
  result: agentResult('steady', 0.75),
  totals: sum(details.map((each) => each.case)),
  ...more,
});

/** Writes a log, and reads it as JSON. */
function logOf(details: readonly CaseDetail[], more: Partial<InspectLogBasis> = {}) {
  const basis = basisOf(details, more);
  const samples = details.flatMap((each) => makeInspectSamples(each, basis));
  return jsonObject.parse(JSON.parse([...generateInspectLogText(basis, samples)].join('')));
}

const called = z.array(
  z.object({ tool_calls: z.array(z.object({ function: z.string(), parse_error: z.string().optional() })).optional() }),
);

/** The calls of each turn. */
const callsOf = (trace: Trace) =>
  called.parse(messagesOf(trace.steps, trace)).flatMap(({ tool_calls: calls }) => (calls === undefined ? [] : [calls]));

const messagesOf = (steps: readonly Step[], more: Partial<Trace> = {}) => {
  const [sample] = makeInspectSamples(detailOf({ source: makeTrace(steps, more) }), { run, agent });
  return sample?.messages ?? [];
};

const failed = makeStep('fruit/pear', {
  outcome: 'failure',
  text: 'no pear is left',
  failure: { source: 'rule', class: 'resource-contention', rule: 'text' },
  turn: 2,
});

const rich = makeTrace(
  [
    makeStep('fruit/apple', { arguments: { colour: 'red', 葡萄: ['\u{1f347}', null, { deep: true }] } }),
    failed,
    makeStep('fruit/plum', {
      arguments: null,
      outcome: 'failure',
      failure: { source: 'undecided' },
      form: 'violates',
      code: -32602,
      turn: 2,
    }),
    makeStep('fruit/kiwi', {
      outcome: 'failure',
      text: '',
      fault: { ...fault, code: 'timeout' },
      cause: 'environment',
      failure: { source: 'rule', class: 'asynchronous-indeterminacy', rule: 'fault' },
      turn: 3,
    }),
    makeStep('fruit/fig', { text: 'a long result', summary: 'a fig', truncated: true, turn: 4 }),
  ],
  {
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 2_500,
    turns: 5,
    routes: [
      {
        query: 'find fruit',
        server: 'shops',
        tools: [{ name: 'fruit/apple', fit: 0.9 }],
        after: 0,
        turn: 1,
        latencyMs: 3,
      },
      { query: '', tools: [], problem: 'Nothing was searched for.', after: 5, turn: 5, latencyMs: 0 },
    ],
  },
);

describe('a log for Inspect AI', () => {
  it('is valid by the published schema, also with failures, faults, searches and limits', () => {
    const broken = finished({ unit: 'u_2', agent: 'steady' }, { tools: null });
    const details = [
      detailOf({ source: rich, followUp: makeTrace([], { finalText: '', end: 'turn-limit' }) }),
      detailOf(
        { source: makeTrace([], { end: 'fault', fault, finalText: '' }) },
        { case: broken, plan: null, chain: [] },
      ),
    ];
    expect(complaintsOf(logOf(details))).toEqual([]);
    expect(complaintsOf(logOf([]))).toEqual([]);
    for (const status of ['running', 'paused', 'cancelled', 'failed'] as const)
      expect(complaintsOf(logOf(details, { run: { ...run, status, endedAt: null } }))).toEqual([]);
  });

  it('is refused by the schema when a field is missing, misspelt or of another type', () => {
    const log = logOf([detailOf({ source: rich })]);
    expect(complaintsOf({ ...log, version: '2' })).not.toEqual([]);
    expect(complaintsOf({ ...log, sampels: [] })).not.toEqual([]);
    const { stats: _stats, ...rest } = log;
    expect(complaintsOf(rest)).not.toEqual([]);
    expect(complaintsOf({ ...log, samples: [{ id: 1 }] })).not.toEqual([]);
  });

  it('is valid for each kind of agent, and names a model that nobody knows by the loop', () => {
    const limits = agentLimits.parse({ temperature: 0.5 });
    const common = { name: 'steady', mounting: standardMounting };
    const agents: readonly [InspectLogBasis['agent'], string][] = [
      [{ ...common, loop: 'planning', model: 'm-1', baseUrl: 'https://models.test/v1', limits }, 'm-1'],
      [{ ...common, loop: 'external', limits: { timeMs: 1_500, callTimeoutMs: 100 } }, 'external'],
      [{ ...common, loop: 'null', policy: 'call-chain', limits }, 'null:call-chain'],
      [
        {
          ...common,
          loop: 'uploaded',
          configuration: { loop: 'theirs', model: null, limits: { turns: 4, fast: true } },
        },
        'theirs',
      ],
    ];
    for (const [each, model] of agents) {
      const log = logOf([detailOf({ source: makeTrace([], { end: 'turn-limit' }) })], { agent: each });
      expect(complaintsOf(log)).toEqual([]);
      expect(log).toMatchObject({ eval: { model }, samples: [{ output: { model } }] });
    }
  });

  it('ends with its samples, because readers of headers stop there', () => {
    const keys = Object.keys(logOf([detailOf({ source: rich })]));
    expect(keys.slice(0, 6)).toEqual(['version', 'status', 'eval', 'plan', 'results', 'stats']);
    expect(keys.at(-1)).toBe('samples');
  });

  it('has the means over units with their intervals, and what the cases add up to', () => {
    const log = logOf([detailOf({ source: rich, followUp: makeTrace([]) })]);
    const { promptTokens, completionTokens } = attemptOf(done, 'source').usage;
    expect(log).toMatchObject({
      status: 'success',
      results: { total_samples: 2, completed_samples: 2 },
      stats: {
        model_usage: { 'offline-steady': { input_tokens: 2 * promptTokens, output_tokens: 2 * completionTokens } },
        role_usage: { judge: { input_tokens: done.judgeUsage.promptTokens } },
      },
    });
    const { scores } = z.object({ scores: z.array(jsonObject) }).parse(log['results']);
    expect(scores).toContainEqual(
      expect.objectContaining({
        name: 'tcs',
        metrics: {
          mean: { name: 'mean', value: 0.75, params: {} },
          low: expect.objectContaining({ value: 0.7 }),
          high: expect.objectContaining({ value: 0.8 }),
        },
      }),
    );
  });
});

describe('a sample', () => {
  it('is an attempt: its id names unit and request, its epoch the trial', () => {
    const samples = makeInspectSamples(detailOf({ source: rich, followUp: makeTrace([]) }), { run, agent });
    expect(samples.map(({ id, epoch, uuid, input, target }) => ({ id, epoch, uuid, input, target }))).toEqual([
      { id: 'u_1/source', epoch: 1, uuid: 'evl_1/u_1/steady.01.source', input: 'Find an apple.', target: chain },
      { id: 'u_1/followUp', epoch: 1, uuid: 'evl_1/u_1/steady.01.followUp', input: 'An apple, please.', target: chain },
    ]);
  });

  it('is missing for an attempt that was not made', () => {
    expect(makeInspectSamples(detailOf({ followUp: makeTrace([]) }), { run, agent }).map(({ id }) => id)).toEqual([
      'u_1/followUp',
    ]);
  });

  it('has the scores with a value; the reasons of the others, and the scores of the case, are in its metadata', () => {
    const scored = { ...done, scores: { mtc: makeScore(0.5, {}) } };
    const [sample] = makeInspectSamples(detailOf({ source: rich }, { case: scored }), { run, agent });
    expect(sample?.scores).toMatchObject({
      success: { value: 0, answer: 'It is done.', explanation: 'It guessed.', history: [] },
      tcs: { value: 1, answer: undefined, metadata: { parts: { recall: 1 } } },
    });
    expect(sample?.scores).not.toHaveProperty('ar');
    expect(sample?.metadata.unscored).toMatchObject({ ar: 'judge-unparsed' });
    expect(sample?.metadata.caseScores).toHaveProperty('mtc');
    expect(sample?.scores).not.toHaveProperty('mtc');
  });

  it('has its times and the limit that ended it', () => {
    const trace = makeTrace([], { startedAt: '2026-01-01T00:00:00.000Z', durationMs: 180_000, end: 'time-limit' });
    const [sample] = makeInspectSamples(detailOf({ source: trace }), { run, agent });
    expect(sample).toMatchObject({
      started_at: '2026-01-01T00:00:00.000Z',
      completed_at: '2026-01-01T00:03:00.000Z',
      total_time: 180,
      limit: { type: 'time', limit: 180 },
    });
  });

  it('has no times where the trace says none that can be read', () => {
    const [sample] = makeInspectSamples(detailOf({ source: makeTrace([], { startedAt: 'yesterday' }) }), {
      run,
      agent,
    });
    expect(sample).not.toHaveProperty('started_at');
  });

  it('has the error of an attempt that a fault broke', () => {
    const attempt: AttemptRecord = { ...attemptOf(done, 'source'), evaluated: false, fault };
    const [sample] = makeInspectSamples(
      detailOf(
        { source: makeTrace([], { end: 'fault', fault, finalText: '' }) },
        { case: { ...done, attempts: { source: attempt } } },
      ),
      { run, agent },
    );
    expect(sample?.error?.message).toBe('server fruit: unreachable: nothing listens there');
    expect(sample?.output.choices).toEqual([]);
  });
});

describe('the messages of a sample', () => {
  it('are the request, the calls of each turn with their results, and the answer', () => {
    const messages = messagesOf([makeStep('a/b'), makeStep('a/c'), failed], { finalText: 'done' });
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(messages[1]).toMatchObject({
      tool_calls: [
        { id: 'call-1', function: 'a/b' },
        { id: 'call-2', function: 'a/c' },
      ],
    });
    expect(messages[3]).toMatchObject({ tool_call_id: 'call-2', function: 'a/c', content: 'found' });
    expect(messages[5]).toMatchObject({
      content: 'no pear is left',
      error: { type: 'unknown', message: 'no pear is left' },
      metadata: { failure: { class: 'resource-contention' } },
    });
  });

  it('have searches in their place among the calls', () => {
    expect(callsOf(rich).map((calls) => calls.map((call) => call.function))).toEqual([
      ['route', 'fruit/apple'],
      ['fruit/pear', 'fruit/plum'],
      ['fruit/kiwi'],
      ['fruit/fig'],
      ['route'],
    ]);
  });

  it('show what the agent saw of a long result, and keep the result', () => {
    const shown = messagesOf(rich.steps, rich).find((each) => 'function' in each && each.function === 'fruit/fig');
    expect(shown).toMatchObject({ content: 'a fig', metadata: { result: 'a long result', truncated: true } });
  });

  it('say what was wrong with a call that was no JSON object, but not where texts were deleted', () => {
    const unreadable = makeStep('a/b', { arguments: null, outcome: 'failure', failure: { source: 'undecided' } });
    const problemOf = (trace: Trace) => callsOf(trace).flatMap((calls) => calls.map((call) => call.parse_error));
    expect(problemOf(makeTrace([unreadable]))).toEqual([expect.stringContaining('not a JSON object')]);
    expect(problemOf(traceWithoutTexts(makeTrace([unreadable]), '2026-02-01T00:00:00.000Z'))).toEqual([undefined]);
  });
});

describe('the totals of an agent', () => {
  it('count attempts that are still to come, units once, and what was spent', () => {
    const second = finished({ unit: 'u_1', agent: 'steady', trial: 2 }, { tools: null }, { tools: chain });
    const totals = sum([done, second, { ...done, unit: 'u_2', attempts: {} }]);
    expect(totals).toMatchObject({ attempts: 6, evaluated: 3, units: 2 });
    expect(totals.agent.calls).toBe(5);
  });
});

it('the name of a file begins with the time, by which the viewer knows a log', () => {
  const name = inspectLogFileName(run, 'steady');
  expect(name).toBe('2026-01-01T00-00-00-000Z_evl-1_steady.json');
  expect(name).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}[:-]\d{2}[:-]\d{2}.*$/);
});
