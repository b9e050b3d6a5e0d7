import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { serverRecord } from '#core/catalog/server.ts';
import { costEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { explorationRecord } from '#core/exploration/record.ts';
import { hostRecord, type HostRecord } from '#core/catalog/hosts/proof.ts';
import { hostStanding, newHostStanding, withProof, type HostStanding } from '#core/catalog/hosts/standing.ts';
import { caseOf, casesOf, evaluateToEnd, evaluationBody, type TestBed } from '../support/evaluation.ts';
import { exploreToEnd, runBody } from '../support/exploration.ts';
import { claim, connected, evaluateGuest, respond } from '../support/external.ts';
import { filesAsked, newPublicHost, publish, reachPublicHosts, underPublicName } from '../support/public-hosts.ts';
import { unprovenRequests } from '../support/worker-settings.ts';
import { expectStatus, newWorkspace, problemOf, type TestWorkspace } from '../support/workspace.ts';
import { startModel, startServer, tools, type OutsideServer } from '../support/world.ts';

const dryRun = z.object({ estimate: costEstimate });

let reachNoMore: () => void;
beforeAll(() => {
  reachNoMore = reachPublicHosts();
});
afterAll(() => reachNoMore());

const read = async (workspace: TestWorkspace, host: string): Promise<HostRecord> =>
  hostRecord.parse(expectStatus(await workspace.get(`/v1/hosts/${host}/proof`), 200));
const prove = (workspace: TestWorkspace, host: string) => workspace.post(`/v1/hosts/${host}/proof`);
const standingOf = (host: string) =>
  runInDurableObject(env.SERVER_HOST.getByName(host), (_object, { storage }) => storage.kv.get('standing') ?? null);
/** Has a host stand so, as after a restart of its object. */
async function keepStanding(host: string, standing: HostStanding): Promise<void> {
  const stub = env.SERVER_HOST.getByName(host);
  await runInDurableObject(stub, async (_object, { storage }) => {
    storage.kv.put('standing', standing);
    await storage.setAlarm(Date.now() + 3_600_000);
  });
  await evictDurableObject(stub);
}
const requestsOf = async (outside: OutsideServer): Promise<number> => (await outside.log()).requests.length;

/** A server under a public name of its own. */
async function publicServer() {
  const outside = await startServer({ tools: tools('apple', 'pear') });
  const host = newPublicHost();
  return { outside, host, url: underPublicName(outside.url, host) };
}

describe('the proof that a host is one’s own', () => {
  test('is a line for a DNS record or a file, another one for each workspace and host', async () => {
    const [one, two] = [await newWorkspace(), await newWorkspace()];
    const host = newPublicHost();
    const shown = await read(one, host);
    expect(shown).toMatchObject({
      host,
      limit: unprovenRequests,
      unprovenToday: 0,
      proof: null,
      line: expect.stringMatching(/^sextant-proof=[\w-]{43}$/),
      file: `https://${host}/.well-known/sextant.txt`,
      record: `_sextant.${host}`,
    });
    expect(await read(one, host)).toEqual(shown);
    const others = [await read(two, host), await read(one, newPublicHost())];
    for (const other of others) expect(other.line).not.toBe(shown.line);
    expect(await standingOf(host), 'reading stores nothing').toBeNull();
  });

  test('is refused for what is no public host', async () => {
    const workspace = await newWorkspace();
    for (const local of ['127.0.0.1', 'localhost', '10.0.0.7', '[::1]', 'printer.local'])
      expect(problemOf(await prove(workspace, local)), local).toEqual([422, 'address-forbidden']);
    for (const wrong of ['a.example:8443', 'a.example%2Fx', 'a%20b.example', 'user@a.example'])
      expect(problemOf(await prove(workspace, wrong)), wrong).toEqual([400, 'invalid-request']);
  });

  test('is found in a file among lines of others, and only while the file is a text of the host itself', async () => {
    const [workspace, stranger] = [await newWorkspace(), await newWorkspace()];
    const host = newPublicHost();
    const { line } = await read(workspace, host);
    const body = `# who measures this host\r\nsextant-proof=of-somebody-else\r\n  ${line} \r\n`;
    const elsewhere = newPublicHost();
    await publish({ host: elsewhere, file: { body } });
    const wrong = [
      { body: `https://${elsewhere}/.well-known/sextant.txt`, status: 301 },
      { body: `<p>${line}</p>`, type: 'text/html; charset=utf-8' },
      { body, status: 404 },
      { body: `x${line}` },
      { body: `${'#'.repeat(17_000)}\n${line}` },
    ];
    const why = ['HTTP status 301', 'it is text/html', 'HTTP status 404', 'no such line', 'larger than'];
    for (const [index, file] of wrong.entries()) {
      const own = newPublicHost();
      await publish({ host: own, file: { ...file, body: file.body.replace(line, (await read(workspace, own)).line) } });
      const refused = await prove(workspace, own);
      expect(problemOf(refused), why[index]).toEqual([422, 'host-not-proven']);
      expect(refused.body).toMatchObject({ detail: expect.stringContaining(why[index] ?? 'none') });
    }
    await publish({ host, file: { body, type: 'text/plain; charset=utf-8' } });
    const proven = hostRecord.parse(expectStatus(await prove(workspace, host), 200));
    expect(proven.proof).toMatchObject({ by: 'file' });
    expect(Date.parse(proven.proof?.until ?? '') - Date.parse(proven.proof?.found ?? '')).toBe(30 * 24 * 3_600_000);
    expect(problemOf(await prove(stranger, host)), 'it proves nothing to others').toEqual([422, 'host-not-proven']);
  });

  test('is found in a DNS record, also over an alias, without a request to the host', async () => {
    const workspace = await newWorkspace();
    for (const alias of [undefined, 'records.elsewhere.example']) {
      const host = newPublicHost();
      const { line } = await read(workspace, host);
      await publish({ host, texts: ['v=spf1 -all', line], ...(alias === undefined ? {} : { alias }) });
      expect(hostRecord.parse(expectStatus(await prove(workspace, host), 200)).proof).toMatchObject({ by: 'dns' });
      expect(await filesAsked(host)).toBe(0);
    }
  });

  test('is not found where the resolver fails, which the refusal says', async () => {
    const workspace = await newWorkspace();
    const host = newPublicHost();
    await publish({ host, code: 2 });
    const refused = await prove(workspace, host);
    expect(problemOf(refused)).toEqual([422, 'host-not-proven']);
    expect(refused.body).toMatchObject({ detail: expect.stringContaining('the resolver answers with the code 2') });
  });

  test('is looked for once, however often a workspace asks within a minute', async () => {
    const workspace = await newWorkspace();
    const host = newPublicHost();
    const asked = await Promise.all(Array.from({ length: 5 }, () => prove(workspace, host)));
    for (const answer of asked) expect(problemOf(answer)).toEqual([422, 'host-not-proven']);
    expect(await filesAsked(host)).toBe(1);
    expect(Number(asked[4]?.headers.get('retry-after'))).toBeGreaterThan(30);
  });

  test('is looked for again in its last week, and ends when it is not found until then', async () => {
    const workspace = await newWorkspace();
    const [kept, lost] = [newPublicHost(), newPublicHost()];
    await publish({ host: kept, texts: [(await read(workspace, kept)).line] });
    const dayMs = 24 * 3_600_000;
    const foundDaysAgo = async (host: string, days: number): Promise<number> => {
      const foundMs = Date.now() - days * dayMs;
      await keepStanding(host, withProof(newHostStanding(host), workspace.id, 'dns', foundMs));
      expect(await runDurableObjectAlarm(env.SERVER_HOST.getByName(host))).toBe(true);
      return foundMs;
    };
    const begun = Date.now();
    const sinceMs = await foundDaysAgo(kept, 25);
    const found = hostStanding.parse(await standingOf(kept)).proofs[workspace.id];
    expect(found?.sinceMs).toBe(sinceMs);
    expect(found?.foundMs).toBeGreaterThanOrEqual(begun);
    const lostMs = await foundDaysAgo(lost, 25);
    expect(hostStanding.parse(await standingOf(lost)).proofs[workspace.id]).toEqual({
      by: 'dns',
      sinceMs: lostMs,
      foundMs: lostMs,
    });
    expect(await filesAsked(lost)).toBe(1);
    await foundDaysAgo(lost, 31);
    expect(await standingOf(lost)).toBeNull();
    expect((await read(workspace, lost)).proof).toBeNull();
  });
});

describe('a host that is not proven', () => {
  test('gets no more requests in a day than the deployment allows, of all workspaces and kinds together', async () => {
    const { outside, url, host } = await publicServer();
    const [one, two] = [await newWorkspace(), await newWorkspace()];
    await one.server('fruit', url);
    await two.server('fruit', url);
    expect((await read(one, host)).unprovenToday).toBe(await requestsOf(outside));
    let last = await one.post('/v1/servers', { name: 'again', domain: 'testing', url });
    for (let n = 0; n < unprovenRequests && last.status === 201; n += 1)
      last = await one.post('/v1/servers', { name: `again-${n}`, domain: 'testing', url });
    expect(problemOf(last)).toEqual([422, 'host-not-proven']);
    expect(last.body).toMatchObject({
      detail: expect.stringContaining(`${host} gets ${unprovenRequests} requests a day`),
    });
    expect(problemOf(await two.post('/v1/servers', { name: 'more', domain: 'testing', url }))[1]).toBe(
      'host-not-proven',
    );
    expect(await requestsOf(outside)).toBeLessThanOrEqual(unprovenRequests);
    expect((await read(two, host)).unprovenToday).toBe(unprovenRequests);
  });

  test('breaks attempts of runs and of external agents when its requests are used up, until it is proven', async () => {
    const { outside, url, host } = await publicServer();
    const workspace = await newWorkspace();
    const server = serverRecord.parse(await workspace.server('fruit', url));
    await publish({ host, texts: [(await read(workspace, host)).line] });
    expectStatus(await prove(workspace, host), 200);
    const { id: catalog } = await workspace.catalog(server);
    const ground = { workspace, catalog, model: await startModel([]), servers: { fruit: outside } };
    const { run } = await exploreToEnd(ground, { batch: 2 });
    const made = await workspace.post('/v1/benchmarks', { explorations: [run], privateShare: 0, floor: false });
    const bed: TestBed = { ...ground, benchmark: benchmarkRecord.parse(expectStatus(made, 201)) };
    const before = await requestsOf(outside);
    const free = await evaluateToEnd(bed, ['steady'], { trials: 4 });
    expect(free.results('steady').notEvaluated).toBe(0);
    expect((await requestsOf(outside)) - before).toBeGreaterThan(unprovenRequests);
    expect((await read(workspace, host)).unprovenToday, 'the listing came before the proof').toBeLessThan(10);

    const attacks = evaluationBody(bed, ['steady'], { protocol: 'attack', judges: false });
    const dryAttack = () => workspace.post('/v1/evaluations?dryRun=true', attacks);
    expectStatus(await dryAttack(), 200);
    await keepStanding(host, newHostStanding(host));
    expect(problemOf(await dryAttack()), 'attacks are for servers of one’s own').toEqual([
      422,
      'attack-on-foreign-server',
    ]);
    const board = { benchmark: bed.benchmark.id, protocol: 'attack', name: 'attacks', trials: 1 };
    expect(problemOf(await workspace.post('/v1/leaderboards', board))).toEqual([422, 'attack-on-foreign-server']);
    const limitedBefore = await requestsOf(outside);
    const limited = await evaluateToEnd(bed, ['steady'], { trials: 4 });
    const limitedRequests = (await requestsOf(outside)) - limitedBefore;
    expect(limitedRequests).toBeLessThanOrEqual(unprovenRequests);
    expect(limitedRequests).toBeGreaterThan(unprovenRequests / 2);
    expect(limited.results('steady').notEvaluated).toBeGreaterThan(0);
    const [broken] = (await casesOf(bed, limited.run)).filter(({ attempts }) =>
      Object.values(attempts).some(({ evaluated }) => !evaluated),
    );
    const { traces } = await caseOf(bed, limited.run, broken?.id ?? '');
    expect(JSON.stringify(traces)).toContain('"code":"not-proven"');

    const guests = await evaluateGuest(bed, {});
    const attempt = await claim(bed, guests);
    const client = await connected(attempt);
    await expect(client.callTool({ name: 'fruit__apple', arguments: { code: 'K100001' } })).rejects.toThrow(host);
    await client.close();
    expect(expectStatus(await respond(bed, attempt, 'nothing'), 200)).toMatchObject({ evaluated: false, again: true });

    expectStatus(await prove(workspace, host), 200);
    const again = await claim(bed, guests);
    const second = await connected(again);
    expect(await second.callTool({ name: 'fruit__apple', arguments: { code: 'K100001' } })).toMatchObject({
      content: [{ type: 'text' }],
    });
    await second.close();
  }, 60_000);

  test('is named before a run starts that would need more requests', async () => {
    const { url, host } = await publicServer();
    const workspace = await newWorkspace();
    const { id: catalog } = await workspace.catalog(await workspace.server('fruit', url));
    const ground = { workspace, catalog, model: await startModel([]), servers: {} };
    const warningsOf = async (rounds: number): Promise<readonly string[] | undefined> => {
      const answer = await workspace.post('/v1/explorations?dryRun=true', runBody(ground, { rounds, batch: 1 }));
      return dryRun.parse(expectStatus(answer, 200)).estimate.warnings;
    };
    expect(await warningsOf(1)).toEqual([]);
    expect(await warningsOf(10)).toEqual([expect.stringContaining(`${host} is expected to get about`)]);
    const started = await workspace.post('/v1/explorations', runBody(ground, { rounds: 10, batch: 2 }));
    const { id, preflight } = explorationRecord.parse(expectStatus(started, 202));
    expect(preflight.warnings).toEqual([expect.stringContaining(`gets ${unprovenRequests} a day`)]);
    expectStatus(await workspace.post(`/v1/explorations/${id}/cancel`), 200);
    await publish({ host, texts: [(await read(workspace, host)).line] });
    expectStatus(await prove(workspace, host), 200);
    expect(await warningsOf(10)).toEqual([]);
  });
});
