import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { refuse } from '#core/values/errors.ts';
import { ok } from '#core/values/result.ts';
import { computeAttemptToken } from '#adapters/secrets/attempt-tokens.ts';
import { createApp } from '#api/app.ts';
import { fakeServices } from '../support/fake-services.ts';
import { call, newWorkspace, unique } from '../support/workspace.ts';

const newCounter = () => env.REQUEST_COUNTER.getByName(unique('key:'));
type Counter = ReturnType<typeof newCounter>;

/** The beginning of the present minute, so that nothing slides while a test runs and no alarm is due. */
const thisMinute = () => Math.floor(Date.now() / 60_000) * 60_000;
/** Sends so many requests at a time, and returns how many may pass. */
async function passing(counter: Counter, requests: number, limit: number, now: number): Promise<number> {
  const taken = await Promise.all(Array.from({ length: requests }, () => counter.admitRequest(limit, now)));
  return taken.filter(({ allowed }) => allowed).length;
}
const stored = (counter: Counter) =>
  runInDurableObject(counter, async (_object, { storage }) => ({
    count: storage.kv.get('count') ?? null,
    alarm: await storage.getAlarm(),
    tables: storage.sql.exec('SELECT name FROM sqlite_master').toArray().length,
  }));
const nothing = { count: null, alarm: null, tables: 0 };

describe('the rate limit in the Worker', () => {
  test('admits requests up to the limit, and counts for one name only', async () => {
    const name = unique('key:');
    const now = Date.UTC(2026, 0, 1);
    const take = (at: number) => env.REQUEST_COUNTER.getByName(name).admitRequest(2, at);
    expect(await take(now)).toEqual({ allowed: true, limit: 2, remaining: 1, resetMs: 60_000 });
    expect(await take(now + 1)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await take(now + 2)).toEqual({ allowed: false, limit: 2, remaining: 0, resetMs: 59_998 });
    expect(await env.REQUEST_COUNTER.getByName(unique('key:')).admitRequest(2, now + 2)).toMatchObject({
      allowed: true,
    });
    expect(await take(now + 120_000)).toMatchObject({ allowed: true, remaining: 1 });
  });

  test('counts simultaneous requests', async () => {
    expect(await passing(newCounter(), 30, 20, Date.UTC(2026, 0, 1))).toBe(20);
  });

  test('admits no second burst after the platform evicted the counter, in the same minute or the next', async () => {
    const counter = newCounter();
    const now = thisMinute();
    expect(await passing(counter, 200, 160, now)).toBe(160);
    await evictDurableObject(counter);
    expect(await passing(counter, 200, 160, now)).toBeLessThan(160 / 16);
    await evictDurableObject(counter);
    // In the middle of the next minute half of the burst still counts.
    const later = await passing(counter, 200, 160, now + 90_000);
    expect(later).toBeGreaterThanOrEqual(80);
    expect(later).toBeLessThan(80 + 160 / 32);
  });

  test('admits at most three eighths above the limit in bursts with six pauses', async () => {
    const counter = newCounter();
    const now = thisMinute();
    let passed = 0;
    // Nine of 160 are just below a 16th, which is the most that can be forgiven.
    for (const requests of [9, 9, 9, 9, 9, 200, 200]) {
      passed += await passing(counter, requests, 160, now);
      await evictDurableObject(counter);
    }
    expect(passed).toBeGreaterThanOrEqual(160 + 5 * 9);
    expect(passed).toBeLessThanOrEqual(160 + (6 * 160) / 16);
  });

  test('stores nothing below a 16th of the limit', async () => {
    const counter = newCounter();
    const now = thisMinute();
    expect(await passing(counter, 37, 600, now)).toBe(37);
    expect(await stored(counter)).toEqual(nothing);
    await counter.admitRequest(600, now + 1);
    expect(await stored(counter)).toMatchObject({
      count: { minute: now / 60_000, present: 38, before: 0 },
      alarm: now + 120_000,
    });
  });

  test('deletes what it stored when it no longer matters, and continues', async () => {
    const counter = newCounter();
    const past = thisMinute() - 120_000;
    expect(await passing(counter, 5, 5, past)).toBe(5);
    await vi.waitFor(async () => expect(await stored(counter)).toEqual(nothing), 5_000);
    expect(await passing(counter, 6, 5, past + 120_000)).toBe(5);
    await evictDurableObject(counter);
    expect(await passing(counter, 1, 5, past + 120_000)).toBe(0);
  });

  test('is reported with every answer of the API', async () => {
    const { key, post } = await newWorkspace();
    const made = await call(key, 'GET', '/v1/servers');
    expect(made.headers.get('ratelimit-policy')).toBe('"key";q=100000;w=60');
    expect(made.headers.get('ratelimit')).toMatch(/^"key";r=99999;t=\d+$/);
    const refused = await post('/v1/servers', { nonsense: true });
    expect(refused.status).toBe(400);
    expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=9999[89];t=\d+$/);
    expect((await call(null, 'GET', '/v1/servers')).headers.get('ratelimit-policy')).toBe('"address";q=100000;w=60');
    expect((await call(null, 'GET', '/health')).headers.has('ratelimit')).toBe(false);
  });

  test('counts the recording gateway for its attempt, and wrong tokens for the address', async () => {
    const services = fakeServices(
      {
        attempt: () => ({
          admitOrReportIntrusion: () => Promise.resolve(ok(null)),
          fetch: () => Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } })),
          answerModelRequest: async () => ({ ok: true as const, value: new Response('{}') }),
          acceptResponse: () => Promise.resolve(refuse('not-found', 'it is not asked to')),
          acceptHeartbeat: () => Promise.resolve(refuse('not-found', 'it is not asked to')),
          giveBack: () => Promise.resolve(refuse('not-found', 'it is not asked to')),
        }),
      },
      { REQUESTS_PER_MINUTE_PER_KEY: '3' },
    );
    const app = createApp(services);
    const id = 'att_0123456789abc';
    const token = await computeAttemptToken(services.settings.ENCRYPTION_KEY, id);
    const ask = async (presented: string) =>
      app.request(`/mcp/attempts/${id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${presented}`, 'cf-connecting-ip': '2001:db8::1' },
      });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await ask(token)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await ask('guess')).headers.get('ratelimit-policy')).toBe('"address";q=100000;w=60');
    expect([...services.counted.keys()]).toEqual([`attempt:${id}`, 'address:2001:db8::/64']);
  });
});
