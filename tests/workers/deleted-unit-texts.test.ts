import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { unitDetail } from '#core/exploration/record.ts';
import { deletedUnitTexts } from '#core/units/delete-texts.ts';
import { exploreToEnd, follow, prepare, recordOf, unitsOf, type Ground } from '../support/exploration.ts';
import { call, expectStatus, keyFor, newWorkspace, problemOf } from '../support/workspace.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await prepare();
});

const dayMs = 24 * 3_600_000;

const deleteTexts = (run: string, unit: string, query = '') =>
  ground.workspace.remove(`/v1/explorations/${run}/units/${unit}/texts${query}`);

const detailOf = async (run: string, unit: string) =>
  unitDetail.parse(expectStatus(await ground.workspace.get(`/v1/explorations/${run}/units/${unit}`), 200));

/** What tools returned and agents answered, as far as an exploration still has it. */
async function wordsStored(run: string, tables = ['traces', 'examples', 'units', 'events']): Promise<string[]> {
  const text = await runInDurableObject(env.EXPLORATION_RUN.getByName(run), (_, { storage }) =>
    tables.map((table) => JSON.stringify(storage.sql.exec(`SELECT * FROM ${table}`).toArray())).join('\n'),
  );
  return ['R-', 'It is done'].filter((word) => text.includes(word));
}

/** What an exploration counts and estimates. */
const figuresOf = (run: string): Promise<unknown[]> =>
  Promise.all(
    ['', '/transitions', '/richness', '/domains', '/units', '/writes'].map(async (path) =>
      expectStatus(await ground.workspace.get(`/v1/explorations/${run}${path}`), 200),
    ),
  );

/** Has an exploration have ended so many days ago, with its attempts. */
const moveBack = (run: string, days: number): Promise<void> =>
  runInDurableObject(env.EXPLORATION_RUN.getByName(run), (_, { storage }) => {
    const at = new Date(Date.now() - days * dayMs).toISOString();
    storage.sql.exec(`UPDATE facts SET json = json_set(json, '$.endedAt', ?) WHERE key = 'standing'`, at);
    storage.sql.exec(`UPDATE traces SET json = json_set(json, '$.startedAt', ?)`, at);
  });

/** The object forgets what it has read, and its alarm goes off. */
async function evictAndRunAlarm(run: string): Promise<void> {
  const stub = env.EXPLORATION_RUN.getByName(run);
  await evictDurableObject(stub);
  await runDurableObjectAlarm(stub);
}

describe('deleting the texts of the attempts at units', () => {
  test('leaves counts and estimates as they are, and nothing of the texts', async () => {
    const { run } = await exploreToEnd(ground, { rounds: 2, batch: 2 });
    expect(await wordsStored(run)).toEqual(['R-', 'It is done']);
    const units = await unitsOf(ground, run);
    const before = await figuresOf(run);
    const [first] = units;
    if (first === undefined) throw new Error('there is no unit');
    const whole = await detailOf(run, first.id);

    const one = deletedUnitTexts.parse(expectStatus(await deleteTexts(run, first.id, '?request=source'), 200));
    expect(one).toEqual({ unit: first.id, attempts: [{ request: 'source', textsDeleted: expect.any(String) }] });
    const half = await detailOf(run, first.id);
    expect(half.traces.followUp).toEqual(whole.traces.followUp);
    const steps = half.traces.source?.steps ?? [];
    expect(steps.map(({ tool, outcome, sha256 }) => [tool, outcome, sha256])).toEqual(
      whole.traces.source?.steps.map(({ tool, outcome, sha256 }) => [tool, outcome, sha256]),
    );
    expect(steps.every((step) => step.arguments === null && step.text === '')).toBe(true);
    expect(half.unit).toEqual(whole.unit);

    for (const { id } of units) expectStatus(await deleteTexts(run, id), 200);
    expect(await wordsStored(run)).toEqual([]);
    expect(expectStatus(await deleteTexts(run, first.id), 200), 'repeated').toMatchObject({
      attempts: [one.attempts[0], { request: 'followUp' }],
    });
    expect(await figuresOf(run)).toEqual(before);
    const frozen = await ground.workspace.post('/v1/benchmarks', { explorations: [run], floor: false });
    expectStatus(frozen, 201);
  });

  test('is refused for units that are not there, and to other workspaces and readers', async () => {
    const { run } = await exploreToEnd(ground, { rounds: 1, batch: 4 });
    expect(problemOf(await deleteTexts(run, 'r0009-u01'))).toEqual([404, 'not-found']);
    const [unit] = await unitsOf(ground, run);
    const path = `/v1/explorations/${run}/units/${unit?.id}/texts`;
    expect(problemOf(await (await newWorkspace()).remove(path))).toEqual([404, 'not-found']);
    expect(problemOf(await call(await keyFor(ground.workspace.id, 'read'), 'DELETE', path))).toEqual([
      403,
      'forbidden',
    ]);
    expect(problemOf(await deleteTexts(run, unit?.id ?? '', '?request=other'))).toEqual([400, 'invalid-request']);
    const body = { explorations: [run], privateShare: 0.5, floor: false };
    expectStatus(await ground.workspace.post('/v1/benchmarks', body), 201);
    const runner = await keyFor(ground.workspace.id, 'run');
    const answers = await Promise.all(
      (await unitsOf(ground, run)).map(({ id }) => call(runner, 'DELETE', `/v1/explorations/${run}/units/${id}/texts`)),
    );
    expect(answers.filter(({ status }) => status === 403).length, 'units that are held out').toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  });

  test('happens by itself so many days after the end, also for what is executed later', async () => {
    const { run } = await exploreToEnd(ground, { rounds: 1, batch: 3, more: { keepTextsDays: 7 } });
    const stub = env.EXPLORATION_RUN.getByName(run);
    const alarm = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    const endedAt = Date.parse((await recordOf(ground, run)).endedAt ?? '');
    // Counted from when it is set, just after the end.
    expect(await alarm()).toBeGreaterThanOrEqual(endedAt + 7 * dayMs);
    expect(await alarm()).toBeLessThan(endedAt + 7 * dayMs + 60_000);
    await runDurableObjectAlarm(stub);
    expect(await wordsStored(run), 'too early').toEqual(['R-', 'It is done']);
    expect(await alarm()).toBeGreaterThanOrEqual(endedAt + 7 * dayMs);

    await moveBack(run, 8);
    await evictAndRunAlarm(run);
    expect(await wordsStored(run)).toEqual([]);
    expect(await alarm()).toBeNull();

    const evolution = { targetUnits: 100, batch: 1, minYield: 0, budget: { batches: 1 } };
    expectStatus(await ground.workspace.post(`/v1/explorations/${run}/evolutions`, evolution), 202);
    await follow(ground.workspace.key, `${run}/evolutions/1`);
    expect(await wordsStored(run, ['traces'])).toEqual(['R-', 'It is done']);
    const next = (await alarm()) ?? 0;
    await runDurableObjectAlarm(stub);
    expect(await wordsStored(run, ['traces']), 'variants are kept as long').toEqual(['R-', 'It is done']);
    expect((await alarm()) ?? 0).toBeGreaterThan(Date.now() + 6 * dayMs);
    expect(next).toBeGreaterThan(0);
    await moveBack(run, 8);
    await evictAndRunAlarm(run);
    expect(await wordsStored(run)).toEqual([]);
  });
});
