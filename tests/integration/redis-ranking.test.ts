import { Redis } from '@upstash/redis';
import { rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { makeRedisRanking } from '#adapters/ranking/redis.ts';
import type { Ranked } from '#core/leaderboards/ranking.ts';
import { entryAt, rankingContract, Reference, value } from '../support/ranking-contract.ts';
import { startRedisRest } from '../support/redis-rest.ts';
import { newRedis, type RedisRule, type ScriptedRedis } from '../support/redis-script.ts';

/** The ranking in Redis, by the real client over the protocol of Upstash: `npm test` has a Redis in memory, `npm run verify` a real one. */

let server: Awaited<ReturnType<typeof startRedisRest>>;
beforeAll(async () => {
  server = await startRedisRest(inject('redis'));
});
afterAll(() => server.close());

const rankingIn = (redis: Pick<ScriptedRedis, 'url' | 'token'>, more: { id?: string; token?: string } = {}) =>
  makeRedisRanking({
    admission: new Admission(),
    id: 'lb_1',
    metrics: rankingOrdersOfProtocol('sgvef').metrics,
    url: redis.url,
    token: redis.token,
    fetch: makeGuardedFetch({ admission: new Admission(), allowLocal: true, maxBytes: 1_000_000 }),
    timeoutMs: 2_000,
    ...more,
  });

rankingContract(`Redis (${inject('redis')})`, async () => rankingIn(await newRedis(server.url)));

/** A ranking of three entries, and the database that it is in. */
async function filled() {
  const redis = await newRedis(server.url);
  const store = rankingIn(redis);
  const reference = new Reference();
  for (const [n, id] of ['sub_a', 'sub_b', 'sub_c'].entries()) value(await store.apply(reference.put(entryAt(id, n))));
  return { redis, store, reference };
}

describe('a ranking database', () => {
  test('holds rankings of many leaderboards with any id', async () => {
    const redis = await newRedis(server.url);
    const ids = ['lb_1', 'lb_10', 'lb:1', 'lb {1}', '早い', '🧭'];
    const references = ids.map((id, n) => {
      const reference = new Reference();
      return { store: rankingIn(redis, { id }), change: reference.put(entryAt(`sub_${n}`, n)) };
    });
    for (const { store, change } of references) value(await store.apply(change));
    for (const [n, { store }] of references.entries())
      expect(value(await store.place('success', `sub_${n}`))).toMatchObject({ seq: 1, total: 1 });
  });

  test('returns texts in every script unchanged', async () => {
    const { store, reference } = await filled();
    const names = [
      'Ümläute, ß & ñ — “quotes”',
      '🧭👩‍👩‍👧‍👦 e\u0301 \u00e9',
      'مرحبا بالعالم',
      'null \u0000 byte, \ud800 half, \u2028 line',
      '</script>"\'\\',
      '123',
      'x'.repeat(20_000),
    ];
    for (const [n, name] of names.entries()) {
      const json = JSON.stringify({ name });
      const entry = { ...entryAt(`sub_${n}`, n), json };
      value(await store.apply(reference.put(entry)));
      expect(value(await store.place('success', entry.id))?.json).toBe(json);
    }
    const read = value(await store.page('service', 'success', 0, 100)).rows.map(({ json }) => json);
    value(await store.rebuild(reference.whole()));
    expect(value(await store.page('service', 'success', 0, 100)).rows.map(({ json }) => json)).toEqual(read);
  });

  test('reports a gap after it was emptied, and a rebuild fills it', async () => {
    const { redis, store, reference } = await filled();
    const before = value(await store.page('service', 'success', 0, 10));
    await redis.send('FLUSHDB');
    expect(value(await store.seq())).toBe(0);
    expect(value(await store.page('service', 'success', 0, 10))).toEqual({ seq: 0, total: 0, rows: [] });
    const change = reference.put(entryAt('sub_d', 9));
    expect(value(await store.apply(change))).toBe('gap');
    value(await store.rebuild(reference.whole()));
    expect(value(await store.page('service', 'success', 0, 3)).rows).toEqual(before.rows);
    expect(value(await store.apply(change))).toBe('applied');
    expect(value(await store.seq())).toBe(4);
  });

  test('that has lost a part of a ranking returns none of it', async () => {
    for (const part of ['entries', 'seq', 'order:service:success', 'leaders:service:success']) {
      const { redis, store } = await filled();
      const generation = await redis.send('GET', 'lb:{lb_1}:generation');
      expect(await redis.send('DEL', `lb:{lb_1}:${String(generation)}:${part}`)).toBe(1);
      expect(value(await store.seq())).toBe(0);
      expect(value(await store.page('service', 'success', 0, 10))).toEqual({ seq: 0, total: 0, rows: [] });
      expect(value(await store.place('success', 'sub_a'))).toBeNull();
    }
  });

  test('that holds something else under our keys is malformed, and its content is not shown', async () => {
    const { redis, store } = await filled();
    const generation = String(await redis.send('GET', 'lb:{lb_1}:generation'));
    await redis.send('SET', `lb:{lb_1}:${generation}:order:service:success`, 'secret');
    const found = await store.page('service', 'success', 0, 10);
    expect(found).toMatchObject({ ok: false, fault: { code: 'malformed' } });
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  test('applies the same change once when many send it', async () => {
    const { store, reference } = await filled();
    const change = reference.put(entryAt('sub_d', 0.5));
    const all = await Promise.all(Array.from({ length: 20 }, () => store.apply(change)));
    expect(new Set(all.map(value))).toEqual(new Set(['applied']));
    expect(value(await store.seq())).toBe(4);
    expect(value(await store.page('service', 'success', 0, 10)).total).toBe(4);
  });

  test('returns complete pages during changes and rebuilds', async () => {
    const { store, reference } = await filled();
    const changing = { over: false };
    const reading = async (): Promise<void> => {
      while (!changing.over) {
        const { seq, total, rows } = value(await store.page('service', 'success', 0, 100));
        expect(seq).toBeGreaterThanOrEqual(3);
        expect(total).toBe(seq);
        expect(rows).toHaveLength(total);
      }
    };
    const readers = [reading(), reading()];
    for (let n = 4; n < 40; n += 1) {
      value(await store.apply(reference.put(entryAt(`sub_${n}`, n / 7))));
      if (n % 6 === 0) value(await store.rebuild(reference.whole()));
    }
    changing.over = true;
    await Promise.all(readers);
  });

  test('keeps one generation, and old ones expire', async () => {
    const { redis, store, reference } = await filled();
    value(await store.rebuild(reference.whole()));
    const keys = async () => Number(await redis.send('DBSIZE'));
    const whole = await keys();
    await redis.tell([{ command: ',"entries",', times: 1, behaviour: { kind: 'status', status: 500 } }]);
    expect(await store.rebuild(reference.whole())).toMatchObject({ ok: false });
    expect(await keys()).toBeGreaterThan(whole);
    expect(value(await store.page('service', 'success', 0, 10)).total).toBe(3);
    await redis.tell([]);
    value(await store.rebuild(reference.whole()));
    expect(await redis.send('EVAL', lasting, 0)).toBe(whole);
  });
});

/** How many keys do not go by themselves. */
const lasting = `local n = 0
for _, key in ipairs(redis.call('KEYS', '*')) do if redis.call('TTL', key) < 0 then n = n + 1 end end
return n`;

describe('a ranking database reports a fault', () => {
  const cases: readonly [string, RedisRule['behaviour'], 'unreachable' | 'malformed'][] = [
    ['no answer', { kind: 'hang' }, 'unreachable'],
    ['a connection that breaks', { kind: 'cut', when: 'before' }, 'unreachable'],
    ['a server that fails', { kind: 'status', status: 502 }, 'unreachable'],
    ['a limit', { kind: 'status', status: 429 }, 'unreachable'],
    ['an error of Redis', { kind: 'status', status: 400, error: 'OOM command not allowed: secret' }, 'malformed'],
    ['a page for people', { kind: 'body', text: '<h1>Hello secret</h1>' }, 'malformed'],
    ['half a body', { kind: 'body', text: '{"result": [' }, 'malformed'],
    ['no result', { kind: 'body', text: '{"secret": 1}' }, 'malformed'],
    ['a result of another form', { kind: 'body', text: '{"result": ["secret"]}' }, 'malformed'],
    ['an answer that never ends', { kind: 'body', text: `{"result": "${'x'.repeat(2_000_000)}"}` }, 'unreachable'],
  ];
  test.each(cases)('for %s', async (_name, behaviour, code) => {
    const { redis, reference } = await filled();
    const fetch = makeGuardedFetch({ admission: new Admission(), allowLocal: true, maxBytes: 1_000_000 });
    const timeoutMs = behaviour.kind === 'hang' ? 300 : 2_000;
    const store = makeRedisRanking({
      admission: new Admission(),
      id: 'lb_1',
      metrics: rankingOrdersOfProtocol('sgvef').metrics,
      url: redis.url,
      token: redis.token,
      fetch,
      timeoutMs,
    });
    await redis.tell([{ behaviour }]);
    const found: Ranked<unknown>[] = [
      await store.seq(),
      await store.page('service', 'success', 0, 10),
      await store.place('success', 'sub_a'),
      await store.apply(reference.put(entryAt('sub_d', 1))),
      await store.rebuild(reference.whole()),
    ];
    for (const each of found) {
      expect(each).toMatchObject({ ok: false, fault: { code } });
      expect(JSON.stringify(each)).not.toMatch(/secret|token-of|127\.0\.0\.1|sub_/);
    }
  });

  test('for a refused token', async () => {
    const { redis } = await filled();
    const found = await rankingIn(redis, { token: 'another' }).seq();
    expect(found).toMatchObject({
      ok: false,
      fault: { code: 'unreachable', detail: expect.stringContaining('token') },
    });
    expect(JSON.stringify(found)).not.toContain('another');
  });

  test('for a lost answer, after which the change can be repeated', async () => {
    const { redis, store, reference } = await filled();
    const change = reference.put(entryAt('sub_d', 1.5));
    await redis.tell([{ times: 1, behaviour: { kind: 'cut', when: 'after' } }]);
    expect(await store.apply(change)).toMatchObject({ ok: false });
    expect(value(await store.apply(change))).toBe('applied');
    expect(value(await store.page('service', 'success', 0, 10)).total).toBe(4);
  });

  test('for an address that may not be contacted', async () => {
    const { redis } = await filled();
    const fetch = makeGuardedFetch({ admission: new Admission(), allowLocal: false, maxBytes: 1_000 });
    const store = makeRedisRanking({
      admission: new Admission(),
      id: 'lb_1',
      metrics: rankingOrdersOfProtocol('sgvef').metrics,
      url: redis.url,
      token: redis.token,
      fetch,
    });
    expect(await store.seq()).toMatchObject({ ok: false, fault: { code: 'unreachable' } });
  });
});

test('the test server speaks to the client like Upstash', async () => {
  const { url, token } = await newRedis(server.url);
  const redis = new Redis({ url, token, retry: false });
  expect(await redis.set('name', '早い "x"')).toBe('OK');
  expect(await redis.get('name')).toBe('早い "x"');
  const [nothing, count, list] = await Promise.all([
    redis.get('none'),
    redis.sadd('set', 'a', 'b'),
    redis.eval("#!lua flags=allow-key-locking\nreturn {'a', {'OK', 1}, false}", [], []),
  ]);
  expect([nothing, count, list]).toEqual([null, 2, ['a', ['OK', 1], null]]);
  const script = redis.createScript('return ARGV[1]');
  expect(await script.exec([], ['first'])).toBe('first');
  expect(await script.exec([], ['second'])).toBe('second');
  expect(await redis.multi().set('a', 1).incr('a').exec()).toEqual(['OK', 2]);
  await expect(redis.incr('name')).rejects.toThrow('not an integer');
  await expect(new Redis({ url, token: 'another', retry: false }).get('name')).rejects.toThrow('Unauthorized');
});
