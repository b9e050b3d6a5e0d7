import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { board, received, submitter, uploadTraces, type Board } from '../support/board.ts';
import { describedApi, exampleBody } from '../support/example-body.ts';
import { claimed } from '../support/external.ts';
import { call, expectStatus, newWorkspace, problemOf, type TestWorkspace } from '../support/workspace.ts';

/** An object that is asked is made, with its storage: no request may make one for an id that nobody was given. */

const isNamespace = (binding: unknown): binding is DurableObjectNamespace =>
  typeof binding === 'object' && binding?.constructor.name === 'DurableObjectNamespace';

/** How many objects of each kind there are. */
async function objects(): Promise<Record<string, number>> {
  const namespaces = Object.entries(env).flatMap(([name, binding]) =>
    isNamespace(binding) ? [{ name, binding }] : [],
  );
  const counts = namespaces.map(async ({ name, binding }) => [name, (await listDurableObjectIds(binding)).length]);
  return Object.fromEntries(await Promise.all(counts));
}

/** How many objects of a kind have anything stored. */
async function stored<T extends Rpc.DurableObjectBranded>(namespace: DurableObjectNamespace<T>): Promise<number> {
  const tables = await Promise.all(
    (await listDurableObjectIds(namespace)).map((id) =>
      runInDurableObject(namespace.get(id), (_object, { storage }) =>
        storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
      ),
    ),
  );
  return tables.filter(({ length }) => length > 0).length;
}

const guess = (prefix: string, n: number): string =>
  `${prefix}_${(Date.now() + n).toString(36).padStart(9, '0')}${crypto.randomUUID().replaceAll('-', '').slice(0, 10)}`;

/** Ids of these are looked at before anybody is asked. */
const prefixes: Readonly<Record<string, string>> = { attempts: 'att', leaderboards: 'lb' };

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await newWorkspace();
  // The workspace itself is there from its first request on.
  expectStatus(await workspace.get('/v1/servers'), 200);
});

describe('a guessed id', () => {
  test('creates no object for any request', async () => {
    const document = describedApi.parse((await call(null, 'GET', '/openapi.json')).body);
    const before = await objects();
    let asked = 0;
    for (const [path, operations] of Object.entries(document.paths)) {
      if (!path.includes('{')) continue;
      const [, kind = ''] = /^\/(?:v1|mcp|models)\/([^/]+)/.exec(path) ?? [];
      const prefix = prefixes[kind] ?? kind;
      for (const method of Object.keys(operations)) {
        for (let n = 0; n < 3; n += 1) {
          const at = path
            .replace(/\{(id|exploration)\}/, prefix === 'lb' ? `lb_${String(n).repeat(24)}` : guess(prefix, n))
            .replace('{number}', '1')
            .replaceAll(/\{\w+\}/g, 'x');
          const body = exampleBody(document, method, path);
          for (const key of [workspace.key, null]) {
            const { status } = await call(
              key,
              method.toUpperCase(),
              `${at}?unit=x&attempt=x&a=x&b=x&query=x&agent=x`,
              body,
            );
            expect([path, method, status < 500]).toEqual([path, method, true]);
            expect([path, method, status >= 400]).toEqual([path, method, true]);
            asked += 1;
          }
        }
      }
    }
    expect(asked).toBeGreaterThan(300);
    expect(await objects()).toEqual(before);
  });

  test('of an attempt or a submission is not looked up, fifty times', async () => {
    const before = await objects();
    for (let n = 0; n < 50; n += 1) {
      const attempt = guess('att', n);
      // As long as one that was issued.
      for (const id of [attempt, `${attempt}0123456789ab`]) {
        const headers = { authorization: 'Bearer sxa_guess' };
        expect(problemOf(await call(null, 'POST', `/mcp/attempts/${id}`, {}, { headers }))).toEqual([
          401,
          'unauthorized',
        ]);
        const answer = await workspace.post(`/v1/attempts/${id}/response`, { response: 'x' });
        expect(problemOf(answer)).toEqual([404, 'not-found']);
      }
      const submission = guess('sub', n);
      expect(problemOf(await workspace.get(`/v1/submissions/${submission}`))).toEqual([404, 'not-found']);
      const moderated = await workspace.post(`/v1/submissions/${submission}/moderate`, { action: 'hide', reason: 'x' });
      expect(problemOf(moderated)).toEqual([404, 'not-found']);
    }
    expect(await objects()).toEqual(before);
  });
});

