import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { benchmarkRecord, pairUnit, type PairUnit } from '#core/benchmarks/benchmark.ts';
import { submissionRecord } from '#core/leaderboards/submissions/record.ts';
import { leaderboardRecord, logLine, type LogLine } from '#core/leaderboards/record.ts';
import { claimed, connected, type Claimed } from '../support/external.ts';
import { board, rankedEntries, received, serviceBody, settled, submitter, type Board } from '../support/board.ts';
import { follow } from '../support/exploration.ts';
import { call, expectStatus, keyFor, pageOf, problemOf, type Answer } from '../support/workspace.ts';

/** Private units are tried by agents and seen by nobody: what this file reads is kept, and searched for their texts. */

let bed: Board;
let hidden: PairUnit[] = [];
let guest: Awaited<ReturnType<typeof submitter>>;
const seen: string[] = [];
const consoles = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
  vi.spyOn(console, name).mockImplementation((...said: unknown[]) => void seen.push(JSON.stringify(said))),
);

/** Keeps what was answered. */
const keep = (answer: Answer): Answer => {
  seen.push(JSON.stringify([[...answer.headers], answer.body]));
  return answer;
};
const reading = async (key: string | null, path: string): Promise<Answer> => keep(await call(key, 'GET', path));

beforeAll(async () => {
  bed = await board({ units: 7, privateShare: 0.4 });
  guest = await submitter();
  const answer = await bed.workspace.get(`/v1/benchmarks/${bed.benchmark.id}/units?split=private`);
  hidden = pageOf(pairUnit).parse(expectStatus(answer, 200)).items;
  const all = await bed.workspace.get(`/v1/benchmarks/${bed.benchmark.id}/units`);
  units = pageOf(pairUnit).parse(expectStatus(all, 200)).items;
});
afterAll(() => consoles.forEach((spy) => spy.mockRestore()));

const isHidden = ({ request }: Claimed): boolean =>
  hidden.some(({ source, followUp }) => request === source || request === followUp);

let units: PairUnit[] = [];
/** The unit that a request is of. */
const unitOf = ({ request }: Claimed): string | undefined =>
  units.find(({ source, followUp }) => request === source || request === followUp)?.id;

async function claim(submission: string): Promise<{ status: string; attempt?: Claimed | undefined }> {
  const answer = expectStatus(await guest.post('/v1/attempts/claim', { submission }), 200);
  const found = claimed.safeParse(answer);
  return found.success ? found.data : z.object({ status: z.string() }).parse(answer);
}

