import { beforeAll, expect, test } from 'vitest';
import { serverRecord } from '#core/catalog/server.ts';
import { casesOf, frozen, followEvaluation, type TestBed } from '../support/evaluation.ts';
import { claim, claimAnswer, connected, evaluateGuest, respond, type Claimed } from '../support/external.ts';
import { expectStatus, newWorkspace, pageOf, problemOf } from '../support/workspace.ts';
import { tools } from '../support/world.ts';

/** A benchmark over one server that attempts use one at a time. */
let bed: TestBed;

beforeAll(async () => {
  bed = await frozen(2, { servers: { notes: { tools: tools('apple', 'pear') } } });
  const { items } = pageOf(serverRecord).parse(expectStatus(await bed.workspace.get('/v1/servers'), 200));
  const isolation = { kind: 'none' };
  expectStatus(await bed.workspace.post(`/v1/servers/${items[0]?.id}/relist`, { isolation }), 200);
});

const giveBack = ({ id }: Claimed) => bed.workspace.remove(`/v1/attempts/${id}`);
const cancel = (run: string) => bed.workspace.post(`/v1/evaluations/${run}/cancel`);

async function callApple(attempt: Claimed): Promise<void> {
  const client = await connected(attempt);
  expect(await client.callTool({ name: 'notes__apple', arguments: { code: 'K1' } })).toMatchObject({ content: [{}] });
  await client.close();
}

test('an attempt that is given back without a call is claimed again at once, as often as that happens', async () => {
  const run = await evaluateGuest(bed);
  const seen = new Set<string>();
  for (let n = 0; n < 4; n += 1) {
    const attempt = await claim(bed, run);
    seen.add(attempt.request);
    expect(await claimAnswer(bed, run), 'the server is taken').toMatchObject({ status: 'wait' });
    expect(expectStatus(await giveBack(attempt), 200)).toEqual({ again: true });
    expect(expectStatus(await giveBack(attempt), 200), 'repeated').toEqual({ again: true });
    expect(problemOf(await respond(bed, attempt, 'too late'))).toEqual([409, 'attempt-over']);
  }
  expect(seen.size).toBe(1);
  const events = await followEvaluation(bed, run, ({ event }) => event.type === 'attempt.given-back');
  expect(events.filter(({ event }) => event.type === 'attempt.expired')).toEqual([]);
  expectStatus(await cancel(run), 200);
});

test('an attempt that is given back after calls counts as a claim that ran out, of which the third is its result', async () => {
  const run = await evaluateGuest(bed);
  for (const again of [true, true, false]) {
    const attempt = await claim(bed, run);
    await callApple(attempt);
    expect(expectStatus(await giveBack(attempt), 200)).toEqual({ again });
  }
  const [done] = (await casesOf(bed, run)).filter(({ attempts }) => attempts.source !== undefined);
  expect(done?.attempts.source).toMatchObject({ evaluated: true });
  expectStatus(await cancel(run), 200);
});

test('an attempt that was answered cannot be given back, nor one of another workspace', async () => {
  const run = await evaluateGuest(bed);
  const attempt = await claim(bed, run);
  expect(problemOf(await (await newWorkspace()).remove(`/v1/attempts/${attempt.id}`))).toEqual([404, 'not-found']);
  expectStatus(await respond(bed, attempt, 'done'), 200);
  expect(problemOf(await giveBack(attempt))).toEqual([409, 'attempt-over']);
  expectStatus(await cancel(run), 200);
});

test('a cancelled evaluation ends what its agents still work on, and gives their servers to others', async () => {
  const cancelled = await evaluateGuest(bed);
  const attempt = await claim(bed, cancelled);
  await callApple(attempt);
  const other = await evaluateGuest(bed, { name: 'other' });
  expect(await claimAnswer(bed, other)).toMatchObject({ status: 'wait' });
  expectStatus(await cancel(cancelled), 200);
  await expect(connected(attempt)).rejects.toThrow('over');
  expect(problemOf(await respond(bed, attempt, 'late'))).toEqual([409, 'attempt-over']);
  const next = await claim(bed, other);
  await callApple(next);
  expectStatus(await giveBack(next), 200);
  expectStatus(await cancel(other), 200);
});
