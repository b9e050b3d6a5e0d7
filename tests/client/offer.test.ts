import { expect, test } from 'vitest';
import type { Offering } from '#core/evaluation/offering.ts';
import type { RunStatus } from '#core/exploration/runs.ts';
import { noUsage } from '#core/models/usage.ts';
import { exitCodeFor } from '../../client/command-line/error-output.ts';
import { fakeApi, json, type FakeApi, type Handler } from './fake-api.ts';
import { evaluation } from './records.ts';
import { framesOf, runVerb } from './run-verb.ts';

const some = { mean: -0.5, low: -0.8, high: -0.1 };
const offeringOf = (suits: string | null): Offering => ({
  scorer: 'success',
  d: 0.05,
  units: 2,
  leftOut: 0,
  of: 50,
  cheaperBy: 'tokens',
  agents: ['function-calling', 'code'].map((agent) => ({
    agent,
    success: 0.75,
    tokens: 1_000,
    cachedTokens: 600,
    costUsd: null,
    durationMs: 2_500,
    calls: 3,
    ruledOutBy: suits === null || agent === suits ? null : suits,
  })),
  pairs: [
    {
      a: 'function-calling',
      b: 'code',
      success: { mean: 0, low: -0.04, high: 0.04 },
      efforts: { tokens: some, costUsd: { mean: 0, low: -1, high: 1 }, durationMs: some, calls: some },
    },
  ],
  suits,
});

/** An API whose evaluation finishes two units, and is cancelled or completed. */
async function apiOf(looks: readonly Offering[], end: RunStatus): Promise<FakeApi> {
  let looked = 0;
  let status: RunStatus = 'running';
  const at = '2026-11-25T00:00:00.000Z';
  const progress = { attempts: 200, made: 4, notEvaluated: 0, relaunched: 0, units: 50 };
  const answer: Handler = (request, response, body) => {
    const line = `${request.method} ${request.url}`;
    const send = (value: unknown, code = 200): void => void json(value, code)(request, response, body);
    const run = () => evaluation({ id: 'evl_1', status });
    if (line.startsWith('POST /v1/evaluations/evl_1/cancel')) {
      status = 'cancelled';
      return send(run());
    }
    if (line.startsWith('POST /v1/evaluations')) return send(run(), 202);
    if (line.includes('/offering')) return send(looks[Math.min(looked++, looks.length - 1)]);
    if (line.includes('/events')) {
      const done = [1, 2].map((unitsDone) => ({
        id: unitsDone,
        at,
        event: {
          type: 'unit.evaluated',
          unit: `u_${unitsDone}`,
          progress: { ...progress, unitsDone },
          usage: noUsage,
          judgeUsage: noUsage,
        },
      }));
      const over = { id: 3, at, event: { type: 'run.ended', status: 'completed', reason: '' } };
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framesOf([...done, over]));
    }
    return send(end === 'completed' && looked >= 2 ? evaluation({ id: 'evl_1', status: end }) : run());
  };
  return fakeApi(answer);
}

const line = ['offer', '--benchmark', 'bm_1', '--model', 'm'] as const;

test('"offer" gives agents of one model the same units, cancels once a way suits, and shows what each takes', async () => {
  await using api = await apiOf([offeringOf(null), offeringOf('code')], 'cancelled');
  const { lines } = await runVerb(api, ...line, '--d', '0.1', '--max-units', '40', '--seed', '3');
  const text = lines.join('\n');
  expect(lines).toContain(
    'code suits these tools: each other way is lower in success, or takes more and is not higher by more than 0.05.',
  );
  expect(text).toContain('of them cached');
  expect(text).toContain('-50% [-80%, -10%]');
  expect(text).toContain('unknown');
  const [created] = api.requests;
  expect(JSON.parse(created?.body ?? '')).toMatchObject({
    benchmark: 'bm_1',
    agents: [
      { name: 'function-calling', model: 'm', loop: 'function-calling' },
      { name: 'tool-search', model: 'm', loop: 'tool-search' },
      { name: 'code', model: 'm', loop: 'code' },
    ],
    sample: { units: 40, seed: 3 },
    seed: 3,
  });
  const looked = api.requests.map((each) => each.line).filter((each) => each.includes('/offering'));
  expect(looked[0]).toBe('GET /v1/evaluations/evl_1/offering?d=0.1');
  expect(api.requests.filter((each) => each.line.includes('/cancel'))).toHaveLength(1);
});

test('"offer" that decides nothing says so, and ends with another exit code', async () => {
  await using api = await apiOf([offeringOf(null)], 'completed');
  const error: unknown = await runVerb(api, ...line, '--way', 'function-calling', '--way', 'code').then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(String(error)).toContain('Undecided: the units are too few');
  expect(String(error)).toContain('no way is ruled out');
  expect(exitCodeFor(error)).toBe(5);
});

test('"offer" wants at least two ways', async () => {
  await using api = await apiOf([], 'completed');
  await expect(runVerb(api, ...line, '--way', 'code', '--way', 'code')).rejects.toThrow(
    'give at least two different ones',
  );
  expect(api.requests).toEqual([]);
});
