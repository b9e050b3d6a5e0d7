import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serverRecord } from '#core/catalog/server.ts';
import { board, received, serviceBody, settled, submitter, type Board } from '../support/board.ts';
import { evaluationBody } from '../support/evaluation.ts';
import { describedApi } from '../support/example-body.ts';
import { call, expectStatus, keyFor, pageOf, problemOf, type Answer } from '../support/workspace.ts';
import { startModel, tools } from '../support/world.ts';

/** A leaderboard with an entry over a server that its owner marked as private. */
let place: Board;
let entry: string;
let server: string;

const mark = (isPrivate: boolean) => place.workspace.post(`/v1/servers/${server}/relist`, { private: isPrivate });

beforeAll(async () => {
  place = await board({
    units: 1,
    servers: { fruit: { tools: tools('apple', 'pear') }, trees: { tools: tools('alder') } },
  });
  const sent = received(
    await place.workspace.post('/v1/submissions', serviceBody(place, await startModel(), 'steady')),
  );
  const { record } = await settled(place.workspace, sent.id);
  expect(record.state).toBe('published');
  entry = sent.id;
  const { items } = pageOf(serverRecord).parse(expectStatus(await place.workspace.get('/v1/servers'), 200));
  server = items.find(({ name }) => name === 'fruit')?.id ?? '';
  expect(serverRecord.parse(expectStatus(await mark(true), 200)).private).toBe(true);
});

const operation = z.looseObject({ security: z.array(z.unknown()).optional() });

/** The paths that are read without a key, with the ids of the leaderboard, its benchmark and its entry. */
async function publicPaths(): Promise<string[]> {
  const document = describedApi.parse((await call(null, 'GET', '/openapi.json')).body);
  const described = Object.entries(document.paths)
    .filter(([, { get }]) => get !== undefined && operation.parse(get).security?.length === 0)
    .map(([path]) => path);
  const pages = [
    '/leaderboards',
    '/leaderboards/{id}',
    '/leaderboards/{id}/entries/{entry}',
    '/leaderboards/{id}/entries/{entry}/cases',
  ];
  return [...described, ...pages].map((path) =>
    path
      .replace('{entry}', entry)
      .replace('{id}', path.includes('benchmarks') ? place.benchmark.id : place.leaderboard.id),
  );
}

const textOf = ({ body }: Answer): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** What requests say and tools return. */
const words = [/\bK\d{5,}\b/, /R-(?:apple|pear|alder)-/, /(?:fruit|trees)(?:\/|__)/, /Please take care/, /It is done/];

describe('what agents did on a private server', () => {
  test('is on no public page and in no public answer, and those that would show it say why', async () => {
    const refused: string[] = [];
    for (const path of await publicPaths()) {
      const answer = await call(null, 'GET', path);
      expect([200, 403], `${path} ${textOf(answer)}`).toContain(answer.status);
      for (const word of words) expect(textOf(answer), path).not.toMatch(word);
      if (answer.status !== 403) continue;
      refused.push(path);
      if (path.startsWith('/v1')) expect(problemOf(answer)).toEqual([403, 'private-server']);
      else expect(textOf(answer)).toContain('Only figures are public here');
    }
    const [id, benchmark] = [place.leaderboard.id, place.benchmark.id];
    expect(refused.toSorted()).toEqual([
      `/leaderboards/${id}/entries/${entry}/cases`,
      `/v1/benchmarks/${benchmark}/public`,
      `/v1/benchmarks/${benchmark}/public/export`,
      `/v1/leaderboards/${id}/entries/${entry}/cases`,
      `/v1/leaderboards/${id}/entries/${entry}/traces`,
    ]);
  });

  test('is refused to keys of other workspaces too, also as the basis of runs and to their agents', async () => {
    const other = await submitter();
    for (const path of [
      `/v1/benchmarks/${place.benchmark.id}/public`,
      `/v1/leaderboards/${place.leaderboard.id}/entries/${entry}/traces`,
    ])
      expect(problemOf(await other.get(path))).toEqual([403, 'private-server']);
    const runner = await keyFor(other.id, 'run');
    const model = await startModel();
    const body = evaluationBody({ benchmark: place.benchmark, model }, ['one'], { split: 'public' });
    expect(problemOf(await call(runner, 'POST', '/v1/evaluations', body))).toEqual([403, 'private-server']);
    const submission = await other.post('/v1/submissions', serviceBody(place, model, 'curious'));
    expect(problemOf(submission)).toEqual([403, 'private-server']);
    expect(await model.asked()).toEqual([]);
  });

  test('is open to keys of its own workspace', async () => {
    const [id, benchmark] = [place.leaderboard.id, place.benchmark.id];
    for (const path of [`/v1/leaderboards/${id}/entries/${entry}/traces`, `/v1/benchmarks/${benchmark}/public`]) {
      const answer = await place.workspace.get(path);
      expect(answer.status, path).toBe(200);
      expect(textOf(answer)).toMatch(/\bK\d{5,}\b|fruit\//);
    }
    const submitsOnly = await keyFor(place.workspace.id, 'submit');
    expect(problemOf(await call(submitsOnly, 'GET', `/v1/benchmarks/${benchmark}/public`))).toEqual([
      403,
      'private-server',
    ]);
  });

  test('stays private when the server is removed, and under a new server of its name, until the owner says otherwise', async () => {
    const open = () => call(null, 'GET', `/v1/benchmarks/${place.benchmark.id}/public`);
    const url = place.servers['fruit']?.url ?? '';
    expect((await place.workspace.remove(`/v1/servers/${server}`)).status).toBe(204);
    expect((await open()).status).toBe(403);
    const again = await place.workspace.server('fruit', url);
    expect(again.private).toBe(true);
    expect((await open()).status).toBe(403);
    server = again.id;
    // A new listing that does not speak of it changes nothing.
    expectStatus(await place.workspace.post(`/v1/servers/${server}/relist`, {}), 200);
    expect((await open()).status).toBe(403);
    expectStatus(await mark(false), 200);
    const answers = await Promise.all((await publicPaths()).map((path) => call(null, 'GET', path)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    // What the first test looked for is there now.
    const all = answers.map(textOf).join('\n');
    for (const word of words) expect(all).toMatch(word);
  });
});