/** Calls what the request names, and answers; what comes back over MCP is kept. */
async function workOn(attempt: Claimed): Promise<void> {
  const client = await connected(attempt);
  const { tools } = await client.listTools();
  seen.push(JSON.stringify(tools));
  const wanted = tools
    .map(({ name }) => ({ name, at: attempt.request.indexOf(name.split('__')[1] ?? name) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  for (const { name } of wanted)
    seen.push(JSON.stringify(await client.callTool({ name, arguments: { code: 'x', reference: 'x' } })));
  await client.close();
  keep(await guest.post(`/v1/attempts/${attempt.id}/response`, { response: `I did ${attempt.request}` }));
}

/** Claims everything that can be claimed now. */
async function claimAll(submission: string): Promise<Claimed[]> {
  const found: Claimed[] = [];
  for (let { attempt } = await claim(submission); attempt !== undefined; { attempt } = await claim(submission))
    found.push(attempt);
  return found;
}

describe('the private units of a leaderboard', () => {
  test('are drawn into one order with the public ones, in batches, scored separately, and found nowhere else', async () => {
    const { id } = received(
      keep(await guest.post('/v1/submissions', { leaderboard: bed.leaderboard.id, name: 'guest', tier: 'gateway' })),
    );
    // Until its evaluation is there, it waits.
    let open: Claimed[] = [];
    await vi.waitFor(
      async () => {
        open = await claimAll(id);
        expect(open).not.toEqual([]);
      },
      { timeout: 10_000, interval: 100 },
    );
    // The first requests of five of the seven units: some of the three private ones are among them, and not only those.
    expect(open).toHaveLength(5);
    const mixed = open.filter(isHidden).length;
    expect(mixed).toBeGreaterThanOrEqual(1);
    expect(mixed).toBeLessThan(5);
    // Nothing of the form of an attempt depends on its split.
    expect(new Set(open.map((attempt) => Object.keys(attempt).toSorted().join())).size).toBe(1);
    const worked: Claimed[] = [];
    for (let rounds = 0; worked.length < 14 && rounds < 200; rounds += 1) {
      for (const attempt of open) {
        // The other two units come when these five are done.
        if (worked.length < 10) expect(new Set([...worked, ...open].map(unitOf)).size).toBe(5);
        await workOn(attempt);
        worked.push(attempt);
      }
      open = await claimAll(id);
      if (open.length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const privateOnes = worked.filter(isHidden).length;
    expect(privateOnes).toBe(hidden.length * 2);

    const { events } = await follow(guest.key, id, { of: 'submissions' });
    seen.push(JSON.stringify(events));
    const [ranked] = await rankedEntries(bed);
    expect(ranked?.entry).toMatchObject({ id, tier: 'gateway', units: 4, private: { units: 3, attempts: 6 } });
    expect(ranked?.entry.private?.gap.tcs?.difference).not.toBeUndefined();

    const given = {
      kind: 'private-units',
      entry: id,
      name: 'guest',
      reason: 'it is given the 3 private units among the public ones',
    };
    expect((await logLines()).filter(({ kind }) => kind === 'private-units')).toEqual([expect.objectContaining(given)]);
    // A second submission of the workspace gets none, under any name, and is refused before it costs anything.
    for (const body of [{ tier: 'gateway', name: 'guest' }, serviceBody(bed, bed.model, 'another')])
      expect(problemOf(await guest.post('/v1/submissions', { leaderboard: bed.leaderboard.id, ...body }))).toEqual([
        409,
        'private-units-given',
      ]);
    expect(await problemOnNextVersion()).toEqual([409, 'private-units-given']);

    await readEverything(id);
    // They are searched for: what is public is found.
    const publicTexts = (await publicUnits()).flatMap(({ source, followUp }) => [source, followUp]);
    expect(publicTexts.filter((text) => seen.some((each) => each.includes(inJson(text))))).toEqual(publicTexts);
    for (const { source, followUp } of hidden)
      for (const text of [source, followUp]) expect(seen.filter((each) => each.includes(inJson(text)))).toEqual([]);
  });

  test('are tried by the service too, and stay in the log of a withdrawn submission', async () => {
    const other = await submitter();
    const { id } = received(await other.post('/v1/submissions', serviceBody(bed, bed.model, 'run by us')));
    const { record } = await settled(other, id);
    expect(record).toMatchObject({ state: 'published', progress: { attempts: 14, made: 14 } });
    const ranked = (await rankedEntries(bed)).find(({ entry }) => entry.id === id);
    expect(ranked?.entry).toMatchObject({ tier: 'service', units: 4, private: { units: 3, attempts: 6 } });
    expectStatus(await other.post(`/v1/submissions/${id}/withdraw`, {}), 200);
    const lines = (await logLines()).filter(({ entry }) => entry === id);
    expect(lines.map(({ kind }) => kind)).toEqual(['private-units', 'published', 'withdrawn']);
    expect(problemOf(await other.post('/v1/submissions', serviceBody(bed, bed.model, 'run by us')))).toEqual([
      409,
      'private-units-given',
    ]);
  });

  test('go to the first of several submissions of a workspace that begins', async () => {
    const other = await submitter();
    const ids = await Promise.all(
      ['twin one', 'twin two'].map(
        async (name) => received(await other.post('/v1/submissions', serviceBody(bed, bed.model, name))).id,
      ),
    );
    // What becomes of the other one is a moderator's decision: it makes the same calls as an entry of somebody else.
    await vi.waitFor(
      async () => {
        const answers = await Promise.all(ids.map((id) => other.get(`/v1/submissions/${id}`)));
        const records = answers.map((answer) => submissionRecord.parse(expectStatus(answer, 200)));
        expect(records.toSorted((x, y) => (x.state < y.state ? -1 : 1))).toMatchObject([
          { state: 'moderation' },
          { state: 'rejected', reason: expect.stringContaining('was given private units') },
        ]);
      },
      { timeout: 20_000, interval: 200 },
    );
    const given = (await logLines()).filter(({ kind, entry }) => kind === 'private-units' && ids.includes(entry ?? ''));
    expect(given).toHaveLength(1);
  });

  test("cannot be read with a submitter's key", async () => {
    const answer = await call(guest.key, 'GET', `/v1/benchmarks/${bed.benchmark.id}/units?split=private`);
    expect(problemOf(answer)[0]).toBe(403);
    const runner = await keyFor(bed.workspace.id, 'run');
    for (const path of ['export', 'export?split=all', 'units?split=private', 'units'])
      expect(problemOf(await call(runner, 'GET', `/v1/benchmarks/${bed.benchmark.id}/${path}`))).toEqual([
        403,
        'forbidden',
      ]);
    const asked = { benchmark: bed.benchmark.id, split: 'private', agents: [{ name: 'spy', loop: 'external' }] };
    const spy = await keyFor(guest.id, 'run');
    expect(problemOf(await call(spy, 'POST', '/v1/evaluations', asked))).toEqual([403, 'forbidden']);
  });
});

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Submits the guest's agent to the leaderboard of another version of the benchmark, which has the same private units. */
async function problemOnNextVersion(): Promise<readonly [number, string]> {
  const { explorations } = bed.benchmark;
  const frozen = await bed.workspace.post('/v1/benchmarks', {
    explorations,
    privateShare: 0,
    name: 'v2',
    floor: false,
  });
  const { id: benchmark, privateUnits } = benchmarkRecord.parse(expectStatus(frozen, 201));
  expect([benchmark === bed.benchmark.id, privateUnits]).toEqual([false, hidden.length]);
  const next = { benchmark, name: 'v2', trials: 1, previous: bed.leaderboard.id };
  const { id: leaderboard } = leaderboardRecord.parse(
    expectStatus(await bed.workspace.post('/v1/leaderboards', next), 201),
  );
  return problemOf(await guest.post('/v1/submissions', { leaderboard, name: 'guest', tier: 'gateway' }));
}

async function logLines(): Promise<LogLine[]> {
  const text = z.string().parse((await reading(null, `/v1/leaderboards/${bed.leaderboard.id}/log`)).body);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => logLine.parse(JSON.parse(line)));
}

async function publicUnits(): Promise<PairUnit[]> {
  const answer = await reading(null, `/v1/benchmarks/${bed.benchmark.id}/public`);
  return pageOf(pairUnit).parse(expectStatus(answer, 200)).items;
}

/** Every way in which anything of the flow can be read, right and wrong. */
async function readEverything(id: string): Promise<void> {
  const lb = `/v1/leaderboards/${bed.leaderboard.id}`;
  const entry = `${lb}/entries/${id}`;
  const open = [
    '/v1/leaderboards',
    lb,
    `${lb}/entries?tier=gateway`,
    `${lb}/entries?metric=nonsense`,
    `${lb}/export`,
    `${lb}/export?format=csv`,
    `${lb}/front?tier=gateway`,
    `${lb}/log`,
    entry,
    `${entry}/record`,
    `${entry}/traces`,
    `${entry}/history`,
    `${entry}/badge.svg`,
    '/leaderboards',
    `/leaderboards/${bed.leaderboard.id}`,
    `/leaderboards/${bed.leaderboard.id}/entries/${id}`,
    '/openapi.json',
  ];
  for (const path of open) await reading(null, path);
  const own = [
    '/v1/submissions',
    `/v1/submissions/${id}`,
    '/v1/evaluations',
    `/v1/evaluations/${id.replace('sub_', 'evl_')}`,
  ];
  for (const path of [
    ...own,
    `/v1/evaluations/${id.replace('sub_', 'evl_')}/cases`,
    `/v1/evaluations/${id.replace('sub_', 'evl_')}/export`,
  ]) {
    await reading(guest.key, path);
    await reading(bed.workspace.key, path);
  }
  await reading(bed.workspace.key, `${lb}/submissions`);
  for (const path of [`/v1/submissions/${id}/withdraw`, `/v1/submissions/${id}/moderate`])
    keep(await guest.post(path, { reason: 7 }));
}
