import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { serverRecord } from '#core/catalog/server.ts';
import { strangerLease, workerLease } from '#core/evaluation/lease.ts';
import { board, received, submitter, type Board } from '../support/board.ts';
import { claim, claimAnswer, claimed, connected, evaluateGuest, respond, type Claimed } from '../support/external.ts';
import { expectStatus, pageOf, problemOf } from '../support/workspace.ts';
import { tools } from '../support/world.ts';

/** A leaderboard over one server that attempts use one at a time, and somebody else who submits to it. */
let bed: Board;
let guest: Awaited<ReturnType<typeof submitter>>;

beforeAll(async () => {
  bed = await board({ units: 3, servers: { notes: { tools: tools('apple', 'pear') } } });
  guest = await submitter();
  const { items } = pageOf(serverRecord).parse(expectStatus(await bed.workspace.get('/v1/servers'), 200));
  const isolation = { kind: 'none' };
  expectStatus(await bed.workspace.post(`/v1/servers/${items[0]?.id}/relist`, { isolation }), 200);
});

const submission = (name: string, limits: Readonly<Record<string, unknown>> = {}) =>
  guest.post('/v1/submissions', { leaderboard: bed.leaderboard.id, name, tier: 'gateway', limits });

const askFor = async (id: string) => expectStatus(await guest.post('/v1/attempts/claim', { submission: id }), 200);

const claimOf = (id: string): Promise<Claimed> =>
  vi.waitFor(async () => claimed.parse(await askFor(id)).attempt, { timeout: 60_000, interval: 100 });

const attemptObject = ({ id }: Claimed) => env.ATTEMPT.getByName(id);

/** Milliseconds until the alarm of an attempt rings. */
const alarmInMs = (attempt: Claimed): Promise<number> =>
  runInDurableObject(attemptObject(attempt), async (_, { storage }) => ((await storage.getAlarm()) ?? 0) - Date.now());

/** Lets the time of an attempt's lease pass, as if nobody had given a sign of life. */
async function passLease(attempt: Claimed, agoMs = 1): Promise<void> {
  await runInDurableObject(attemptObject(attempt), (_, { storage }) =>
    storage.sql.exec("UPDATE facts SET json = ? WHERE key = 'leased'", JSON.stringify(Date.now() - agoMs)),
  );
  await runDurableObjectAlarm(attemptObject(attempt));
}

async function callApple(attempt: Claimed): Promise<void> {
  const client = await connected(attempt);
  await client.callTool({ name: 'notes__apple', arguments: { code: 'K1' } });
  await client.close();
}

const cancel = (run: string) => bed.workspace.post(`/v1/evaluations/${run}/cancel`);

