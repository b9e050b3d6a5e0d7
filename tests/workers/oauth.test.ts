import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { serverRecord } from '#core/catalog/server.ts';
import { evaluateToEnd, frozen, type TestBed } from '../support/evaluation.ts';
import { exploreToEnd } from '../support/exploration.ts';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { board, received, serviceBody, settled, submitter } from '../support/board.ts';
import { call, expectStatus, keyFor, newWorkspace, pageOf, problemOf } from '../support/workspace.ts';
import { startModel, startServer, tools } from '../support/world.ts';

const auth = (clientSecret: string) => ({ type: 'client-credentials', clientId: 'machine', clientSecret });

/** A workspace with a server whose tokens live this many seconds. */
async function registered(tokenSeconds: number) {
  const workspace = await newWorkspace();
  const outside = await startServer({ tools: tools('apple', 'pear'), tokenSeconds });
  const server = await workspace.server('fruit', outside.url, { auth: auth('first secret') });
  return { workspace, outside, server };
}

describe('a server that wants OAuth', () => {
  test('is registered with credentials that are never shown, and refused without them', async () => {
    const { workspace, outside, server } = await registered(60);
    expect(server.auth).toEqual({
      type: 'client-credentials',
      clientId: 'machine',
      scope: 'tools',
      issuer: expect.stringMatching(/\/authorization$/),
      consent: null,
    });
    expect(JSON.stringify(await workspace.get(`/v1/servers/${server.id}`))).not.toContain('secret');
    const without = await workspace.post('/v1/servers', { name: 'other', domain: 'testing', url: outside.url });
    expect(problemOf(without)).toEqual([422, 'server-unauthorized']);
    expect(JSON.stringify(without.body)).toContain('the server wants OAuth (http://127.0.0.1');
    const wrong = { name: 'other', domain: 'testing', url: outside.url, auth: auth('no secret') };
    expect(problemOf(await workspace.post('/v1/servers', wrong))).toEqual([422, 'server-unauthorized']);
    const twice = { ...wrong, auth: auth('first secret'), headers: { Authorization: 'Bearer mine' } };
    expect(problemOf(await workspace.post('/v1/servers', twice))).toEqual([400, 'invalid-request']);
  });

  test('is listed again with its credentials', async () => {
    const { workspace, server } = await registered(60);
    const again = expectStatus(await workspace.post(`/v1/servers/${server.id}/relist`, {}), 200);
    expect(serverRecord.parse(again)).toMatchObject({ tools: 2, auth: server.auth });
  });

  test('is used on by runs that last longer than its tokens, also after its secret was changed', async () => {
    const { workspace, outside, server } = await registered(1);
    const { id: catalog } = await workspace.catalog(server);
    const ground = { workspace, catalog, model: await startModel([]), servers: { fruit: outside } };
    const { run } = await exploreToEnd(ground, { batch: 3 });
    const made = await workspace.post('/v1/benchmarks', { explorations: [run], privateShare: 0, floor: false });
    const bed: TestBed = { ...ground, benchmark: benchmarkRecord.parse(expectStatus(made, 201)) };
    const before = await outside.log();
    const begun = Date.now();
    const { cases, results } = await evaluateToEnd(bed, ['steady'], { concurrency: 1, trials: 12 });
    // A token is used for half a second of its one.
    const lives = Math.floor((Date.now() - begun) / 1_000);
    expect(cases).toHaveLength(36);
    expect(results('steady').notEvaluated).toBe(0);
    expect(lives).toBeGreaterThan(1);
    expect((await outside.log()).tokens - before.tokens).toBeGreaterThanOrEqual(lives);

    await outside.changeSecret();
    const old = await call(workspace.key, 'PATCH', `/v1/servers/${server.id}`, { auth: auth('first secret') });
    expect(problemOf(old)).toEqual([422, 'server-unauthorized']);
    expectStatus(await call(workspace.key, 'PATCH', `/v1/servers/${server.id}`, { auth: auth('second secret') }), 200);
    const after = await evaluateToEnd(bed, ['steady']);
    expect(after.results('steady').notEvaluated).toBe(0);
  });
});

test('headers of a server are replaced without a new listing, and attempts that begin later send the new ones', async () => {
  const bed = await frozen(1, { headers: { authorization: 'Bearer first' } });
  const { items } = pageOf(serverRecord).parse(expectStatus(await bed.workspace.get('/v1/servers'), 200));
  for (const { id } of items)
    expectStatus(
      await call(bed.workspace.key, 'PATCH', `/v1/servers/${id}`, { headers: { authorization: 'Bearer second' } }),
      200,
    );
  const logs = Object.values(bed.servers);
  const before = await Promise.all(logs.map(async (server) => (await server.log()).requests.length));
  await evaluateToEnd(bed, ['steady']);
  const sent = await Promise.all(
    logs.map(async (server, index) => (await server.log()).requests.slice(before[index] ?? 0)),
  );
  expect(new Set(sent.flat().map(({ headers }) => headers['authorization']))).toEqual(new Set(['Bearer second']));
});

test('the attempts of a submission use the secrets and turns of the leaderboard, also where the submitter has the same server', async () => {
  const place = await board({ units: 1, headers: { authorization: 'Bearer first' } });
  const other = await submitter();
  const mine = await keyFor(other.id, 'admin');
  for (const [name, { url }] of Object.entries(place.servers)) {
    const same = { name, domain: 'testing', url, headers: { authorization: 'Bearer of the submitter' } };
    expectStatus(await call(mine, 'POST', '/v1/servers', same), 201);
  }
  const { items } = pageOf(serverRecord).parse(expectStatus(await place.workspace.get('/v1/servers'), 200));
  for (const { id } of items) {
    expectStatus(await place.workspace.post(`/v1/servers/${id}/relist`, { isolation: { kind: 'none' } }), 200);
    const second = { headers: { authorization: 'Bearer second' } };
    expectStatus(await call(place.workspace.key, 'PATCH', `/v1/servers/${id}`, second), 200);
  }
  // Turns are the leaderboard's too: attempts do not wait for one that is taken among the submitter's own servers.
  const urls = Object.values(place.servers).map(({ url }) => url);
  expect(await env.WORKSPACE.getByName(other.id).takeTurns('another', urls, Date.now() + 600_000, 0)).toBe(true);
  const logs = Object.values(place.servers);
  const before = await Promise.all(logs.map(async (server) => (await server.log()).requests.length));
  const sent = received(await other.post('/v1/submissions', serviceBody(place, await startModel(), 'steady')));
  expect((await settled(other, sent.id)).record.state).toBe('published');
  const requests = await Promise.all(
    logs.map(async (server, at) => (await server.log()).requests.slice(before[at] ?? 0)),
  );
  expect(new Set(requests.flat().map(({ headers }) => headers['authorization']))).toEqual(new Set(['Bearer second']));
});
