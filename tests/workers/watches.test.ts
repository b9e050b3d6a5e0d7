import { createScheduledController, evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { incident } from '#core/reports/watch/incident.ts';
import { pastVisit, watchRecord, type WatchRecord } from '#core/reports/watch/record.ts';
import worker from '../../src/index.ts';
import { evaluateToEnd, followEvaluation, frozen } from '../support/evaluation.ts';
import { call, expectStatus, newWorkspace, pageOf, problemOf, type TestWorkspace } from '../support/workspace.ts';
import { startServer, tools } from '../support/world.ts';

const created = z.object({ watch: watchRecord, secret: z.string().nullable() });
const shown = z.object({ watch: watchRecord, incidents: z.array(incident), visits: z.array(pastVisit) });
const reading = (tools('apple', 'pear') ?? []).map((tool) => ({ ...tool, annotations: { readOnlyHint: true } }));
const tick = async (): Promise<void> => {
  await worker.scheduled?.(createScheduledController({ cron: '*/5 * * * *' }), env);
};

async function watchOf(workspace: TestWorkspace, server: string, more: Record<string, unknown> = {}) {
  return created.parse(expectStatus(await workspace.post('/v1/watches', { server, ...more }), 201));
}

const read = async ({ get }: TestWorkspace, { id }: Pick<WatchRecord, 'id'>) =>
  shown.parse(expectStatus(await get(`/v1/watches/${id}`), 200));

/** Has a watch due now, as if its time had come. */
const hurry = (id: string, what: '$.dueAt' | '$.agents.dueAt') =>
  runInDurableObject(env.WATCH.getByName(id), async (_watch, { storage }) => {
    storage.sql.exec(`UPDATE facts SET json = json_set(json, '${what}', 0) WHERE key = 'standing'`);
    await env.DIRECTORY.getByName('directory').setWatchDue(id, 0);
  });

test('the schedule visits what is due, once, and neither a paused watch nor one that is not due', async () => {
  const workspace = await newWorkspace();
  const outside = await startServer({ tools: reading });
  const server = await workspace.server('fruit', outside.url);
  const { watch, secret } = await watchOf(workspace, server.id);
  expect([secret, watch.status, watch.visits, watch.calls]).toEqual([null, 'learning', 0, 6]);
  await Promise.all([tick(), tick()]);
  await tick();
  const first = await read(workspace, watch);
  expect(first.visits).toMatchObject([{ number: 1, problem: null, calls: 6, unusual: 0 }]);
  expect(Date.parse(first.watch.nextVisitAt ?? '')).toBeGreaterThan(Date.now() + 22 * 3_600_000);

  await hurry(watch.id, '$.dueAt');
  expect(watchRecord.parse((await workspace.post(`/v1/watches/${watch.id}/pause`)).body).nextVisitAt).toBeNull();
  await tick();
  expect((await read(workspace, watch)).watch.visits).toBe(1);
  await workspace.post(`/v1/watches/${watch.id}/resume`);
  await evictDurableObject(env.WATCH.getByName(watch.id));
  await tick();
  expect((await read(workspace, watch)).watch.visits).toBe(2);
});

test('a server that is gone, and one that is not registered any more, are not reached, and the watch says so', async () => {
  const workspace = await newWorkspace();
  const outside = await startServer({ tools: reading });
  const server = await workspace.server('fruit', outside.url);
  const { watch } = await watchOf(workspace, server.id);
  const visit = () => workspace.post(`/v1/watches/${watch.id}/visits`);
  await visit();
  await outside.close();
  for (let miss = 0; miss < 3; miss += 1) await visit();
  const missed = await read(workspace, watch);
  expect(missed.watch).toMatchObject({ status: 'unreached', open: [{ kind: 'unreached' }], visits: 1 });
  expect(missed.watch.problem).not.toBeNull();
  expect(Date.parse(missed.watch.nextVisitAt ?? '')).toBeLessThan(Date.now() + 3_700_000);
  await workspace.remove(`/v1/servers/${server.id}`);
  expect(watchRecord.parse((await visit()).body).problem).toContain('not registered any more');
});

test('a visit that was taken, and one after which another one began, change nothing', async () => {
  const workspace = await newWorkspace();
  const server = await workspace.server('fruit', (await startServer({ tools: reading })).url);
  const { watch } = await watchOf(workspace, server.id);
  const object = env.WATCH.getByName(watch.id);
  const { visit } = z.object({ visit: z.int() }).parse(await object.beginVisit(Date.now(), true));
  expect(await object.beginVisit(Date.now(), true)).toBeNull();
  const miss = { kind: 'unreached', at: new Date().toISOString(), detail: 'no connection' } as const;
  for (let times = 0; times < 3; times += 1) await object.finishVisit(watch.id, visit, miss, Date.now());
  expect((await read(workspace, watch)).visits).toHaveLength(1);
  await object.beginVisit(Date.now(), true);
  await object.finishVisit(watch.id, 1, miss, Date.now());
  expect((await read(workspace, watch)).visits).toHaveLength(1);
});

test('only calls of tools that only read are taken, and no address inside the network gets messages', async () => {
  const workspace = await newWorkspace();
  const unsure = await workspace.server('unsure', (await startServer({ tools: tools('apple') })).url);
  const post = (more: Record<string, unknown>) => workspace.post('/v1/watches', { server: unsure.id, ...more });
  expect((await watchOf(workspace, unsure.id)).watch.calls).toBe(0);
  expect(problemOf(await post({ calls: [{ tool: 'apple', arguments: {} }] }))).toEqual([400, 'invalid-request']);
  expect(problemOf(await post({ calls: [{ tool: 'plum', arguments: {} }] }))).toEqual([400, 'invalid-request']);
  expect(problemOf(await post({ everyHours: 0.1 }))).toEqual([400, 'invalid-request']);
  expect(problemOf(await post({ webhook: 'ftp://example.com' }))).toEqual([422, 'address-forbidden']);
  expect(problemOf(await workspace.post('/v1/watches', { server: 'srv_none' }))).toEqual([404, 'not-found']);
  expect(problemOf(await post({ agents: { evaluation: 'evl_none' } }))).toEqual([404, 'not-found']);
});

test('page, badge and feed are for everybody where the owner says so, and for nobody else', async () => {
  const workspace = await newWorkspace();
  const server = await workspace.server('fruit', (await startServer({ tools: reading })).url);
  const [hidden, open] = [await watchOf(workspace, server.id), await watchOf(workspace, server.id, { public: true })];
  const status = async (path: string) => (await call(null, 'GET', path)).status;
  for (const end of ['', '/badge.svg', '/feed.atom']) {
    expect(await status(`/watches/${open.watch.id}${end}`)).toBe(200);
    expect(await status(`/watches/${hidden.watch.id}${end}`)).toBe(404);
    expect(await status(`/watches/nobody${end}`)).toBe(404);
  }
  const badge = await call(null, 'GET', `/watches/${open.watch.id}/badge.svg`);
  expect(badge.headers.get('cache-control')).toBe('public, max-age=300');
  const page = pageOf(watchRecord).parse((await workspace.get('/v1/watches')).body);
  expect(page.items.map(({ id }) => id).toSorted()).toEqual([hidden.watch.id, open.watch.id].toSorted());
  await workspace.post(`/v1/servers/${server.id}/relist`, { private: true });
  for (const end of ['', '/badge.svg', '/feed.atom']) expect(await status(`/watches/${open.watch.id}${end}`)).toBe(404);
  await workspace.remove(`/v1/watches/${open.watch.id}`);
  expect(await status(`/watches/${open.watch.id}`)).toBe(404);
  expect((await workspace.get(`/v1/watches/${open.watch.id}`)).status).toBe(404);
});

test('the agents of an evaluation work again when their time has come, on the same units, and count once', async () => {
  const bed = await frozen(2);
  const { run, cases } = await evaluateToEnd(bed, ['one']);
  const [server] = pageOf(z.object({ id: z.string() })).parse((await bed.workspace.get('/v1/servers')).body).items;
  const { watch } = await watchOf(bed.workspace, server?.id ?? '', { agents: { evaluation: run, everyDays: 7 } });
  const visit = () => bed.workspace.post(`/v1/watches/${watch.id}/visits`);
  await visit();
  const { agents: begun } = (await read(bed.workspace, watch)).watch;
  expect(begun).toMatchObject({ evaluation: run, counted: 0, problem: null });
  const repeated = begun?.last ?? '';
  await followEvaluation(bed, repeated);
  await hurry(watch.id, '$.agents.dueAt');
  await Promise.all([visit(), visit()]);
  const { agents: done } = (await read(bed.workspace, watch)).watch;
  expect(done).toMatchObject({ last: repeated, counted: 1, problem: null });
  const answer = expectStatus(await bed.workspace.get(`/v1/evaluations/${repeated}/cases`), 200);
  const units = pageOf(z.object({ unit: z.string() }))
    .parse(answer)
    .items.map(({ unit }) => unit);
  expect(units.toSorted()).toEqual(cases.map(({ unit }) => unit).toSorted());
});
