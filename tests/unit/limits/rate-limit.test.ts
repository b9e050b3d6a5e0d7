import { describe, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import { directoryKnowing, fakeServices } from '../../support/fake-services.ts';
import { rootKey } from '../../support/root-key.ts';

const known = 'sxt_known';
const limits = { REQUESTS_PER_MINUTE_PER_KEY: '3', REQUESTS_PER_MINUTE_PER_ADDRESS: '2' };

async function deployed() {
  const asked: string[] = [];
  const services = fakeServices({ directory: await directoryKnowing(known, asked) }, limits);
  const app = createApp(services);
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.request(path, { method, headers: { 'cf-connecting-ip': '203.0.113.7', ...headers } });
  return { services, ask, asked };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('the rate limit', () => {
  test('counts a known key by itself, for any scope, and reports what is left', async () => {
    const { services, ask, asked } = await deployed();
    const first = await ask('/v1/keys', bearer(known));
    expect(first.status).toBe(403);
    expect(first.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=2;t=([1-9]|[1-5]\d|60)$/);
    await ask('/v1/keys', bearer(known));
    await ask('/v1/nothing', bearer(known));
    const refused = await ask('/v1/keys', bearer(known));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.json()).toMatchObject({ code: 'too-many-requests', retryable: true });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(61);
    expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/);
    expect(refused.headers.get('x-request-id')).toMatch(/^req_/);
    expect([...services.counted.keys()]).toEqual(['key:key_1']);
    // The directory is asked once, and its answer remembered.
    expect(asked).toHaveLength(1);
    // Another key, from the same address, may still ask.
    expect((await ask('/v1/keys', bearer(rootKey))).status).toBe(200);
  });

  test('counts missing and wrong keys for the address', async () => {
    const { services, ask } = await deployed();
    expect((await ask('/v1/keys')).status).toBe(401);
    expect((await ask('/v1/keys', bearer('guess'))).status).toBe(401);
    const refused = await ask('/v1/keys', bearer('another guess'));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=2;w=60');
    // A caller with a key is not blocked by others behind the same address.
    expect((await ask('/v1/keys', bearer(known))).status).toBe(403);
    expect([...services.counted.keys()]).toEqual(['address:203.0.113.7', 'key:key_1']);
  });

  test('counts addresses of one /64 together and others separately', async () => {
    const { ask } = await deployed();
    const from = (address: string) => ask('/v1/benchmarks/x/public', { 'cf-connecting-ip': address });
    expect((await from('2001:db8::1')).status).toBe(404);
    expect((await from('2001:db8::2')).status).toBe(404);
    expect((await from('2001:db8::3')).status).toBe(429);
    expect((await from('2001:db8:0:1::3')).status).toBe(404);
  });

  test('counts the documentation for the address, and does not count health checks', async () => {
    for (const path of ['/docs', '/docs/errors', '/docs/style.css', '/openapi.json']) {
      const { services, ask } = await deployed();
      expect([(await ask(path)).status, (await ask(path)).status, (await ask(path)).status]).toEqual([200, 200, 429]);
      expect([...services.counted.keys()]).toEqual(['address:203.0.113.7']);
    }
    const { services, ask } = await deployed();
    for (let n = 0; n < 5; n += 1) expect((await ask('/health')).status).toBe(200);
    expect(services.counted.size).toBe(0);
  });
});
