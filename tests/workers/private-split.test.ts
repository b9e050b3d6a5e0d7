import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { benchmarkUnit, type BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { claimed, connected, type Claimed } from '../support/external.ts';
import { board, rankedEntries, received, submitter, type Board } from '../support/board.ts';
import { follow } from '../support/exploration.ts';
import { call, expectStatus, keyFor, pageOf, problemOf, type Answer } from '../support/workspace.ts';

/** Private units are tried by agents and seen by nobody: what this file reads is kept, and searched for their texts. */

let bed: Board;
let hidden: BenchmarkUnit[] = [];
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
  bed = await board({ units: 5, privateShare: 0.4 });
  guest = await submitter();
  const answer = await bed.workspace.get(`/v1/benchmarks/${bed.benchmark.id}/units?split=private`);
  hidden = pageOf(benchmarkUnit).parse(expectStatus(answer, 200)).items;
});
afterAll(() => consoles.forEach((spy) => spy.mockRestore()));

const isHidden = ({ request }: Claimed): boolean =>
  hidden.some(({ source, followUp }) => request === source || request === followUp);

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

describe('the private units of a leaderboard', () => {
  test('are handed out through the gateway one at a time, scored separately, and found nowhere else', async () => {
    const { id } = received(
      keep(await guest.post('/v1/submissions', { leaderboard: bed.leaderboard.id, name: 'guest', tier: 'gateway' })),
    );
    // Until its evaluation is there, it waits.
    let first: Claimed | undefined;
    await vi.waitFor(
      async () => {
        first = (await claim(id)).attempt;
        expect(first).toBeDefined();
      },
      { timeout: 10_000, interval: 100 },
    );
    const open = first === undefined ? [] : [first];
    let privateOnes = open.filter(isHidden).length;
    for (;;) {
      for (let next = await claim(id); next.attempt !== undefined; next = await claim(id)) {
        open.push(next.attempt);
        if (isHidden(next.attempt)) privateOnes += 1;
      }
      const now = open.findIndex(isHidden);
      const [next] = open.splice(Math.max(0, now), 1);
      if (next === undefined) break;
      // All that can be claimed is claimed: of the private ones, this one alone.
      expect(open.filter(isHidden)).toEqual([]);
      await workOn(next);
    }
    expect(privateOnes).toBe(hidden.length * 2);

    const { events } = await follow(guest.key, id, { of: 'submissions' });
    seen.push(JSON.stringify(events));
    const [ranked] = await rankedEntries(bed);
    expect(ranked?.entry).toMatchObject({ id, tier: 'gateway', units: 3, private: { units: 2, attempts: 4 } });
    expect(ranked?.entry.private?.gap.tcs?.difference).not.toBeUndefined();

    await readEverything(id);
    // They are searched for: what is public is found.
    const publicTexts = (await publicUnits()).flatMap(({ source, followUp }) => [source, followUp]);
    expect(publicTexts.filter((text) => seen.some((each) => each.includes(inJson(text))))).toEqual(publicTexts);
    for (const { source, followUp } of hidden)
      for (const text of [source, followUp]) expect(seen.filter((each) => each.includes(inJson(text)))).toEqual([]);
  });

  test("are never given to a submitter's model", async () => {
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

async function publicUnits(): Promise<BenchmarkUnit[]> {
  const answer = await reading(null, `/v1/benchmarks/${bed.benchmark.id}/public`);
  return pageOf(benchmarkUnit).parse(expectStatus(answer, 200)).items;
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
