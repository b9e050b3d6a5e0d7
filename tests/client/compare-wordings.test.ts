import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AnytimeComparison } from '#core/evaluation/compare-anytime.ts';
import type { RunStatus } from '#core/exploration/runs.ts';
import { noUsage } from '#core/models/usage.ts';
import { exitCodeFor } from '../../client/command-line/error-output.ts';
import { fakeApi, json, type FakeApi, type Handler } from './fake-api.ts';
import { agentResult, evaluation } from './records.ts';
import { framesOf, runVerb } from './run-verb.ts';

let folder: string;
let overlayFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
  overlayFile = join(folder, 'b.json');
  writeFileSync(overlayFile, JSON.stringify({ name: 'v2', tools: { 'notes/add': { description: 'Creates a note' } } }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const comparison = (verdict: AnytimeComparison['verdict'], units: number): AnytimeComparison => ({
  a: 'a',
  b: 'b',
  scorer: 'success',
  d: 0.05,
  units,
  leftOut: 0,
  of: 50,
  meanA: 0.5,
  meanB: 0.75,
  difference: 0.25,
  low: verdict === 'improved' ? 0.012 : -0.1,
  high: 0.4,
  verdict,
  decidedAfter: verdict === 'undecided' ? null : units,
});

const sha256 = 'ab'.repeat(32);
const run = (status: RunStatus) => {
  const [agent] = evaluation().agents;
  if (agent === undefined || !('model' in agent)) throw new Error('the record has a model agent');
  return evaluation({
    id: 'evl_1',
    status,
    agents: [
      { ...agent, name: 'a' },
      { ...agent, name: 'b', overlay: { name: 'v2', sha256 } },
    ],
  });
};
const progress = { attempts: 200, made: 4, notEvaluated: 0, relaunched: 0, units: 50 };
const evaluated = (id: number) => ({
  id,
  at: '2026-11-25T00:00:00.000Z',
  event: {
    type: 'unit.evaluated',
    unit: `u_${id}`,
    progress: { ...progress, unitsDone: id },
    usage: noUsage,
    judgeUsage: noUsage,
  },
});

const results = {
  protocol: 'sgvef',
  agents: [agentResult('a', 1), agentResult('b', 1)],
  mounted: [],
  isolation: [],
  user: 'decline',
  floor: null,
  adaptations: [],
};

/** An API whose evaluation finishes units until it is cancelled, or has no more; each look gets the next comparison. */
async function apiOf(looks: readonly AnytimeComparison[], units: number, end: RunStatus): Promise<FakeApi> {
  let looked = 0;
  let ended = false;
  const answer: Handler = (request, response, body) => {
    const line = `${request.method} ${request.url}`;
    const send = (value: unknown, status = 200): void => void json(value, status)(request, response, body);
    if (line.startsWith('POST /v1/evaluations/evl_1/cancel')) {
      ended = true;
      return send(run('cancelled'));
    }
    if (line.startsWith('POST /v1/evaluations')) return send(run('running'), 202);
    if (line.includes('/compare-anytime')) return send(looks[Math.min(looked++, looks.length - 1)]);
    if (line.includes('/results')) return send(results);
    if (line.includes('/events')) {
      ended ||= end === 'completed';
      const events = Array.from({ length: units }, (_, n) => evaluated(n + 1));
      const over = {
        id: units + 1,
        at: '2026-11-25T00:00:00.000Z',
        event: { type: 'run.ended', status: end, reason: '' },
      };
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framesOf([...events, over]));
    }
    return send(run(ended && looked >= units ? end : 'running'));
  };
  return fakeApi(answer);
}

const line = (...more: readonly string[]) =>
  ['compare-wordings', '--benchmark', 'bm_1', '--model', 'm', '--a', 'original', '--b', overlayFile, ...more] as const;

async function failureOf(attempt: Promise<unknown>): Promise<readonly [message: string, exitCode: number]> {
  const error: unknown = await attempt.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (error === null) throw new Error('it did not fail');
  return [error instanceof Error ? error.message : '', exitCodeFor(error)];
}

test('"compare-wordings" gives two agents the same units, cancels once it is decided, and shows what it took', async () => {
  await using api = await apiOf([comparison('undecided', 1), comparison('improved', 2)], 2, 'cancelled');
  const { lines } = await runVerb(api, ...line('--d', '0.1', '--max-units', '40', '--seed', '3'));
  expect(lines).toContain(`Improved: success is higher with v2 (${sha256.slice(0, 12)}) than with the servers' own.`);
  expect(lines.join('\n')).toContain('+0.250 [+0.012, +0.400]');
  expect(lines.join('\n')).toContain('2 of 50; decided after 2 units');
  expect(lines.join('\n')).toContain('tokens an attempt');
  const [created] = api.requests;
  expect(JSON.parse(created?.body ?? '')).toMatchObject({
    benchmark: 'bm_1',
    agents: [
      { name: 'a', model: 'm' },
      { name: 'b', model: 'm', overlay: { name: 'v2', tools: { 'notes/add': { description: 'Creates a note' } } } },
    ],
    sample: { units: 40, seed: 3 },
    seed: 3,
  });
  const lineOf = (part: string) => api.requests.filter((each) => each.line.includes(part)).map((each) => each.line);
  expect(lineOf('/cancel')).toHaveLength(1);
  expect(lineOf('/compare-anytime')[0]).toBe('GET /v1/evaluations/evl_1/compare-anytime?a=a&b=b&d=0.1');
});

test.each([
  ['worse', 4, 'Worse: success is lower'],
  ['undecided', 5, 'Undecided: the units are too few'],
] as const)('"compare-wordings" exits with a code of its own where the verdict is %s', async (verdict, code, text) => {
  await using api = await apiOf([comparison(verdict, 1)], 1, verdict === 'worse' ? 'cancelled' : 'completed');
  const [message, exitCode] = await failureOf(runVerb(api, ...line()));
  expect([message.slice(0, text.length), exitCode]).toEqual([text, code]);
});

test('"compare-wordings" exits with 0 where there is no difference larger than d, and prints JSON', async () => {
  await using api = await apiOf([comparison('no-difference', 1)], 1, 'cancelled');
  const { lines } = await runVerb(api, ...line('--json'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    evaluation: 'evl_1',
    comparison: { verdict: 'no-difference', units: 1 },
    agents: [
      { name: 'a', overlay: null },
      { name: 'b', overlay: { name: 'v2', sha256 } },
    ],
  });
});

test.each([
  ['no JSON', '{', /no JSON/],
  ['no overlay', '{"name":"x","tools":{"notes/add":{"effect":"reads"}}}', /tools\.notes\/add: .*effect/],
])('"compare-wordings" refuses a file that is %s, and starts nothing', async (_what, text, problem) => {
  writeFileSync(overlayFile, text);
  await using api = await apiOf([comparison('undecided', 1)], 1, 'completed');
  const [message, exitCode] = await failureOf(runVerb(api, ...line()));
  expect(message).toMatch(problem);
  expect(exitCode).toBe(2);
  expect(api.requests).toEqual([]);
});
