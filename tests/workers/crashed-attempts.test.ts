import { beforeAll, expect, test } from 'vitest';
import { evaluationResults } from '#core/evaluation/record.ts';
import { casesOf, evaluationOf, followEvaluation, frozen, type TestBed } from '../support/evaluation.ts';
import { claim, claimAnswer, connected, evaluateGuest, respond, type Claimed } from '../support/external.ts';
import { expectStatus, problemOf } from '../support/workspace.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await frozen(2);
});

const crash = ({ id }: Claimed) => bed.workspace.post(`/v1/attempts/${id}/response`, { response: '', crashed: true });
const settle = (run: string, what: string, agent?: string) =>
  bed.workspace.post(`/v1/evaluations/${run}/crashes`, { do: what, agent });
const crashesOf = async (run: string) =>
  evaluationResults.parse(expectStatus(await bed.workspace.get(`/v1/evaluations/${run}/results`), 200)).crashes;
const oneUnit = { sample: { units: 1 }, judges: false };

async function callOneTool(attempt: Claimed): Promise<void> {
  const client = await connected(attempt);
  const { tools } = await client.listTools();
  await client.callTool({ name: tools[0]?.name ?? '', arguments: { code: 'x', reference: 'x' } });
  await client.close();
}

test('a crashed attempt is held without a score, made again on request, and the results say so', async () => {
  const run = await evaluateGuest(bed, oneUnit);
  const first = await claim(bed, run);
  await callOneTool(first);
  const held = { evaluated: false, again: false, held: true, calls: 1, progress: { made: 0, of: 2 } };
  expect(expectStatus(await crash(first), 200)).toEqual(held);
  expect(expectStatus(await crash(first), 200), 'repeated').toEqual(held);
  expect(problemOf(await respond(bed, first, ''))).toEqual([409, 'attempt-over']);
  expect(await claimAnswer(bed, run), 'nothing else is left').toEqual({ status: 'finished' });
  expect(await evaluationOf(bed, run)).toMatchObject({ status: 'running', progress: { made: 0 } });
  expect(await crashesOf(run)).toEqual([{ agent: 'guest', held: 1, retried: 0, failed: 0 }]);

  expect(expectStatus(await settle(run, 'retry', 'guest'), 200)).toEqual({ attempts: 1 });
  expect(expectStatus(await settle(run, 'retry', 'guest'), 200), 'repeated').toEqual({ attempts: 0 });
  const second = await claim(bed, run);
  expect(second.request).toBe(first.request);
  expect(expectStatus(await respond(bed, second, 'done'), 200)).toMatchObject({
    evaluated: true,
    progress: { made: 1, of: 2 },
  });
  expectStatus(await respond(bed, await claim(bed, run), 'done'), 200);
  const events = await followEvaluation(bed, run);
  expect(events.flatMap(({ event }) => (event.type === 'attempt.settled' ? [event.as] : []))).toEqual(['retried']);
  expect(await crashesOf(run)).toEqual([{ agent: 'guest', held: 0, retried: 1, failed: 0 }]);
  const [made] = await casesOf(bed, run);
  // The crashed one is no part of its trace, but nobody can overlook that it was made again.
  expect(made?.attempts.source).toMatchObject({ response: 'done', relaunched: true, calls: [] });
  expect(made?.attempts.followUp).toMatchObject({ relaunched: false });
});

test('a crashed attempt that counts as failed has an empty response and the calls that it made, for good', async () => {
  const run = await evaluateGuest(bed, oneUnit);
  const attempt = await claim(bed, run);
  await callOneTool(attempt);
  expectStatus(await crash(attempt), 200);
  expect(expectStatus(await settle(run, 'fail'), 200)).toEqual({ attempts: 1 });
  expect(expectStatus(await settle(run, 'retry'), 200), 'it has a score').toEqual({ attempts: 0 });
  const last = await claim(bed, run);
  expect(last.request, 'the second request of the unit').not.toBe(attempt.request);
  expectStatus(await respond(bed, last, 'done'), 200);
  await followEvaluation(bed, run);
  const [made] = await casesOf(bed, run);
  expect(made?.attempts.source).toMatchObject({ evaluated: true, crashed: true, response: '', calls: [{ turn: 1 }] });
  expect(await crashesOf(run)).toEqual([{ agent: 'guest', held: 0, retried: 0, failed: 1 }]);
  const report = await bed.workspace.get(`/v1/evaluations/${run}/report`);
  expect(String(report.body)).toContain('1 attempt of guest crashed: 1 counts with an empty response.');
});

test('an evaluation that is cancelled settles nothing more, and other agents and workspaces are refused', async () => {
  const run = await evaluateGuest(bed, oneUnit);
  expectStatus(await crash(await claim(bed, run)), 200);
  expect(problemOf(await settle(run, 'retry', 'stranger'))).toEqual([404, 'not-found']);
  expect(problemOf(await settle(run, 'again'))).toEqual([400, 'invalid-request']);
  expectStatus(await bed.workspace.post(`/v1/evaluations/${run}/cancel`), 200);
  expect(expectStatus(await settle(run, 'retry'), 200)).toEqual({ attempts: 0 });
  expect(await crashesOf(run)).toEqual([{ agent: 'guest', held: 1, retried: 0, failed: 0 }]);
});

test('a crash with a response is refused, and the attempt can still be answered', async () => {
  const run = await evaluateGuest(bed, oneUnit);
  const attempt = await claim(bed, run);
  const answer = await bed.workspace.post(`/v1/attempts/${attempt.id}/response`, { response: 'so far', crashed: true });
  expect(problemOf(answer)[1]).toBe('invalid-request');
  expectStatus(await respond(bed, attempt, 'done'), 200);
  expectStatus(await bed.workspace.post(`/v1/evaluations/${run}/cancel`), 200);
});
