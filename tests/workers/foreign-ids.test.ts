import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { board, received, submitter } from '../support/board.ts';
import { describedApi, exampleBody } from '../support/example-body.ts';
import { claim, claimed, evaluateGuest } from '../support/external.ts';
import { call, expectStatus, newWorkspace, problemOf } from '../support/workspace.ts';
import { startServer, tools } from '../support/world.ts';

/** What belongs to another workspace looks as if it did not exist: to the letter, because a difference in words tells it. */

const identified = z.object({ id: z.string() });
const listed = z.object({ items: z.array(identified) });
const problem = z.object({ status: z.int(), code: z.string(), detail: z.string() });

/** An id of the same form that was never given out: its last characters are others. */
const changed = (id: string): string => id.slice(0, -4) + (id.endsWith('0000') ? '1111' : '0000');

test('a foreign id is answered in the words for a missing one, at every endpoint', async () => {
  const origin = 'http://127.0.0.1:8787';
  const bed = await board({ units: 1 });
  const { workspace, benchmark, leaderboard } = bed;
  const made = async (path: string, body: unknown, status = 201) =>
    identified.parse(expectStatus(await workspace.post(path, body), status)).id;
  const evaluation = await evaluateGuest(bed, { recording: 'record', judges: false });
  const { id: attempt } = await claim(bed, evaluation);
  const [server = ''] = listed.parse((await workspace.get('/v1/servers')).body).items.map(({ id }) => id);
  const [recording = ''] = listed.parse((await workspace.get('/v1/recordings')).body).items.map(({ id }) => id);
  const [exploration = ''] = listed.parse((await workspace.get('/v1/explorations')).body).items.map(({ id }) => id);
  const guest = await submitter();
  const submission = received(
    await guest.post('/v1/submissions', { leaderboard: leaderboard.id, name: 'guest', tier: 'gateway' }),
  ).id;
  const submitted = await vi.waitFor(
    async () => claimed.parse((await guest.post('/v1/attempts/claim', { submission })).body).attempt.id,
    { timeout: 10_000, interval: 200 },
  );
  const outside = await startServer({ tools: tools('apple'), tokenSeconds: 60, people: { registers: true } });
  const asked = await call(workspace.key, 'POST', '/v1/consents', { url: outside.url }, { origin });
  const { consent } = z.object({ consent: identified }).parse(expectStatus(asked, 201));
  const watching = expectStatus(await workspace.post('/v1/watches', { server }), 201);
  const { watch } = z.object({ watch: identified }).parse(watching);
  const theirs: Readonly<Record<string, readonly string[]>> = {
    servers: [server],
    catalogs: [bed.catalog],
    explorations: [exploration],
    reviews: [exploration],
    benchmarks: [benchmark.id],
    evaluations: [evaluation],
    shares: [evaluation, exploration],
    keys: [await made('/v1/keys', { name: 'a', scopes: ['read'] })],
    attempts: [attempt, submitted],
    recordings: [recording],
    knowledge: [await made('/v1/knowledge', {})],
    submissions: [submission],
    consents: [consent.id],
    watches: [watch.id],
  };
  const stranger = await newWorkspace();

  /** Answers to both ids, the id itself left out. */
  async function answersTo(
    method: string,
    path: (id: string) => string,
    body: (id: string) => unknown,
    id: string,
  ): Promise<readonly unknown[]> {
    const told = async (each: string) => {
      const answer = await call(stranger.key, method, path(each), body(each));
      const { status, code, detail } = problem.parse(answer.body);
      return [status, code, detail.replaceAll(each, 'ID')];
    };
    return [await told(id), await told(changed(id))];
  }

  const document = describedApi.parse((await call(null, 'GET', '/openapi.json')).body);
  let compared = 0;
  for (const [template, operations] of Object.entries(document.paths)) {
    // Leaderboards, and of benchmarks the public part and the floor, are for everybody; an attempt's endpoint knows no keys.
    if (!/\{(id|exploration|run)\}/.test(template) || /\/(public|floor)/.test(template)) continue;
    const [, kind = ''] = /^\/v1\/([^/]+)/.exec(template) ?? [];
    for (const method of Object.keys(operations))
      for (const id of theirs[kind] ?? []) {
        const path = (each: string) =>
          `${template
            .replace(/\{(id|exploration|run)\}/, each)
            .replace('{number}', '1')
            .replace('{namespace}', 'main')
            .replaceAll(/\{\w+\}/g, 'x')}?agent=x&query=x&a=x&b=y&unit=u_1&attempt=a.01.source`;
        const body = exampleBody(document, method, template);
        const [foreign, missing] = await answersTo(method.toUpperCase(), path, () => body, id);
        expect([method, template, foreign]).toEqual([method, template, missing]);
        expect([method, template, foreign]).toEqual([method, template, [404, 'not-found', expect.any(String)]]);
        compared += 1;
      }
  }
  expect(compared).toBeGreaterThan(80);

  const { id: own } = await stranger.server('own', (await startServer({ tools: tools('apple') })).url);
  const bodies: readonly (readonly [string, string, (id: string) => unknown, string])[] = [
    ['POST', '/v1/catalogs', (id) => ({ servers: [id] }), server],
    ['POST', '/v1/explorations', (id) => ({ catalog: id }), bed.catalog],
    ['POST', '/v1/benchmarks', (id) => ({ explorations: [id] }), exploration],
    ['POST', '/v1/leaderboards', (id) => ({ benchmark: id, name: 'x' }), benchmark.id],
    ['POST', '/v1/attempts/claim', (id) => ({ evaluation: id, agent: 'guest' }), evaluation],
    ['POST', '/v1/attempts/claim', (id) => ({ submission: id }), submission],
    ['POST', '/v1/shares', (id) => ({ run: id, days: 1 }), evaluation],
    ['POST', '/v1/shares', (id) => ({ run: id, days: 1 }), exploration],
    ['PATCH', `/v1/servers/${own}`, (id) => ({ auth: { type: 'authorization-code', consent: id } }), consent.id],
    [
      'POST',
      '/v1/servers',
      (id) => ({ name: 'b', domain: 'd', url: outside.url, auth: { type: 'authorization-code', consent: id } }),
      consent.id,
    ],
  ];
  for (const [method, path, body, id] of bodies) {
    const [foreign, missing] = await answersTo(method, () => path, body, id);
    expect([method, path, foreign]).toEqual([method, path, missing]);
  }
});

test('an evaluation on a benchmark of another workspace does not say which of its servers are missing', async () => {
  const { benchmark } = await board({ units: 1 });
  const stranger = await newWorkspace();
  const body = { benchmark: benchmark.id, agents: [{ name: 'guest', loop: 'external' }], judges: false };
  const answer = await stranger.post('/v1/evaluations', body);
  expect(problemOf(answer)).toEqual([404, 'not-found']);
  expect(JSON.stringify(answer.body)).toContain('its public export');
  for (const server of ['fruit', 'trees', 'winds']) expect(JSON.stringify(answer.body)).not.toContain(server);
});