test('refused imports and uploads store nothing', async () => {
  const bed: Board = await board({ units: 1 });
  const guest = await submitter();
  const files = ['', '{}', '{"type":"benchmark"}', '{"type":"recording","format":1,"benchmark":"b","calls":7}'];
  const text = { headers: { 'content-type': 'text/jsonl' } };
  const send = async (file: BodyInit): Promise<number[]> => {
    const answers = [
      await bed.workspace.post('/v1/benchmarks/import', undefined, { raw: file, ...text }),
      await bed.workspace.post('/v1/recordings/import', undefined, { raw: file, ...text }),
      await uploadTraces(guest, bed, 'Guest', file),
    ];
    return answers.map(({ status }) => status);
  };
  const kept = async () => [await stored(env.BENCHMARK), await stored(env.RECORDING), await stored(env.SUBMISSION)];
  const before = await kept();
  for (const file of files) for (const status of await send(file)) expect([400, 422]).toContain(status);
  // What has nothing stored is no object any more once it sleeps.
  expect(await kept()).toEqual(before);
});

test('refused imports and uploads use one object again and again, and a good one that follows is whole', async () => {
  const bed: Board = await board({ units: 1 });
  const guest = await submitter();
  const text = { headers: { 'content-type': 'text/jsonl' } };
  const before = await objects();
  for (let n = 0; n < 5; n += 1)
    for (const file of ['{}', '{"type":"recording","format":1,"benchmark":"b","calls":7,"redact":{}}']) {
      for (const kind of ['benchmarks', 'recordings'])
        expect((await bed.workspace.post(`/v1/${kind}/import`, undefined, { raw: file, ...text })).status).toBe(
          kind === 'recordings' && file !== '{}' ? 422 : 400,
        );
      expectStatus(await uploadTraces(guest, bed, 'Guest', file), 400);
    }
  const after = await objects();
  const grown = ['BENCHMARK', 'RECORDING', 'SUBMISSION'].map((name) => (after[name] ?? 0) - (before[name] ?? 0));
  expect(grown).toEqual([1, 1, 1]);
  const recording = `${JSON.stringify({ type: 'recording', format: 1, benchmark: 'b', calls: 0, redact: {} })}\n`;
  const imported = await bed.workspace.post('/v1/recordings/import', undefined, { raw: recording, ...text });
  expectStatus(imported, 201);
  expect(await objects()).toEqual(after);
  // What was made is no spare: the next refused import takes another object.
  await bed.workspace.post('/v1/recordings/import', undefined, { raw: '{}', ...text });
  const { id } = z.object({ id: z.string() }).parse(imported.body);
  expectStatus(await bed.workspace.get(`/v1/recordings/${id}`), 200);
  expect((await objects())['RECORDING']).toBe((after['RECORDING'] ?? 0) + 1);
});

test('a claimed attempt is found by its id, but not by a similar one', async () => {
  const bed: Board = await board({ units: 1 });
  const guest = await submitter();
  const { id } = received(
    await guest.post('/v1/submissions', { leaderboard: bed.leaderboard.id, name: 'guest', tier: 'gateway' }),
  );
  let body: unknown;
  await vi.waitFor(
    async () => {
      body = (await guest.post('/v1/attempts/claim', { submission: id })).body;
      expect(body).toMatchObject({ status: 'claimed' });
    },
    { timeout: 10_000, interval: 200 },
  );
  const { attempt } = claimed.parse(body);
  expect(attempt.id).toMatch(/^att_[0-9a-z]{20}[0-9a-f]{12}$/);
  const other = `${attempt.id.slice(0, -1)}${attempt.id.endsWith('0') ? '1' : '0'}`;
  expect(problemOf(await guest.post(`/v1/attempts/${other}/response`, { response: 'x' }))).toEqual([404, 'not-found']);
  expectStatus(await guest.post(`/v1/attempts/${attempt.id}/response`, { response: 'x' }), 200);
  // Only moderators of the leaderboard can read the submission.
  expectStatus(await bed.workspace.get(`/v1/submissions/${id}`), 200);
  expect(problemOf(await workspace.get(`/v1/submissions/${id}`))).toEqual([404, 'not-found']);
});
