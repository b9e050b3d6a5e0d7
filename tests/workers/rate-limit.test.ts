import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { ok, refuse } from '#core/errors.ts';
import { attemptToken } from '#adapters/secrets/attempt-tokens.ts';
import { createApp } from '#api/app.ts';
import { fakeServices } from '../support/fake-services.ts';
import { call, newWorkspace, unique } from '../support/workspace.ts';

describe('limits of requests', () => {
  test('a counter lets the limit pass, and counts for one name alone', async () => {
    const name = unique('key:');
    const now = Date.UTC(2026, 0, 1);
    const take = (at: number) => env.REQUEST_COUNTER.getByName(name).take(2, at);
    expect(await take(now)).toEqual({ allowed: true, limit: 2, remaining: 1, resetMs: 60_000 });
    expect(await take(now + 1)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await take(now + 2)).toEqual({ allowed: false, limit: 2, remaining: 0, resetMs: 59_998 });
    expect(await env.REQUEST_COUNTER.getByName(unique('key:')).take(2, now + 2)).toMatchObject({ allowed: true });
    expect(await take(now + 120_000)).toMatchObject({ allowed: true, remaining: 1 });
  });

  test('requests that come at once are all counted', async () => {
    const counter = env.REQUEST_COUNTER.getByName(unique('key:'));
    const taken = await Promise.all(Array.from({ length: 30 }, () => counter.take(20, Date.UTC(2026, 0, 1))));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(20);
  });

  test('every answer of the API tells what is left of the minute', async () => {
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

  test('the recording gateway counts for its attempt, and wrong tokens for the address', async () => {
    const services = fakeServices(
      {
        attempt: () => ({
          admit: () => Promise.resolve(ok(null)),
          fetch: () => Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } })),
          respond: () => Promise.resolve(refuse('not-found', 'it is not asked to')),
        }),
      },
      { REQUESTS_PER_MINUTE_PER_KEY: '3' },
    );
    const app = createApp(services);
    const id = 'att_0123456789abc';
    const token = await attemptToken(services.settings.ENCRYPTION_KEY, id);
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