describe('a stranger who claims on a server that is used one at a time', () => {
  test('and does nothing loses the attempt two minutes after the last call, long before its deadline', async () => {
    const { id } = received(await submission('holds'));
    const attempt = await claimOf(id);
    expect(attempt).toMatchObject({ leaseMs: strangerLease.ms });
    const run = await evaluateGuest(bed);
    expect(await claimAnswer(bed, run)).toMatchObject({ status: 'wait' });
    expect(await alarmInMs(attempt)).toBeLessThanOrEqual(strangerLease.ms);
    await runInDurableObject(attemptObject(attempt), (_, { storage }) =>
      storage.sql.exec("UPDATE facts SET json = ? WHERE key = 'leased'", JSON.stringify(Date.now() + 60_000)),
    );
    const beat = await guest.post(`/v1/attempts/${attempt.id}/heartbeat`, {});
    expect(expectStatus(beat, 200), 'only calls are work').toEqual({ heldUntil: expect.any(String) });
    await runDurableObjectAlarm(attemptObject(attempt));
    expect(await alarmInMs(attempt)).toBeLessThanOrEqual(60_000);
    await callApple(attempt);
    await runDurableObjectAlarm(attemptObject(attempt));
    expect(await alarmInMs(attempt)).toBeGreaterThan(strangerLease.ms - 10_000);
    await passLease(attempt);
    const late = await guest.post(`/v1/attempts/${attempt.id}/response`, { response: 'It is done.' });
    expect(problemOf(late)).toEqual([409, 'attempt-over']);
    expect(expectStatus(await respond(bed, await claim(bed, run), 'Done.'), 200)).toMatchObject({ evaluated: true });
    expectStatus(await cancel(run), 200);
    await guest.post(`/v1/submissions/${id}/withdraw`, {});
  });

  test('waits while a run of the owner wants the server', async () => {
    const { id } = received(await submission('waits'));
    const run = await evaluateGuest(bed);
    const first = await claim(bed, run);
    const ready = () => guest.get(`/v1/submissions/${id}`);
    await vi.waitFor(async () => expect((await ready()).body).toMatchObject({ state: 'scoring' }), { timeout: 60_000 });
    expect(await askFor(id)).toMatchObject({ status: 'wait' });
    expect(await claimAnswer(bed, run)).toMatchObject({ status: 'wait' });
    expectStatus(await respond(bed, first, 'Done.'), 200);
    // The server is free, and a run of the owner has asked for it a moment ago.
    expect(await askFor(id)).toMatchObject({ status: 'wait' });
    const second = await claim(bed, run);
    expectStatus(await respond(bed, second, 'Done.'), 200);
    const mine = await claimOf(id);
    expectStatus(await guest.post(`/v1/attempts/${mine.id}/response`, { response: 'Done.' }), 200);
    // A stranger's turn is over; the owner, who is at work, has the next three.
    expect(await askFor(id)).toMatchObject({ status: 'wait' });
    for (let turns = 0; turns < 3; turns += 1) {
      const attempt = await claim(bed, run);
      expect(await askFor(id)).toMatchObject({ status: 'wait' });
      expectStatus(await respond(bed, attempt, 'Done.'), 200);
    }
    expect(await claimOf(id)).toMatchObject({ leaseMs: strangerLease.ms });
    expectStatus(await cancel(run), 200);
    await guest.post(`/v1/submissions/${id}/withdraw`, {});
  });

  test('may claim for no longer than the leaderboard says, ten minutes if its owner has said nothing', async () => {
    expect(bed.leaderboard.claimMs).toBe(600_000);
    const refused = await submission('long', { timeMs: 3_600_000 });
    expect(problemOf(refused)).toEqual([400, 'invalid-request']);
    expect(JSON.stringify(refused.body)).toContain('claims of this leaderboard last at most 600000 ms');
  });
});

describe('a worker that has promised heartbeats', () => {
  const heartbeat = ({ id }: Claimed) => bed.workspace.post(`/v1/attempts/${id}/heartbeat`, {});
  const claimWithHeartbeat = async (evaluation: string): Promise<Claimed> => {
    const body = { evaluation, agent: 'guest', heartbeat: true };
    return claimed.parse(expectStatus(await bed.workspace.post('/v1/attempts/claim', body), 200)).attempt;
  };

  test('keeps its attempt by them, and loses it when it is dead: as if nobody had claimed it, if it made no call', async () => {
    const run = await evaluateGuest(bed);
    const attempt = await claimWithHeartbeat(run);
    expect(attempt.leaseMs).toBe(workerLease.ms);
    expect(await alarmInMs(attempt)).toBeLessThanOrEqual(workerLease.ms);
    const { heldUntil } = z.object({ heldUntil: z.iso.datetime() }).parse(expectStatus(await heartbeat(attempt), 200));
    expect(Date.parse(heldUntil) - Date.now()).toBeLessThanOrEqual(workerLease.ms);
    await passLease(attempt, 60_000);
    expect(await alarmInMs(attempt), 'the service was down').toBeGreaterThan(workerLease.ms - 5_000);
    await passLease(attempt);
    expect(problemOf(await heartbeat(attempt))).toEqual([409, 'attempt-over']);
    const again = await claimWithHeartbeat(run);
    expect(again.request).toBe(attempt.request);
    expect(expectStatus(await respond(bed, again, 'Done.'), 200)).toMatchObject({ evaluated: true });
    expectStatus(await cancel(run), 200);
  });

  test('is the only one: other claims last until their deadline without a sign of life', async () => {
    const run = await evaluateGuest(bed);
    const attempt = await claim(bed, run);
    expect(attempt.leaseMs).toBeUndefined();
    expect(await alarmInMs(attempt)).toBeGreaterThan(500_000);
    expect(expectStatus(await heartbeat(attempt), 200)).toEqual({ heldUntil: attempt.deadline });
    expectStatus(await cancel(run), 200);
  });
});
