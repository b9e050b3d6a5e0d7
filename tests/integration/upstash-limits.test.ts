import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { answered, listen, type Handler } from '../support/http-control.ts';
import { startRedisRest } from '../support/redis-rest.ts';
import { newRedis } from '../support/redis-script.ts';

const evaluation = z.tuple([
  z.enum(['evalsha', 'eval']),
  z.string(),
  z.literal(2),
  z.string(),
  z.string(),
  z.coerce.number(),
  z.coerce.number(),
  z.coerce.number(),
  z.coerce.number(),
]);

/** Redis as far as the sliding window asks it, over Upstash's protocol: it knows a script once it was sent, and then does what that says. */
function redis(counts: Map<string, number>): Handler {
  const known = new Set<string>();
  return ({ body, request, response }) => {
    if (request.headers.authorization !== 'Bearer secret') throw new Error('no such token');
    const [command, script, , present, before, limit, now, windowMs, by] = evaluation.parse(body);
    const send = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      return Promise.resolve(answered);
    };
    if (command === 'eval') known.add('sent');
    else if (known.size === 0) return send(400, { error: `NOSCRIPT No matching script: ${script}` });
    const weighted = Math.floor((1 - (now % windowMs) / windowMs) * (counts.get(before) ?? 0));
    const used = counts.get(present) ?? 0;
    if (weighted + used >= limit) return send(200, { result: [-1, limit] });
    counts.set(present, used + by);
    return send(200, { result: [limit - (used + by + weighted), limit] });
  };
}

/** The module remembers what all requests share: each test has its own. */
async function freshCounter() {
  vi.resetModules();
  return (await import('#adapters/limits/upstash.ts')).makeFailOpenUpstashCounter;
}

let complaints: string[] = [];
beforeEach(() => {
  complaints = [];
  vi.spyOn(console, 'error').mockImplementation((text: string) => void complaints.push(text));
});
afterEach(() => vi.restoreAllMocks());

describe('rate limiting at Upstash Redis', () => {
  test('admits requests up to the limit and refuses more', async () => {
    const counts = new Map<string, number>();
    const server = await listen(redis(counts));
    const upstashCounter = await freshCounter();
    const counter = upstashCounter({ url: server.url, token: 'secret' }, 'key:key_1');
    const now = Date.now();
    const taken = [];
    for (let n = 0; n < 4; n += 1) taken.push(await counter.admitRequest(3, now));
    await server.close();
    expect(taken.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    for (const { limit, resetMs } of taken) {
      expect(limit).toBe(3);
      expect(resetMs).toBe(60_000 - (now % 60_000));
    }
    expect([...counts.keys()].every((key) => key.startsWith('sextant:requests:key:key_1:'))).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("slides its window over two minutes with the client's script", async () => {
    const server = await startRedisRest(inject('redis'));
    const database = await newRedis(server.url);
    // The counter does not wait long, and the first script takes longest.
    await database.send('EVAL', 'return 1', 0);
    const upstashCounter = await freshCounter();
    const minute = Date.parse('2026-01-01T12:00:00Z');
    vi.useFakeTimers({ toFake: ['Date'] });
    const allowedAt = async (now: number) => {
      vi.setSystemTime(now);
      return (await upstashCounter(database, 'key:key_1').admitRequest(4, now)).allowed;
    };
    const all = [];
    for (const second of [0, 10, 20, 30, 59]) all.push(await allowedAt(minute + second * 1_000));
    // Half of the four of the minute before still count.
    for (const second of [90, 90, 90]) all.push(await allowedAt(minute + second * 1_000));
    vi.useRealTimers();
    await server.close();
    expect(all).toEqual([true, true, true, true, false, true, true, false]);
    expect(complaints).toEqual([]);
  });

  test.for([
    ['that cannot be reached', () => Promise.resolve({ url: 'http://127.0.0.1:9', close: () => Promise.resolve() })],
    ['that refuses the token', () => listen(redis(new Map()))],
    ['that does not answer', () => listen(() => new Promise(() => {}))],
    ['that answers nonsense', () => listen(() => Promise.resolve('nonsense'))],
  ] as const)('admits everything if the database %s, and logs that once a minute', async ([, start]) => {
    const server = await start();
    const upstashCounter = await freshCounter();
    const take = (now: number) => upstashCounter({ url: server.url, token: 'wrong' }, 'key:key_1').admitRequest(3, now);
    const begin = Date.now();
    for (const now of [begin, begin + 1, begin + 6_000, begin + 59_000])
      expect(await take(now)).toMatchObject({ allowed: true, limit: 3, remaining: 2 });
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatch(/not counted: Redis/);
    expect(complaints[0]).not.toContain('wrong');
    await take(begin + 65_000);
    await server.close();
    expect(complaints).toHaveLength(2);
  });

  test('asks a failed database again after a pause', async () => {
    const counts = new Map<string, number>();
    let broken = true;
    let asked = 0;
    const works = redis(counts);
    const server = await listen((request) => {
      asked += 1;
      return broken ? Promise.reject(new Error('broken')) : works(request);
    });
    const upstashCounter = await freshCounter();
    const take = (now: number) =>
      upstashCounter({ url: server.url, token: 'secret' }, 'key:key_1').admitRequest(1, now);
    const begin = Date.now();
    await take(begin);
    broken = false;
    const before = asked;
    for (let n = 0; n < 5; n += 1) expect((await take(begin + 4_999)).allowed).toBe(true);
    expect(asked).toBe(before);
    expect((await take(begin + 5_000)).allowed).toBe(true);
    expect((await take(begin + 5_001)).allowed).toBe(false);
    await server.close();
  });
});
