import { expect, test } from 'vitest';
import type { EvaluationAgreement } from '#core/evaluation/evaluation-agreement.ts';
import { createClient } from '../../client/client.ts';
import { Output } from '../../client/command-line/output.ts';
import { showAttemptsAndStoreLabels } from '../../client/commands/labels.ts';
import { finished, traceWith } from '../unit/evaluation/cases.ts';
import { fakeApi, json, type FakeApi } from './fake-api.ts';
import { runVerb } from './run-verb.ts';

const place = (unit: string) => ({ unit, agent: 'steady', trial: 1, request: 'request' });
const detail = {
  case: finished({ unit: 'u_1', agent: 'steady' }, { tools: ['fruit/apple'] }),
  traces: { request: { ...traceWith(['fruit/apple']), finalText: 'It weighs\u001B[2J 120 g.' } },
  chain: [],
  asked: { request: 'Weigh an apple.' },
  plan: { ok: true, value: ['Find an apple'] },
};

async function* keysOf(text: string): AsyncGenerator<string, void, undefined> {
  yield* text;
}

/** Labels attempts with these keys; returns what was written, and what was noted. */
async function label(api: FakeApi, keys: string) {
  const [written, noted]: [string[], string[]] = [[], []];
  const output = new Output(true, { write: (text) => written.push(text) }, { write: (text) => noted.push(text) });
  const client = createClient({ url: api.url, key: 'key', retries: 0 });
  await showAttemptsAndStoreLabels('evl_1', 'ana', keysOf(keys), { client, output });
  return { written: written.join(''), noted: noted.join('') };
}

test('a key labels an attempt, other keys do nothing, and q ends', async () => {
  await using api = await fakeApi(
    json({ items: [place('u_1'), place('u_2')], nextCursor: null }),
    json(detail),
    json({ stored: 1, unchanged: 0 }),
    json(detail),
  );
  const { written, noted } = await label(api, 'x fq');
  expect(JSON.parse(written)).toEqual({ evaluation: 'evl_1', labelled: 1 });
  expect(noted).toContain('asked: Weigh an apple.');
  expect(noted).toContain('1. Find an apple');
  expect(noted).toContain('answer: It weighs[2J 120 g.');
  expect(noted).not.toContain('\u001B');
  expect(api.requests.map(({ line }) => line)).toEqual([
    'GET /v1/evaluations/evl_1/labels/open?labeller=ana',
    'GET /v1/evaluations/evl_1/cases/u_1.steady.01',
    'POST /v1/evaluations/evl_1/labels',
    'GET /v1/evaluations/evl_1/cases/u_2.steady.01',
  ]);
  expect(JSON.parse(api.requests[2]?.body ?? '')).toEqual({
    labeller: 'ana',
    labels: [{ ...place('u_1'), verdict: 'failure' }],
  });
});

test('labelling ends where the keys end', async () => {
  await using api = await fakeApi(json({ items: [place('u_1')], nextCursor: null }), json(detail));
  expect(JSON.parse((await label(api, '')).written)).toEqual({ evaluation: 'evl_1', labelled: 0 });
});

const figures = {
  n: 4,
  unparsed: 1,
  accuracy: { value: 0.75, interval: { low: 0.3, high: 0.954 } },
  kappa: { value: null, interval: null },
  successRate: 0.5,
  counts: { bothSuccess: 2, missed: 1, falseSuccess: 0, bothFailure: 1 },
  f1: 0.8,
};
const agreement: EvaluationAgreement = {
  verdict: 'success',
  labels: {
    attempts: 5,
    decided: 5,
    cannotTell: 0,
    labellers: [{ labeller: 'ana', labels: 5 }],
    errors: { completeness: 0, 'hallucinated-completion': 0, granularity: 0, other: 0 },
  },
  withLabels: { judges: [{ judge: 'gpt', ...figures }], majority: figures, anyJudge: { n: 4, share: 1 } },
  before: figures,
  ranking: {
    evaluation: 'evl_0',
    scorer: 'success',
    agents: [
      { agent: 'b', here: 0.9, there: 0.3 },
      { agent: 'a', here: 0.5, there: 0.5 },
    ],
    tauB: -1,
    p: 1,
    swapped: [{ aheadHere: 'b', aheadThere: 'a' }],
  },
  panel: { attempts: 5, undecided: 0.2, judges: [{ judge: 'gpt', ...figures }] },
};

test('agreement is shown with n, what cannot be read, accuracy and kappa', async () => {
  await using api = await fakeApi(json(agreement), json(agreement));
  const { lines } = await runVerb(api, 'agreement', 'evl_1');
  expect(lines[0]).toBe('5 attempts labelled (ana 5), 5 of them decided');
  expect(lines.join('\n')).toMatch(/gpt +4 +1 +0\.750 \[0\.300, 0\.954\] +none +50\.0% +0\.800/);
  expect(lines).toContain('at least one judge says what the label says on 100.0% of 4 attempts');
  expect(lines.join('\n')).toContain('20.0% of them undecided');
  expect(lines).toContain('ranking of 2 agents against evl_0: tau-b -1.000, p 1.000');
  expect(lines.at(-1)).toBe('  b is ahead of a; it was behind');
  expect(JSON.parse((await runVerb(api, 'agreement', 'evl_1', '--json')).lines[0] ?? '')).toEqual(agreement);
});
