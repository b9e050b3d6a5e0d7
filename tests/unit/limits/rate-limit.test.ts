import { describe, expect, test } from 'vitest';
import { hashKey } from '#adapters/secrets/keys.ts';
import { createApp } from '#api/app.ts';
import type { DirectoryService } from '#api/services.ts';
import { fakeServices } from '../../support/fake-services.ts';
import { rootKey } from '../../support/root-key.ts';

const known = 'sxt_known';
const nobody = (): never => {
  throw new Error('this test has no such service');
};

/** Knows one key. */
async function directory(): Promise<{ readonly asked: string[]; readonly directory: DirectoryService }> {
  const hash = await hashKey(known);
  const asked: string[] = [];
  return {
    asked,
    directory: {
      authenticate(presented) {
        asked.push(presented);
        return Promise.resolve(
          presented === hash ? { workspace: 'ws_1', key: 'key_1', scopes: ['read'] as const } : null,
        );
      },
      openRuns: () => Promise.resolve([]),
      addKey: nobody,
      listKeys: () => Promise.resolve([]),
      removeKey: nobody,
      benchmarkAdded: nobody,
      findBenchmark: () => Promise.resolve(null),
      leaderboardAdded: nobody,
      hasLeaderboard: () => Promise.resolve(false),
      listLeaderboards: () => Promise.resolve([]),
    },
  };
}

const limits = { REQUESTS_PER_MINUTE_PER_KEY: '3', REQUESTS_PER_MINUTE_PER_ADDRESS: '2' };

async function deployed() {
  const { directory: given, asked } = await directory();
  const services = fakeServices({ directory: given }, limits);
  const app = createApp(services);
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    app.request(path, { method, headers: { 'cf-connecting-ip': '203.0.113.7', ...headers } });
  return { services, ask, asked };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('limits of requests', () => {
  test('a known key counts for itself, whatever it may do, and is told what is left', async () => {
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
    expect(asked).toHaveLength(4);
    // Another key, from the same address, may still ask.
    expect((await ask('/v1/keys', bearer(rootKey))).status).toBe(200);
  });

  test('no key and a wrong one count for the address', async () => {
    const { services, ask } = await deployed();
    expect((await ask('/v1/keys')).status).toBe(401);
    expect((await ask('/v1/keys', bearer('guess'))).status).toBe(401);
    const refused = await ask('/v1/keys', bearer('another guess'));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=2;w=60');
    // Whoever has a key is not shut out by others behind the same address.
    expect((await ask('/v1/keys', bearer(known))).status).toBe(403);
    expect([...services.counted.keys()]).toEqual(['address:203.0.113.7', 'key:key_1']);
  });

  test('addresses of one /64 count together, others do not', async () => {
    const { ask } = await deployed();
    const from = (address: string) => ask('/v1/benchmarks/x/public', { 'cf-connecting-ip': address });
    expect((await from('2001:db8::1')).status).toBe(404);
    expect((await from('2001:db8::2')).status).toBe(404);
    expect((await from('2001:db8::3')).status).toBe(429);
    expect((await from('2001:db8:0:1::3')).status).toBe(404);
  });

  test('health and documentation are not counted', async () => {
    const { services, ask } = await deployed();
    for (const path of ['/health', '/docs', '/docs/errors', '/openapi.json']) {
      const answer = await ask(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.has('ratelimit')).toBe(false);
    }
    expect(services.counted.size).toBe(0);
  });
});
