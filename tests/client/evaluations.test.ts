import { scorersOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { buildRecordByScorer } from '#core/evaluation/scorers.ts';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { breakdowns } from '#core/evaluation/breakdown-record.ts';
import { summaryText } from '#core/evaluation/figure-texts.ts';
import type { EventBody } from '#core/reports/events.ts';
import { createClient } from '../../client/client.ts';
import { Output, type Sink } from '../../client/command-line/output.ts';
import { parseLineToVerbOrHelp } from '../../client/command-line/parse-line.ts';
import { widthOf } from '../../client/command-line/text.ts';
import { makeProgressDisplay } from '../../client/progress/display.ts';
import {
  advanceEvaluationView,
  makeEvaluationDrawing,
  initialEvaluationView,
} from '../../client/progress/evaluation.ts';
import { program } from '../../client/program.ts';
import { agentComparisonLines, resultTableLines } from '../../client/display/results-table.ts';
import { fakeApi, json, type FakeApi, type Handler } from './fake-api.ts';
import type { Decision } from '#core/evaluation/decision.ts';
import { oracleMounting, standardMounting } from '#core/units/mounting/mounting.ts';
import { oracleCaveat } from '#core/units/mounting/mounting-texts.ts';
import { agentResult, evaluation, event, exploration, summary } from './records.ts';

const usage = { calls: 4, promptTokens: 1000, completionTokens: 234, costUsd: 0.5 };
const ended = (evaluated = true): EventBody => ({
  type: 'attempt.ended',
  case: 'u.steady.01',
  agent: 'steady',
  unit: 'u',
  side: 'source',
  evaluated,
  calls: 2,
  end: 'answered',
});
const relaunched: EventBody = {
  type: 'attempt.relaunched',
  case: 'u.steady.01',
  side: 'source',
  code: 'timeout',
  detail: '',
};
const judged: EventBody = {
  type: 'attempt.judged',
  case: 'u.steady.01',
  side: 'source',
  scores: { ar: 0.5, uic: null },
};
const evaluated = (unitsDone: number): EventBody => ({
  type: 'unit.evaluated',
  unit: 'u',
  progress: { attempts: 40, made: 4 * unitsDone, notEvaluated: 1, relaunched: 2, units: 10, unitsDone },
  usage,
  judgeUsage: usage,
});
const completed: EventBody = { type: 'run.ended', status: 'completed', reason: 'all units are done' };

const after = (...bodies: readonly EventBody[]) =>
  bodies
    .map((body, index) => event(index + 1, body))
    .reduce(advanceEvaluationView, initialEvaluationView(evaluation()));

test('attempts are counted as they end, regardless of the record', () => {
  const late = initialEvaluationView(evaluation({ progress: { ...evaluation().progress, made: 12, unitsDone: 3 } }));
  expect(late.progress).toMatchObject({ attempts: 40, made: 0, unitsDone: 0 });
  expect(after(relaunched, ended(), judged, ended(false))).toMatchObject({
    progress: { made: 2, notEvaluated: 1, relaunched: 1, unitsDone: 0 },
    judged: 1,
  });
});

test('what drawn units told so far is a line of its own, and of the block of a terminal', () => {
  const pair = { a: 'steady', b: 'hasty', difference: -0.2, low: -0.5, high: 0.04, units: 8, unscored: 0 };
  const decision: Decision = {
    difference: 0.1,
    error: 0.05,
    units: 8,
    of: 10,
    isDecided: false,
    best: null,
    pairs: [{ ...pair, verdict: 'undecided', decidedAfter: null }],
    means: [],
  };
  const drawn: EventBody = { type: 'units.drawn', batch: 3, units: 2, decision };
  const [before, view] = [after(), after(drawn)];
  const drawing = makeEvaluationDrawing(evaluation());
  expect(drawing.lineText(view, event(1, drawn), before)).toBe(
    'steady and hasty are not told apart, after 8 of 10 units',
  );
  expect(drawing.blockLines(view, 0)).toContain(
    '  decided         steady and hasty are not told apart, after 8 of 10 units (-0.50 to 0.04)',
  );
  expect(drawing.blockLines(before, 0).join('\n')).not.toContain('decided');
});

test('a finished unit updates the counts and the cost of agents and judges', () => {
  const view = after(ended(), evaluated(1));
  expect(view.progress).toMatchObject({ made: 4, unitsDone: 1, relaunched: 2 });
  expect(view.usage).toEqual({ calls: 8, promptTokens: 2000, completionTokens: 468, costUsd: 1 });
});

test('pausing, resuming and ending are shown, and events of explorations are ignored', () => {
  expect(after({ type: 'run.paused' }).status).toBe('paused');
  expect(after({ type: 'run.paused' }, { type: 'run.resumed' }).status).toBe('running');
  expect(after(completed)).toMatchObject({ status: 'completed', endedAt: Date.parse('2026-01-01T00:01:05Z') });
  expect(after({ type: 'round.opened', round: 1, units: 4 }, { type: 'server.retried', server: 'calc' })).toEqual(
    after(),
  );
});

test('the progress block of an evaluation has its lines', () => {
  expect(
    makeEvaluationDrawing(evaluation()).blockLines(after(evaluated(5), judged), Date.parse('2026-01-01T00:00:42Z')),
  ).toEqual([
    'evaluation evl_1: running',
    '  attempts        ███████████████░░░░░░░░░░░░░░░ 20 of 40 attempts, 2 relaunched, 1 not evaluated',
    '  units           5 of 10 units',
    '  judged          1 attempt',
    '  spent           2,468 tokens, $1.00, 42 s, about 42 s left',
    '  agents          steady, hasty',
    '  models          offline: rules, no evidence about models',
  ]);
});

test('without a terminal there is a line for each tenth of the units and for each change of the run', () => {
  const written: string[] = [];
  const run = evaluation({ progress: { ...evaluation().progress, units: 20 } });
  const display = makeProgressDisplay(makeEvaluationDrawing(run), { write: (text) => written.push(text) });
  const done = [1, 2, 3].map((unitsDone): EventBody => {
    const body = evaluated(unitsDone);
    return body.type === 'unit.evaluated' ? { ...body, progress: { ...body.progress, units: 20 } } : body;
  });
  for (const [index, body] of [ended(), judged, ...done, completed].entries())
    display.showEvent(event(index + 1, body));
  display.end();
  expect(written).toEqual([
    '2 of 20 units | 8 of 40 attempts, 2 relaunched, 1 not evaluated | 2,468 tokens, $1.00, 1 min 05 s, about 4 min 20 s left\n',
    'evaluation evl_1: completed (all units are done)\n',
  ]);
});

test.each([
  [summary(0.834), '0.83 [0.78, 0.88]'],
  [summary(0.834, { unscored: 3 }), '0.83 [0.78, 0.88] (3 unscored)'],
  [summary(1, { low: null, high: null, n: 1 }), '1.00'],
  [summary(0, { mean: null, low: null, high: null, n: 0, unscored: 10 }), 'none (10 unscored)'],
  [summary(-0.001, { low: -0.0049, high: 0.001 }), '0.00 [0.00, 0.00]'],
])('a score is printed in words', (score, text) => {
  expect(summaryText(score)).toBe(text);
});

/** The scores of tables where no unit is negative. */
const titles = scorersOfProtocol('sgvef').flatMap(({ key, title }) => (key === 'refusal' ? [] : [title]));
const unscoredSummary = summary(0, { mean: null, low: null, high: null, n: 0, unscored: 10 });
const results = {
  protocol: 'sgvef' as const,
  agents: [
    agentResult('silent', 0, { scores: { ...agentResult('', 0).scores, success: unscoredSummary } }),
    agentResult('hasty', 0.6, { notEvaluated: 2, costUsd: 1.239 }),
    agentResult('steady', 0.9),
  ],
  mounted: ['silent', 'hasty', 'steady'].map((agent) => ({
    agent,
    mounting: agent === 'hasty' ? oracleMounting : standardMounting,
    tools: { mean: 120.4, least: 117, most: 128 },
    schemaTokens: { mean: 30_000, least: 30_000, most: 30_000 },
    cutUnits: 0,
  })),
  isolation: [{ server: 'notes', isolation: 'none' as const, shared: true }],
  user: 'decline' as const,
  floor: {
    state: 'measured' as const,
    evaluation: 'evl_f',
    units: 40,
    scores: { mtc: { value: 1, agent: 'call-nothing' }, tcs: { value: 0.1, agent: 'call-chain' } },
  },
  adaptations: [],
};

test('the table has the refusal where an agent was at a unit that no tool fits', () => {
  const unscoredReasons = { tcs: { 'no-tool-fits': 2 } };
  const [head] = resultTableLines({ ...results, agents: [agentResult('steady', 0.9, { unscoredReasons })] }, 300);
  expect(head).toMatch(new RegExp(`^agent {3}${[...titles, 'refusal'].join(' +')} +units `));
});

test('the table lists the best success first and agents without one last', () => {
  const lines = resultTableLines(results, 300);
  expect(lines[0]).toMatch(
    new RegExp(`^agent {3}${titles.join(' +')} +units +proven +cost +tokens {2}spoilt calls {2}not evaluated$`),
  );
  expect(lines[1]).toMatch(
    /^steady {2}0\.80 \[0\.75, 0\.85\] .* -0\.13 \[-0\.17, -0\.07\] .* ?10 +10 +\$0\.00 +12,345 +(?:no calls|\d\.\d%) +0$/,
  );
  expect(lines.slice(1, 4).map((line) => line.split(' ')[0])).toEqual(['steady', 'hasty', 'silent']);
  expect(lines.slice(4)).toEqual([
    '',
    'agent   trials  pass@k             pass^k',
    'steady       1  0.40 [0.35, 0.45]  0.40 [0.35, 0.45]',
    'hasty        1  0.40 [0.35, 0.45]  0.40 [0.35, 0.45]',
    'silent       1  0.40 [0.35, 0.45]  0.40 [0.35, 0.45]',
    '',
    'agent   turns per attempt  different tools  calls',
    'steady  3.50               2.00             2.25',
    'hasty   3.50               2.00             2.25',
    'silent  3.50               2.00             2.25',
    '',
    'agent   mounting  mounted tools     schema tokens',
    'steady  standard  120 (117 to 128)  30000',
    'hasty   oracle    120 (117 to 128)  30000',
    'silent  standard  120 (117 to 128)  30000',
    '',
    'Means over units with 95% intervals. Higher is better, but for TFD (less is better) and ECG (best near 0).',
    'success is the share of trials in which all attempts pass; pass@k that at least one of k trials does, pass^k that all k do.',
    'Floor, the best that an agent that knows nothing scores on 40 units: MTC 1.00 (call-nothing), TCS 0.10 (call-chain).',
    'A floor above 0.2 means that a good figure need not be earned here: MTC.',
    'Cost and tokens are those of the agents; what the judges took comes on top.',
    oracleCaveat,
    'Attempts could see what earlier ones had changed on notes: nothing resets it.',
    'Unscored units are left out of a mean; they do not count as zero.',
    'Not evaluated, since the way to a server or model broke twice: 2 attempts.',
  ]);
});

test('a table that is too wide is split into parts, each with the agents', () => {
  const lines = resultTableLines(
    {
      protocol: 'sgvef',
      agents: results.agents.slice(1),
      mounted: results.mounted.slice(2),
      isolation: [],
      user: 'decline' as const,
      floor: null,
      adaptations: [],
    },
    80,
  );
  const table = lines.slice(
    0,
    lines.findIndex((line) => line.startsWith('Means')),
  );
  expect(table.every((line) => widthOf(line) <= 80)).toBe(true);
  // Three scorers side by side, then cost and tokens, then passes, effort, and the mounted tools.
  const parts = Math.ceil(titles.length / 3) + 4;
  expect(table.filter((line) => line.startsWith('agent'))).toHaveLength(parts);
  expect(table.filter((line) => line.startsWith('steady'))).toHaveLength(parts);
});

const pair = { difference: 0.25, low: 0.1, high: 0.4, n: 8, leftOut: 2, detectable: 0.213, verdict: 'better' } as const;
const comparison = {
  a: 'steady',
  b: 'hasty',
  scores: {
    tcs: pair,
    mtc: { ...pair, difference: -0.0001, low: -0.1, high: 0.1, verdict: 'no-difference' },
    tfd: { ...pair, verdict: 'worse' },
    ar: {
      ...pair,
      difference: null,
      low: null,
      high: null,
      n: 0,
      leftOut: 10,
      detectable: null,
      verdict: 'insufficient-data',
    },
    uic: pair,
    ecg: { ...pair, verdict: 'worse' },
  },
  passes: { scorer: 'success', both: 9, neither: 2, onlyA: 8, onlyB: 1, p: 0.0390625, leftOut: 0, verdict: 'better' },
} as const;

test('a comparison states its verdicts in words', () => {
  expect(agentComparisonLines(comparison, 160)).toEqual([
    'steady less hasty, on the units that both have a score for:',
    'scorer  difference  95% interval      tells  units  left out  verdict',
    'MTC     0.000       [-0.100, +0.100]  0.22       8         2  no difference shown',
    'TCS     +0.250      [+0.100, +0.400]  0.22       8         2  steady is better than hasty',
    'AR      none        none                         0        10  insufficient data',
    'UIC     +0.250      [+0.100, +0.400]  0.22       8         2  steady is better than hasty',
    'TFD     +0.250      [+0.100, +0.400]  0.22       8         2  steady is worse than hasty',
    '|ECG|   +0.250      [+0.100, +0.400]  0.22       8         2  steady is worse than hasty',
    '',
    'Attempts that pass by success: both 9, only steady 8, only hasty 1, neither 2, left out 0; McNemar p = 0.039: steady is better than hasty',
    '',
    'Tells: the smallest true difference that so many units show in four comparisons of five, by how much the units differ.',
    'Less is better for TFD and |ECG|. 7 verdicts at 95% each: one of them may well be chance.',
  ]);
});

/** The lines that a verb writes where these handlers answer. */
async function outputOf(api: FakeApi, line: string): Promise<string[]> {
  const request = parseLineToVerbOrHelp(line.split(' '), program);
  if (request.kind === 'help') throw new Error('no verb');
  const written: string[] = [];
  const sink: Sink = { columns: 250, write: (text) => written.push(text) };
  const output = new Output(line.includes('--json'), sink, { write: () => {} });
  await request.command.run(request.given, {
    isServiceNamed: true,
    client: createClient({ url: api.url, key: 'key', retries: 0 }),
    output,
    signal: new AbortController().signal,
  });
  return written.join('').trimEnd().split('\n');
}

const stream =
  (...bodies: readonly EventBody[]): Handler =>
  (_, response) => {
    const frames = bodies.map((body, index) => `data: ${JSON.stringify(event(index + 1, body))}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${frames.join('')}event: end\ndata: {}\n\n`);
  };

const over = evaluation({ status: 'completed', reason: 'all units are done' });

test('"evaluate" starts a run, follows it, and ends with the table', async () => {
  await using api = await fakeApi(json(evaluation(), 202), stream(evaluated(10), completed), json(over), json(results));
  const lines = await outputOf(api, 'evaluate --benchmark bm_1 --agent a=m --sample 60 --seed 7 --no-judges');
  expect(api.requests.map(({ line }) => line)).toEqual([
    'POST /v1/evaluations',
    'GET /v1/evaluations/evl_1/events',
    'GET /v1/evaluations/evl_1',
    'GET /v1/evaluations/evl_1/results',
  ]);
  expect(JSON.parse(api.requests[0]?.body ?? '')).toEqual({
    benchmark: 'bm_1',
    agents: [{ name: 'a', model: 'm' }],
    sample: { units: 60, seed: 7 },
    budget: {},
    judges: false,
    seed: 7,
  });
  expect(api.requests[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  expect(lines[0]).toBe('evl_1');
  expect(lines).toContain('evaluation evl_1: completed (all units are done)');
  expect(lines.findIndex((line) => line.startsWith('steady'))).toBeGreaterThan(2);
});

test('"evaluate --json" prints one value per line, and "--detach" only the first of them', async () => {
  await using api = await fakeApi(json(evaluation(), 202), stream(completed), json(over), json(results));
  const lines = await outputOf(api, 'evaluate --benchmark bm_1 --agent a=m --json');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([evaluation(), event(1, completed), over, results]);
  await using other = await fakeApi(json(evaluation(), 202));
  expect(await outputOf(other, 'evaluate --benchmark bm_1 --agent a=m --detach')).toEqual(['evl_1']);
  expect(other.requests).toHaveLength(1);
});

test('an evaluation that did not complete is a failure', async () => {
  const failed = evaluation({ status: 'cancelled', reason: 'cancelled by its owner' });
  await using api = await fakeApi(json(evaluation()), stream(completed), json(failed));
  await expect(outputOf(api, 'watch evl_1')).rejects.toThrow('evaluation evl_1 is cancelled: cancelled by its owner');
});

test('"results" and "compare" print for people, or as the API returned it with the status of the run', async () => {
  const { status, progress } = over;
  await using api = await fakeApi(
    ...[results, results, comparison, comparison].flatMap((each) => [json(over), json(each)]),
  );
  expect(await outputOf(api, 'results evl_1')).toEqual(resultTableLines(results, 250));
  expect(await outputOf(api, 'results evl_1 --json')).toEqual([JSON.stringify({ status, progress, ...results })]);
  expect(await outputOf(api, 'compare evl_1 steady hasty')).toEqual(agentComparisonLines(comparison, 250));
  expect(await outputOf(api, 'compare evl_1 steady hasty --json')).toEqual([
    JSON.stringify({ status, progress, ...comparison }),
  ]);
  expect(api.requests[5]?.line).toBe('GET /v1/evaluations/evl_1/compare?a=steady&b=hasty');
});

test('the figures of a run that is not done begin with how far it is', async () => {
  const progress = { ...over.progress, units: 30, unitsDone: 2 };
  const first = async (line: string, changes: Parameters<typeof evaluation>[0]): Promise<string | undefined> => {
    await using api = await fakeApi(
      json(evaluation({ progress, ...changes })),
      json(line.startsWith('compare') ? comparison : results),
    );
    return (await outputOf(api, line))[0];
  };
  const running = 'running: 2 of 30 units done; what follows is not final';
  expect(await first('results evl_1', {})).toBe(running);
  expect(await first('compare evl_1 steady hasty', {})).toBe(running);
  expect(await first('results evl_1', { status: 'failed', reason: 'all servers are down' })).toBe(
    'failed (all servers are down): 2 of 30 units done; the others are missing',
  );
});

test('"compare --wait" waits until the run is over', async () => {
  await using api = await fakeApi(stream(evaluated(10), completed), json(over), json(comparison));
  expect(await outputOf(api, 'compare evl_1 steady hasty --wait')).toEqual(agentComparisonLines(comparison, 250));
  expect(api.requests[0]?.line).toBe('GET /v1/evaluations/evl_1/events');
});

const unitResult = {
  unit: 'u_1',
  agent: 'steady',
  trials: 3,
  scores: {
    ...buildRecordByScorer(() => null),
    execution: 0.75,
    mtc: 1,
    tcs: 0.5,
    success: 0.5,
    ar: 0.25,
    uic: 0.75,
    ecg: 0.25,
  },
  passes: { scored: 2, passed: 1 },
  patterns: ['incomplete-planning'],
};
const { scores, parts, perAttempt } = agentResult('steady', 0.9);
const group = {
  name: 'food',
  units: 4,
  marksErrors: 'always',
  agents: [
    {
      agent: 'steady',
      scores,
      parts,
      perAttempt,
      units: 4,
      calls: 12,
      failedCalls: 3,
      spoiltCalls: 1,
      reportedErrors: 0,
    },
  ],
};

test('the table names what endpoints did not take, such as tools that were left out', () => {
  const lines = resultTableLines({ ...results, adaptations: ['seed: none', 'without files__read'] }, 250);
  expect(lines).toContain('Endpoints did not take all that was to be sent: seed: none, without files__read.');
});

test('the table has a second one for the proven units alone, where agents had others', () => {
  const text = (proven: number): string =>
    resultTableLines(
      {
        protocol: 'sgvef',
        agents: [agentResult('steady', 0.9, { proven: { units: proven, scores: agentResult('', 0.4).scores } })],
        mounted: [],
        isolation: [],
        user: 'decline' as const,
        floor: null,
        adaptations: [],
      },
      200,
    ).join('\n');
  expect(text(10)).not.toContain('on proven units alone');
  expect(text(6)).toMatch(/on proven units alone +units +success .*\nsteady +6 +0\.55 \[/);
});

test('"results" shows units page by page, and each breakdown', async () => {
  await using api = await fakeApi(
    json(over),
    json(results),
    json({ items: [unitResult], nextCursor: 'u_1\nsteady' }),
    json({ items: [{ ...unitResult, agent: 'z' }], nextCursor: null }),
    ...breakdowns.flatMap(() => [json(over), json(results), json({ items: [group] })]),
    json(over),
    json({ items: [group] }),
  );
  expect(await outputOf(api, 'results evl_1 --units')).toEqual([
    expect.stringMatching(new RegExp(`^unit +agent +${titles.join(' +')} +trials passed +patterns$`)),
    expect.stringMatching(/^u_1 +steady +0\.50 +none +0\.75 +1\.00 +0\.50 .* none .* 1 of 2\/3 +incomplete-planning$/),
    expect.stringMatching(/^u_1 +z +0\.50 +none +0\.75 +1\.00 +0\.50 .* none .* 1 of 2\/3 +incomplete-planning$/),
  ]);
  for (const { by, title } of breakdowns) {
    const [head, row] = await outputOf(api, `results evl_1 --${by}s`);
    expect(head).toMatch(new RegExp(`^${title} +agent +units +success`));
    expect(row).toMatch(/^food +steady +4 +0\.80 \[0\.75, 0\.85\].* 3\.50 +12 +3 +1$/);
  }
  expect(await outputOf(api, 'results evl_1 --domains --json')).toEqual([JSON.stringify(group)]);
  expect(api.requests.map(({ line }) => line)).toEqual([
    'GET /v1/evaluations/evl_1',
    'GET /v1/evaluations/evl_1/results',
    'GET /v1/evaluations/evl_1/results/units',
    'GET /v1/evaluations/evl_1/results/units?cursor=u_1%0Asteady',
    ...breakdowns.flatMap(({ by }) => [
      'GET /v1/evaluations/evl_1',
      'GET /v1/evaluations/evl_1/results',
      `GET /v1/evaluations/evl_1/results/${by}s`,
    ]),
    'GET /v1/evaluations/evl_1',
    'GET /v1/evaluations/evl_1/results/domains',
  ]);
  await expect(outputOf(api, 'results evl_1 --units --servers')).rejects.toThrow('give one of');
});

test('"results --parts" shows what the scores are made of', async () => {
  const found = {
    protocol: 'sgvef',
    agents: [agentResult('steady', 0.9)],
    mounted: [],
    isolation: [],
    user: 'decline' as const,
    floor: null,
    adaptations: [],
  };
  await using api = await fakeApi(json(over), json(found), json(over), json(found));
  const lines = await outputOf(api, 'results evl_1 --parts');
  expect(lines.find((line) => line.startsWith('MTC'))).toMatch(/^MTC +SA +SO +PA +FA$/);
  expect(lines.filter((line) => line.startsWith('steady'))).toHaveLength(titles.length);
  expect(lines).toContainEqual(expect.stringMatching(/^steady( +0\.250, n = 10){4}$/));
  expect(lines).toContain('  FA: function agreement');
  const [line = ''] = await outputOf(api, 'results evl_1 --parts --json');
  expect(JSON.parse(line)).toEqual({ agent: 'steady', parts: agentResult('steady', 0.9).parts });
});

test('the transitions of agents are read page by page', async () => {
  const cell = { agent: 'a', from: 'x/y', to: 'x/z', fromDomain: 'x', toDomain: null, executedIn: 0, expectedIn: 1 };
  await using api = await fakeApi(json({ items: [cell], nextCursor: null }));
  const { evaluations } = createClient({ url: api.url, key: 'key', retries: 0 });
  expect(await Array.fromAsync(evaluations.transitions('evl_1'))).toEqual([cell]);
  expect(api.requests[0]?.line).toBe('GET /v1/evaluations/evl_1/results/transitions');
});

const answering =
  (type: string, body: string): Handler =>
  (_, response) => {
    response.writeHead(200, { 'content-type': type }).end(body);
  };

test(`"report" and "export-results" write the API's answer unchanged`, async () => {
  const document = '# Evaluation report\n\n| a | b |\n';
  const rows = 'case,response\r\nc,"ü ""数""\r\n"\r\n';
  await using api = await fakeApi(
    answering('text/markdown', document),
    answering('text/markdown', document),
    answering('text/csv', rows),
    answering('text/csv', rows),
  );
  const folder = await mkdtemp(join(tmpdir(), 'sextant-report-'));
  const [to, table] = [join(folder, 'report.md'), join(folder, 'attempts.csv')];
  expect(await outputOf(api, 'report evl_1')).toEqual(document.trimEnd().split('\n'));
  expect(await outputOf(api, `report evl_1 --out ${to}`)).toEqual([to]);
  expect(await outputOf(api, 'export-results evl_1 --format csv')).toEqual(rows.trimEnd().split('\n'));
  expect(await outputOf(api, `export-results evl_1 --format csv --out ${table} --json`)).toEqual([
    JSON.stringify({ evaluation: 'evl_1', file: table }),
  ]);
  expect([await readFile(to, 'utf8'), await readFile(table, 'utf8')]).toEqual([document, rows]);
  expect(api.requests.map(({ line }) => line)).toEqual([
    'GET /v1/evaluations/evl_1/report',
    'GET /v1/evaluations/evl_1/report',
    'GET /v1/evaluations/evl_1/export?format=csv',
    'GET /v1/evaluations/evl_1/export?format=csv',
  ]);
  await expect(outputOf(api, 'export-results evl_1 --format xml')).rejects.toThrow('give one of jsonl, csv');
});

test('a truncated export leaves the existing file', async () => {
  await using api = await fakeApi(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/jsonl' }).write('{"a":1}\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    response.destroy();
  });
  const folder = await mkdtemp(join(tmpdir(), 'sextant-report-'));
  const file = join(folder, 'attempts.jsonl');
  await writeFile(file, 'old');
  await expect(outputOf(api, `export-results evl_1 --format jsonl --out ${file}`)).rejects.toThrow('was cut');
  expect(await readFile(file, 'utf8')).toBe('old');
  expect(await readdir(folder)).toEqual(['attempts.jsonl']);
});

test('verbs that control a run distinguish evaluations and explorations', async () => {
  const paused = { status: 'paused' } as const;
  await using api = await fakeApi(json(evaluation(paused)), json(exploration(paused)));
  expect(await outputOf(api, 'pause evl_1')).toEqual(['evl_1 is paused']);
  expect(await outputOf(api, 'pause exp_1')).toEqual(['exp_1 is paused']);
  expect(api.requests.map(({ line }) => line)).toEqual([
    'POST /v1/evaluations/evl_1/pause',
    'POST /v1/explorations/exp_1/pause',
  ]);
});

test('cases are read page by page', async () => {
  const one = {
    id: 'u.steady.01',
    unit: 'u',
    agent: 'steady',
    trial: 1,
    revision: 0,
    stage: { kind: 'attempt', side: 'source' },
    faults: 0,
    wasted: usage,
    requests: ['source', 'followUp'],
    attempts: {},
    scores: {},
    judgeUsage: usage,
  };
  await using api = await fakeApi(
    json({ items: [one], nextCursor: 'x' }),
    json({ items: [{ ...one, trial: 2 }], nextCursor: null }),
    json({ case: one, plan: null, asked: {}, chain: [], traces: {} }),
  );
  const { evaluations } = createClient({ url: api.url, key: 'key', retries: 0 });
  expect((await Array.fromAsync(evaluations.cases('evl_1'))).map(({ trial }) => trial)).toEqual([1, 2]);
  expect((await evaluations.case('evl_1', 'u.steady.01')).case.agent).toBe('steady');
  expect(api.requests.map(({ line }) => line)).toEqual([
    'GET /v1/evaluations/evl_1/cases',
    'GET /v1/evaluations/evl_1/cases?cursor=x',
    'GET /v1/evaluations/evl_1/cases/u.steady.01',
  ]);
});

test('"evaluate" takes the endpoint, its prices, and the limits of all agents or of one', async () => {
  await using api = await fakeApi(json(evaluation(), 202));
  const words =
    'evaluate --benchmark bm_1 --agent a=m --agent b=m --external-agent mine --detach --base-url https://models.example/v1 --prompt-price 2 --completion-price 8 ' +
    '--turns 9 --attempt-seconds 90 --agent-limits b=turns:5,calls:1,temperature:0 --sample 6 --seed 3 --sample-seed 4';
  await outputOf(api, words);
  const endpoint = { baseUrl: 'https://models.example/v1', promptPricePerMTok: 2, completionPricePerMTok: 8 };
  expect(JSON.parse(api.requests[0]?.body ?? '')).toMatchObject({
    agents: [
      { name: 'a', model: 'm', endpoint, limits: { turns: 9, timeMs: 90_000 } },
      { name: 'b', model: 'm', endpoint, limits: { turns: 5, callsPerTurn: 1, temperature: 0, timeMs: 90_000 } },
      { name: 'mine', loop: 'external', limits: { timeMs: 90_000 } },
    ],
    sample: { units: 6, seed: 4 },
    seed: 3,
  });
});

test.each([
  ['--agent a=m --prompt-price 2', 'give --base-url too'],
  ['--external-agent mine --base-url https://models.example', 'no agent has a model'],
  ['--agent a=m --agent-limits b=turns:1', '--agent-limits: no agent is called b'],
  ['--agent a=m --agent-limits a=tokens:1', 'limits among turns, calls, seconds, temperature'],
  ['--agent a=m --agent-limits a=turns:0', '--agent-limits "a=turns:0"'],
  ['--agent a=m --agent-limits a=temperature:3', '--agent-limits "a=temperature:3"'],
  ['--external-agent mine --agent-limits mine=turns:2', 'mine is an agent of your own, which has no limit but seconds'],
  ['--agent a=m --sample-seed 2', 'give --sample too'],
])('"evaluate %s" is refused: %s', async (line, message) => {
  await using api = await fakeApi(json(evaluation(), 202));
  await expect(outputOf(api, `evaluate --benchmark bm_1 --detach ${line}`)).rejects.toThrow(message);
  expect(api.requests).toEqual([]);
});

test('"evaluate --dry-run" says what differences its units would tell', async () => {
  const tells = { units: 30, difference: 0.2561, differing: 0.3, powerAtTenth: 0.16 };
  const estimate = { tokens: 1_200, costUsd: 0.5, basis: '60 attempts. A budget may end it earlier', tells };
  await using api = await fakeApi(json({ estimate }));
  expect(await outputOf(api, 'evaluate --benchmark bm_1 --agent steady=offline-steady --dry-run')).toEqual([
    'about 1,200 tokens, $0.50',
    '60 attempts',
    'A budget may end it earlier',
    '30 units tell differences of 0.26 or more between two agents (power 80%, error 5%, if 30% of the units come out differently); one of 0.10 in 16% of runs',
  ]);
});
