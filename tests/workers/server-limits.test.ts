import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serverRecord } from '#core/catalog/server.ts';
import { frozen, type TestBed } from '../support/evaluation.ts';
import { exploreToEnd } from '../support/exploration.ts';
import { claim, connected, evaluateGuest, type Claimed } from '../support/external.ts';
import { call, expectStatus, pageOf, problemOf } from '../support/workspace.ts';
import { startServer, tools } from '../support/world.ts';

const shown = z.object({
  server: serverRecord,
  standing: z
    .object({ underWay: z.int(), startedInLastMinute: z.int(), circuit: z.string(), restsUntil: z.string().nullable() })
    .nullable(),
});

let bed: TestBed;
let server: string;

const read = async () => shown.parse(expectStatus(await bed.workspace.get(`/v1/servers/${server}`), 200));
const limit = async (limits: unknown) => call(bed.workspace.key, 'PATCH', `/v1/servers/${server}`, { limits });
const requests = async (): Promise<number> => (await bed.servers['fruit']?.log())?.requests.length ?? 0;

beforeAll(async () => {
  bed = await frozen(1, { servers: { fruit: { tools: tools('apple', 'pear') } } });
  const { items } = pageOf(serverRecord).parse(expectStatus(await bed.workspace.get('/v1/servers'), 200));
  server = items[0]?.id ?? '';
});

test('a server that is rate-limited when it is listed is refused with the time from which it takes requests', async () => {
  const busy = { kind: 'status', status: 429, headers: { 'retry-after': '30' } } as const;
  const { url } = await startServer({ tools: tools('apple'), tricks: { 'server/discover': busy } });
  const answer = await bed.workspace.post('/v1/servers', { name: 'busy', domain: 'testing', url });
  expect(problemOf(answer)).toEqual([422, 'server-rate-limited']);
  expect(answer.headers.get('retry-after')).toBe('30');
  expect(answer.body).toMatchObject({ retryable: true, retryAfter: 30, detail: expect.stringContaining('until 20') });
});

describe('a server with limits', () => {
  test('has none at first, and costs no request to a governor', async () => {
    expect(await read()).toMatchObject({ server: { limits: {} }, standing: null });
  });

  test('has those that its owner says, which are checked', async () => {
    expect(serverRecord.parse(expectStatus(await limit({ perMinute: 500 }), 200)).limits).toEqual({ perMinute: 500 });
    for (const wrong of [{ perMinute: 0 }, { concurrency: 1.5 }, { perHour: 3 }])
      expect(problemOf(await limit(wrong))).toEqual([400, 'invalid-request']);
    expect(problemOf(await call(bed.workspace.key, 'PATCH', '/v1/servers/srv_none', { limits: {} }))).toEqual([
      404,
      'not-found',
    ]);
    expect((await read()).server.limits).toEqual({ perMinute: 500 });
  });

  test('has every request of an exploration counted', async () => {
    const before = await requests();
    await exploreToEnd(bed, { rounds: 1, batch: 2 });
    const made = (await requests()) - before;
    expect(made).toBeGreaterThan(4);
    expect((await read()).standing).toEqual({
      underWay: 0,
      startedInLastMinute: made,
      circuit: 'closed',
      restsUntil: null,
    });
  });

  test('gives the agents of two runs together no more than it takes', async () => {
    const { startedInLastMinute: used = 0 } = (await read()).standing ?? {};
    // An agent needs two requests to begin a session, and one for each call.
    expectStatus(await limit({ perMinute: used + 4 }), 200);
    const attempts: Claimed[] = [];
    for (const name of ['one', 'two']) attempts.push(await claim(bed, await evaluateGuest(bed, { name })));
    const [one, two] = await Promise.all(attempts.map(connected));
    const before = await requests();
    const apple = { name: 'fruit__apple', arguments: { code: 'K100001' } };
    expect(await one?.callTool(apple)).toMatchObject({ content: [{ type: 'text' }] });
    expect(await one?.callTool(apple)).toMatchObject({ content: [{ type: 'text' }] });
    await expect(two?.callTool(apple, undefined, { timeout: 700 })).rejects.toThrow('timed out');
    expect((await requests()) - before).toBe(4);
    for (const client of [one, two]) await client?.close();
  });

  test('has its limits lifted by none', async () => {
    expectStatus(await limit({}), 200);
    expect(await read()).toMatchObject({ server: { limits: {} }, standing: null });
  });
});
