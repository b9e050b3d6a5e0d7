import { createExecutionContext, listDurableObjectIds, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { refuse } from '#core/values/errors.ts';
import { ok } from '#core/values/result.ts';
import { findFirstBrokenLogLine, hashRecord } from '#core/leaderboards/log-lines.ts';
import {
  entry,
  entryPlace,
  leaderboardRecord,
  logLine,
  rankedEntry,
  signedRecord,
  type Entry,
  type LeaderboardRecord,
} from '#core/leaderboards/record.ts';
import { hasValidSignature } from '#core/leaderboards/signature.ts';
import { settingsSchema } from '#adapters/settings.ts';
import { createApp } from '#api/app.ts';
import { fakeServices } from '../support/fake-services.ts';
import { importBenchmark, openLeaderboard, publish, units } from '../support/open-leaderboard.ts';
import { allAttempts, fileText, header, sealedFile } from '../support/trace-file.ts';
import {
  call,
  expectStatus,
  keyFor,
  newWorkspace,
  problemOf,
  unique,
  type Answer,
  type TestWorkspace,
} from '../support/workspace.ts';

const entryPage = z.object({ items: z.array(rankedEntry), nextCursor: z.string().nullable(), total: z.int() });
const linesOf = <T>(line: z.ZodType<T>, answer: Answer): T[] =>
  z
    .string()
    .parse(expectStatus(answer, 200))
    .trimEnd()
    .split('\n')
    .map((text) => line.parse(JSON.parse(text)));
const nobody = `lb_${'f'.repeat(24)}`;
const open = (path: string, headers: Record<string, string> = {}) => call(null, 'GET', path, undefined, { headers });

let workspace: TestWorkspace;
let board: LeaderboardRecord;
let best: Entry;
let tied: Entry;
let worst: Entry;
let hidden: Entry;
beforeAll(async () => {
  workspace = await newWorkspace();
  board = await openLeaderboard(workspace);
  best = await publish(board, 0.8, { name: 'Best', costUsd: 2 });
  tied = await publish(board, 0.8, { name: 'Tied', costUsd: 3 });
  worst = await publish(board, 0.2, { name: '=Worst <b>\u202E', costUsd: 1 });
  hidden = await publish(board, 0.9, { name: 'Hidden' });
  expect(
    await env.LEADERBOARD.getByName(board.id).hideEntry(hidden.id, 'it looks odd', '2026-05-03T00:00:00.000Z'),
  ).toEqual(ok(null));
});

describe('opening a leaderboard', () => {
  test("gives the same one again, with the deployment's judge", async () => {
    const benchmark = await importBenchmark(workspace);
    const body = { benchmark, name: 'Again' };
    const answers = await Promise.all([1, 2].map(() => workspace.post('/v1/leaderboards', body)));
    const [first, again] = answers.map((answer) => leaderboardRecord.parse(expectStatus(answer, 201)));
    expect(again).toEqual(first);
    expect(first).toMatchObject({
      benchmark,
      name: 'Again',
      protocol: 'sgvef',
      trials: 4,
      previous: null,
      publicUnits: units,
      privateUnits: 0,
      offline: true,
      judge: { model: 'test-judge' },
      entries: { service: 0 },
    });
    expect(first?.id).toMatch(/^lb_[0-9a-f]{24}$/);
    for (const answer of answers) expect(answer.headers.get('location')).toBe(`/v1/leaderboards/${first?.id}`);
    expect(JSON.stringify(first)).not.toContain(workspace.id);
    expect(problemOf(await workspace.post('/v1/leaderboards', { ...body, trials: 5 }))).toEqual([
      409,
      'leaderboard-exists',
    ]);
  });

  test('needs a benchmark of the workspace, the scope, and an existing earlier leaderboard', async () => {
    const foreign = await importBenchmark(await newWorkspace());
    const benchmark = await importBenchmark(workspace);
    const reader = await keyFor(workspace.id, 'read');
    const name = 'A';
    for (const [body, key, problem] of [
      [{ benchmark: foreign, name }, workspace.key, [404, 'not-found']],
      [{ benchmark: 'bm_unknown', name }, workspace.key, [404, 'not-found']],
      [{ benchmark, name, previous: nobody }, workspace.key, [404, 'not-found']],
      [{ benchmark, name, previous: 'nonsense' }, workspace.key, [404, 'not-found']],
      [{ benchmark, name }, reader, [403, 'forbidden']],
      [{ benchmark, name }, null, [401, 'unauthorized']],
      [{ benchmark }, workspace.key, [400, 'invalid-request']],
      [{ benchmark, name, protocol: 'gve' }, workspace.key, [400, 'invalid-request']],
      [{ benchmark, name, trials: 0 }, workspace.key, [400, 'invalid-request']],
    ] as const)
      expect(problemOf(await call(key, 'POST', '/v1/leaderboards', body))).toEqual(problem);
  });

  test('is refused with more trials than a submission can be evaluated in, and says how many would fit', async () => {
    const body = { benchmark: await importBenchmark(workspace, 5_001), name: 'Large' };
    const refused = await workspace.post('/v1/leaderboards', { ...body, trials: 20 });
    expect(problemOf(refused)).toEqual([422, 'evaluation-too-large']);
    expect(refused.body).toMatchObject({
      detail:
        '5,001 units and 20 trials make 200,040 attempts of each submission, and an evaluation may have 200,000; with these units 19 trials would fit',
    });
    const answer = await workspace.post('/v1/leaderboards', { ...body, trials: 19 });
    expect(leaderboardRecord.parse(expectStatus(answer, 201))).toMatchObject({ trials: 19, publicUnits: 5_001 });
  });

  test('makes it visible to everyone', async () => {
    const found: string[] = [];
    const pages = z.object({ items: z.array(z.object({ id: z.string() })), nextCursor: z.string().nullable() });
    for (let cursor: string | null = ''; cursor !== null;) {
      const read = pages.parse(expectStatus(await open(`/v1/leaderboards?limit=2&cursor=${cursor}`), 200));
      found.push(...read.items.map(({ id }) => id));
      cursor = read.nextCursor;
    }
    expect(found).toContain(board.id);
    expect(new Set(found).size).toBe(found.length);
    expect(expectStatus(await open(`/v1/leaderboards/${board.id}`), 200)).toMatchObject({
      id: board.id,
      entries: { service: 3 },
    });
    for (const id of [nobody, 'nonsense'])
      expect(problemOf(await open(`/v1/leaderboards/${id}`))).toEqual([404, 'not-found']);
  });
});

describe('the entries of a leaderboard', () => {
  const path = () => `/v1/leaderboards/${board.id}`;

  test('are read in pages, in the order of a metric, with ties', async () => {
    const all = entryPage.parse(expectStatus(await open(`${path()}/entries`), 200));
    expect(all.total).toBe(3);
    expect(all.nextCursor).toBeNull();
    expect(all.items.map(({ position, rank, onFront }) => [position, rank, onFront])).toEqual([
      [1, 1, true],
      [2, 1, false],
      [3, 3, true],
    ]);
    expect(all.items.at(-1)?.entry).toEqual(worst);
    const first = entryPage.parse(expectStatus(await open(`${path()}/entries?limit=2&metric=cost`), 200));
    // The cheapest succeeds too rarely to have a place by cost.
    expect(first.items.map(({ entry: { costUsd }, ranked }) => [costUsd, ranked])).toEqual([
      [2, true],
      [3, true],
    ]);
    const rest = entryPage.parse(
      expectStatus(await open(`${path()}/entries?limit=2&metric=cost&cursor=${first.nextCursor}`), 200),
    );
    expect(rest.items.map(({ entry: { id }, rank, ranked }) => [id, rank, ranked])).toEqual([[worst.id, 3, false]]);
    expect(rest.nextCursor).toBeNull();
    expect(entryPage.parse(expectStatus(await open(`${path()}/entries?cursor=99`), 200))).toEqual({
      items: [],
      nextCursor: null,
      total: 3,
    });
    for (const query of ['metric=elo', 'cursor=x', 'cursor=-1', 'limit=0', 'limit=501'])
      expect(problemOf(await open(`${path()}/entries?${query}`))).toEqual([400, 'invalid-request']);
    expect((await open(`${path()}/entries?metric=elo`)).body).toMatchObject({
      detail: expect.stringContaining('rank nobody'),
    });
    expect(problemOf(await open(`/v1/leaderboards/${nobody}/entries`))).toEqual([404, 'not-found']);
  });

  test('are read with the reasons for their rank, and show the reason after removal', async () => {
    const shown = z.object({ entry, place: entryPlace });
    const [leader, other] = (await Promise.all([best, tied].map(({ id }) => open(`${path()}/entries/${id}`))))
      .map((answer) => shown.parse(expectStatus(answer, 200)))
      .toSorted((a, b) => a.place.position - b.place.position);
    expect(leader?.place).toMatchObject({ position: 1, rank: 1, of: 3, leader: null, above: null });
    expect(other?.place).toMatchObject({
      position: 2,
      rank: 1,
      leader: { with: leader?.entry.id, name: leader?.entry.name, difference: 0, units },
      above: null,
    });
    const last = shown.parse(expectStatus(await open(`${path()}/entries/${worst.id}`), 200));
    expect(last.entry).toEqual(worst);
    expect(last.place).toMatchObject({ rank: 3, leader: null, above: { with: leader?.entry.id, units } });
    expect(last.place.above?.difference).toBeCloseTo(-0.6);
    for (const part of ['', '/record', '/traces', '/cases', '/history', '/badge.svg'])
      expect([part, ...problemOf(await open(`${path()}/entries/${hidden.id}${part}`))]).toEqual([
        part,
        410,
        'entry-gone',
      ]);
    for (const part of ['', '/record', '/traces', '/cases', '/history', '/badge.svg'])
      expect([part, ...problemOf(await open(`${path()}/entries/sub_unknown${part}`))]).toEqual([
        part,
        404,
        'not-found',
      ]);
  });

  test('cost one query if the client has the current answer', async () => {
    const other = await openLeaderboard(workspace);
    const { id } = await publish(other, 0.5, { name: 'One', costUsd: 1 });
    const paths = [
      `/v1/leaderboards/${other.id}/entries`,
      `/v1/leaderboards/${other.id}/entries?metric=cost`,
      `/v1/leaderboards/${other.id}/entries/${id}`,
      `/v1/leaderboards/${other.id}/entries/${id}/badge.svg`,
      `/leaderboards/${other.id}`,
      `/leaderboards/${other.id}/entries/${id}`,
    ];
    const etags = new Map<string, string>();
    for (const each of paths) {
      const answer = await open(each);
      expect([each, answer.status, answer.headers.get('cache-control')]).toEqual([each, 200, 'public, max-age=5']);
      const etag = answer.headers.get('etag') ?? '';
      etags.set(each, etag);
      const again = await open(each, { 'if-none-match': `W/${etag}` });
      expect([each, again.status, again.body, again.headers.get('etag')]).toEqual([each, 304, '', etag]);
    }
    expect(new Set(etags.values()).size).toBe(paths.length);
    await publish(other, 0.6, { name: 'Two', costUsd: 2 });
    for (const [each, etag] of etags)
      expect([each, (await open(each, { 'if-none-match': etag })).status]).toEqual([each, 200]);
  });

  test('come with a signed record that can be verified, and a log that links them', async () => {
    const signed = signedRecord.parse(expectStatus(await open(`${path()}/entries/${best.id}/record`), 200));
    expect(await hasValidSignature(signed)).toBe(true);
    expect(signed.record.entry).toEqual(best);
    expect(expectStatus(await open('/v1/signing-key'), 200)).toEqual({
      algorithm: 'Ed25519',
      publicKey: signed.publicKey,
      retired: [],
    });
    const log = linesOf(logLine, await open(`${path()}/log`));
    expect(await findFirstBrokenLogLine(log)).toBeNull();
    expect(log.map(({ kind }) => kind)).toEqual([
      'opened',
      'published',
      'published',
      'published',
      'published',
      'hidden',
    ]);
    expect(log[1]).toMatchObject({ entry: best.id, record: await hashRecord(signed.record) });
    expect(problemOf(await open(`/v1/leaderboards/${nobody}/log`))).toEqual([404, 'not-found']);
  });

  test('are exported as files in which outside text is not a formula', async () => {
    const exported = linesOf(entry, await open(`${path()}/export`));
    expect(exported.map(({ id }) => id).toSorted()).toEqual([best.id, tied.id, worst.id].toSorted());
    const csv = await open(`${path()}/export?format=csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const text = z.string().parse(expectStatus(csv, 200));
    expect(text.trimEnd().split('\r\n')).toHaveLength(4);
    expect(text).toContain(",'=Worst <b>");
    expect(problemOf(await open(`${path()}/export?format=xml`))).toEqual([400, 'invalid-request']);
    expect(problemOf(await open(`/v1/leaderboards/${nobody}/export`))).toEqual([404, 'not-found']);
  });

  test('have a front of cost and execution, cheapest first', async () => {
    const { items } = z.object({ items: z.array(entry) }).parse(expectStatus(await open(`${path()}/front`), 200));
    expect(items.map(({ id }) => id)).toEqual([worst.id, best.id]);
    expect(problemOf(await open(`/v1/leaderboards/${nobody}/front`))).toEqual([404, 'not-found']);
  });

  test('have a badge, a picture that runs nothing', async () => {
    const answer = await open(`${path()}/entries/${worst.id}/badge.svg`);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(answer.body).toEqual(expect.stringContaining('=Worst &lt;b&gt;␦'));
    expect(answer.body).toEqual(expect.stringContaining('rank 3 of 3 (service), success'));
    for (const { id } of [best, tied])
      expect((await open(`${path()}/entries/${id}/badge.svg`)).body).toEqual(
        expect.stringContaining('rank 1 of 3 (service), tied, success'),
      );
  });
});

test('an agent can be followed along its submissions and the versions of the benchmark', async () => {
  const item = z.object({ leaderboard: z.string(), benchmark: z.string(), entry });
  const history = async (of: LeaderboardRecord, { id }: Entry) =>
    z
      .object({ items: z.array(item) })
      .parse(expectStatus(await open(`/v1/leaderboards/${of.id}/entries/${id}/history`), 200)).items;
  const first = await openLeaderboard(workspace);
  const second = await openLeaderboard(workspace, { previous: first.id });
  const third = await openLeaderboard(workspace, { previous: second.id });
  const mine = { name: 'Mine', workspace: 'me' };
  const old = await publish(first, 0.3, mine);
  await publish(first, 0.9, { name: 'Theirs', workspace: 'them' });
  await publish(second, 0.9, { name: 'Mine', workspace: 'them' });
  const newer = [await publish(third, 0.4, mine), await publish(third, 0.5, { ...mine, name: ' MINE' })];
  const followed = await history(third, newer[0] ?? old);
  expect(followed.map(({ leaderboard }) => leaderboard)).toEqual([third.id, third.id, first.id]);
  expect(
    followed
      .slice(0, 2)
      .map((each) => each.entry.id)
      .toSorted(),
  ).toEqual(newer.map(({ id }) => id).toSorted());
  expect(followed[2]).toEqual({ leaderboard: first.id, benchmark: first.benchmark, entry: old });
  // Looking back only: what came later is not known there.
  expect((await history(first, old)).map((each) => each.entry.id)).toEqual([old.id]);
  expect(JSON.stringify(followed)).not.toContain('"workspace"');
});

describe('the list of submissions', () => {
  const path = () => `/v1/leaderboards/${board.id}/submissions`;
  test("is for admins of the leaderboard's workspace", async () => {
    const submission = {
      id: unique('sub'),
      name: 'Odd',
      tier: 'gateway',
      createdAt: '2026-05-01T12:00:00.000Z',
    } as const;
    await env.LEADERBOARD.getByName(board.id).recordSubmissionState({
      ...submission,
      state: 'moderation',
      workspace: 'me',
    });
    const listed = expectStatus(await workspace.get(`${path()}?state=moderation`), 200);
    expect(listed).toEqual({ items: [{ ...submission, state: 'moderation' }], nextCursor: null });
    expect(expectStatus(await workspace.get(`${path()}?state=queued`), 200)).toEqual({ items: [], nextCursor: null });
    expect(problemOf(await workspace.get(`${path()}?state=odd`))).toEqual([400, 'invalid-request']);
    expect(problemOf(await (await newWorkspace()).get(path()))).toEqual([404, 'not-found']);
    expect(problemOf(await call(await keyFor(workspace.id, 'run'), 'GET', path()))).toEqual([403, 'forbidden']);
    expect(problemOf(await open(path()))).toEqual([401, 'unauthorized']);
    expect(problemOf(await workspace.get(`/v1/leaderboards/${nobody}/submissions`))).toEqual([404, 'not-found']);
  });
});

describe('a leaderboard that nobody opened', () => {
  const guessed = `lb_${'1'.repeat(24)}`;
  const isThere = async () => {
    const made = await listDurableObjectIds(env.LEADERBOARD);
    return made.some((id) => id.equals(env.LEADERBOARD.idFromName(guessed)));
  };

  test('does not exist after a read, which creates no object', async () => {
    const entries = `/v1/leaderboards/${guessed}/entries`;
    for (const at of ['', '/entries', '/front', '/export', '/log', '/entries/sub_1', '/entries/sub_1/badge.svg'])
      expect([at, problemOf(await open(`/v1/leaderboards/${guessed}${at}`))]).toEqual([at, [404, 'not-found']]);
    for (const at of ['record', 'traces', 'history'])
      expect(problemOf(await open(`${entries}/sub_1/${at}`))).toEqual([404, 'not-found']);
    for (const at of ['', '/entries/sub_1']) expect((await open(`/leaderboards/${guessed}${at}`)).status).toBe(404);
    const body = { leaderboard: guessed, name: 'A', tier: 'gateway' };
    expect(problemOf(await workspace.post('/v1/submissions', body))).toEqual([404, 'not-found']);
    expect(await isThere()).toBe(false);
  });

  test('a link to a leaderboard unfolds with its name and a picture', async () => {
    const { id } = await openLeaderboard(workspace);
    const { body: page } = await open(`/leaderboards/${id}`);
    for (const part of ['0 entries (', '/card.png"', 'summary_large_image']) expect(page).toContain(part);
  });

  test('a leaderboard page is cached for some seconds by its address', async () => {
    const { id } = await openLeaderboard(workspace);
    const app = createApp(
      fakeServices({
        directory: env.DIRECTORY.getByName('directory'),
        leaderboard: (board) => env.LEADERBOARD.getByName(board),
        pageCache: {
          match: (url) => caches.default.match(url),
          put: (url, response) => caches.default.put(url, response),
        },
      }),
    );
    const total = async (query: string): Promise<unknown> => {
      const context = createExecutionContext();
      const answer = await app.request(`http://sextant.test/v1/leaderboards/${id}/entries${query}`, {}, {}, context);
      await waitOnExecutionContext(context);
      return z.looseObject({ total: z.int() }).parse(await answer.json()).total;
    };
    expect(await total('')).toBe(0);
    await publish({ id }, 0.5);
    expect([await total(''), await total('?limit=10')]).toEqual([0, 1]);
  });

  test('a leaderboard page is rendered once with a cache, and each time without one', async () => {
    const other = await openLeaderboard(workspace);
    const directory = env.DIRECTORY.getByName('directory');
    const asked: string[] = [];
    const has = (id: string): Promise<boolean> => {
      asked.push(id);
      return Promise.resolve(id === other.id);
    };
    const app = createApp(
      fakeServices({
        directory: {
          authenticate: (hash) => directory.authenticate(hash),
          addKey: (key) => directory.addKey(key),
          listKeys: (of, after, limit) => directory.listKeys(of, after, limit),
          removeKey: (of, id) => directory.removeKey(of, id),
          listRunsNeedingDriver: (after, limit) => directory.listRunsNeedingDriver(after, limit),
          takeRunsToWake: (of, now) => directory.takeRunsToWake(of, now),
          addBenchmark: (id, of, object) => directory.addBenchmark(id, of, object),
          findBenchmark: (id) => directory.findBenchmark(id),
          addLeaderboard: (listed, owner) => directory.addLeaderboard(listed, owner),
          listWorkspaceLeaderboardIds: (owner) => directory.listWorkspaceLeaderboardIds(owner),
          listLeaderboards: (after, limit) => directory.listLeaderboards(after, limit),
          hasLeaderboard: has,
          setWatchDue: (id, due) => directory.setWatchDue(id, due),
          listDueWatches: (now, limit) => directory.listDueWatches(now, limit),
        },
        leaderboard: (id) => env.LEADERBOARD.getByName(id),
      }),
    );
    for (const id of [other.id, guessed, other.id, guessed, 'lb_1'])
      expect((await app.request(`/v1/leaderboards/${id}`)).status).toBe(id === other.id ? 200 : 404);
    expect(asked).toEqual([other.id, guessed, guessed]);
  });
});

test('a submitter over its quota gets no name either', async () => {
  const guest = unique('ws');
  const { SUBMISSIONS_PER_DAY: perDay } = settingsSchema.parse(env);
  const now = Date.now();
  const counted = env.WORKSPACE.getByName(guest);
  for (let n = 0; n < perDay; n += 1) expect(await counted.consumeSubmissionQuota(`sub_${n}`, perDay, now)).toBe(true);
  const body = { leaderboard: board.id, name: 'A good name', tier: 'gateway' };
  const answer = await call(await keyFor(guest, 'submit'), 'POST', '/v1/submissions', body);
  expect(problemOf(answer)).toEqual([429, 'quota-exceeded']);
  expect(await env.LEADERBOARD.getByName(board.id).claimName('A good name', 'another')).toEqual(ok(null));
});

test('public traces are downloaded as a file that matches its seal', async () => {
  const file = await sealedFile(header, await allAttempts());
  const object = env.LEADERBOARD.getByName(board.id);
  const notAsked = () => Promise.resolve(refuse('not-found', 'it is not asked to'));
  const services = fakeServices({
    directory: env.DIRECTORY.getByName('directory'),
    leaderboard: () => object,
    benchmark: (name) => env.BENCHMARK.getByName(name),
    workspace: (name) => env.WORKSPACE.getByName(name),
    submission: () => ({
      create: notAsked,
      beginUpload: () => Promise.resolve(),
      uploadLines: notAsked,
      describeUploadIfComplete: notAsked,
      resumeCreation: notAsked,
      discardUpload: () => Promise.resolve(),
      get: notAsked,
      owner: notAsked,
      withdraw: notAsked,
      moderate: notAsked,
      claimAttempt: notAsked,
      traceHeader: () => Promise.resolve(ok(file.header)),
      listPublicTraceLines: (after) => {
        const from =
          after === null
            ? 0
            : 1 + file.lines.findLastIndex((each) => each.unit === after.unit && each.trial === after.trial);
        return Promise.resolve(ok(file.lines.slice(from, from + 2)));
      },
      wake: () => Promise.resolve(),
      fetch: () => Promise.resolve(new Response()),
    }),
  });
  const answer = await createApp(services).request(`/v1/leaderboards/${board.id}/entries/${best.id}/traces`);
  expect(answer.headers.get('content-type')).toBe('text/jsonl');
  expect(await answer.text()).toBe(fileText(file));
});

test('an unreachable ranking has its own error code', async () => {
  const object = env.LEADERBOARD.getByName(board.id);
  const fault = { ok: false, fault: { code: 'unreachable', detail: 'the database does not answer' } } as const;
  const services = fakeServices({
    directory: env.DIRECTORY.getByName('directory'),
    workspace: (name) => env.WORKSPACE.getByName(name),
    benchmark: (name) => env.BENCHMARK.getByName(name),
    leaderboard: () => ({
      open: (creation) => object.open(creation),
      get: () => object.get(),
      creation: () => object.creation(),
      claimName: (name, of) => object.claimName(name, of),
      refuseWorkspaceGivenPrivateUnits: (of, id) => object.refuseWorkspaceGivenPrivateUnits(of, id),
      getShownEntry: (id) => object.getShownEntry(id),
      getShownSignedRecord: (id) => object.getShownSignedRecord(id),
      compareEntries: (metric, id, other) => object.compareEntries(metric, id, other),
      listEntriesOfName: (name, of) => object.listEntriesOfName(name, of),
      getShownEntryOwner: (id) => object.getShownEntryOwner(id),
      mayModerate: (of, id) => object.mayModerate(of, id),
      listPublishedWithPlaces: (after, limit) => object.listPublishedWithPlaces(after, limit),
      listThinnedFront: (tier) => object.listThinnedFront(tier),
      logLines: (after, limit) => object.logLines(after, limit),
      listSubmissionsForModerators: (of, state, after, limit) =>
        object.listSubmissionsForModerators(of, state, after, limit),
      syncDatabaseRanking: () => Promise.resolve(),
      page: () => Promise.resolve(fault),
      place: () => Promise.resolve(fault),
      seq: () => Promise.resolve(fault),
    }),
  });
  const app = createApp(services);
  for (const path of ['/entries', `/entries/${best.id}`, `/entries/${best.id}/badge.svg`]) {
    for (const headers of [{}, { 'if-none-match': '"x"' }]) {
      const answer = await app.request(`/v1/leaderboards/${board.id}${path}`, { headers });
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({
        code: 'ranking-unreachable',
        detail: 'the database does not answer',
      });
    }
  }
  const page = await app.request(`/leaderboards/${board.id}`);
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=UTF-8']);
});

describe('the pages for people', () => {
  test('show everything without scripts or outside content', async () => {
    for (const path of [
      '/leaderboards',
      `/leaderboards/${board.id}`,
      `/leaderboards/${board.id}/entries/${worst.id}`,
      '/docs',
      '/docs/errors',
    ]) {
      const answer = await open(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=UTF-8',
      ]);
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/script|unsafe/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      const html = z.string().parse(answer.body);
      expect(html).not.toMatch(/<script|<style| style="|\son\w+="|(?:src|href)="(?:https?:)?\/\//);
      expect(html).not.toContain('\u202E');
      expect(html).toContain('<link rel="stylesheet" href="/docs/style.css"');
    }
    const table = z.string().parse((await open(`/leaderboards/${board.id}`)).body);
    expect(table).toContain('=Worst &lt;b&gt;␦');
    expect(table.indexOf('Best')).toBeLessThan(table.indexOf('=Worst'));
    expect(table).toContain('offline');
    const style = await open('/docs/style.css');
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(style.body).toEqual(expect.stringContaining('prefers-color-scheme: dark'));
  });

  test('count against the rate limit, and explain errors to people', async () => {
    expect((await open('/leaderboards')).headers.get('ratelimit-policy')).toMatch(/^"address"/);
    for (const [path, status, says] of [
      [`/leaderboards/${nobody}`, 404, 'There is no such thing here'],
      ['/leaderboards/nonsense', 404, 'There is no such thing here'],
      [`/leaderboards/${board.id}?metric=<b>`, 400, 'one of success, outcome'],
      [`/leaderboards/${board.id}?metric=tcs`, 400, 'rank nobody'],
      [`/leaderboards/${board.id}?cursor=x`, 400, 'the number of entries before'],
      [`/leaderboards/${board.id}/entries/${hidden.id}`, 410, 'it looks odd'],
      [`/leaderboards/${board.id}/entries/sub_unknown`, 404, 'There is no entry'],
    ] as const) {
      const answer = await open(path);
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=UTF-8');
      expect(answer.body).toEqual(expect.stringContaining(says));
    }
  });
});
