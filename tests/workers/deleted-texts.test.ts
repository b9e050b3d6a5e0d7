import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { deletedTexts } from '#core/evaluation/delete-texts.ts';
import { recordingRecord } from '#core/evaluation/recording.ts';
import {
  caseOf,
  casesOf,
  evaluate,
  evaluateToEnd,
  followEvaluation,
  frozen,
  type TestBed,
} from '../support/evaluation.ts';
import { storedText } from '../support/storage.ts';
import { call, expectStatus, keyFor, newWorkspace, problemOf } from '../support/workspace.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await frozen(1);
});

/** What a tool returned, what an agent answered, and what a judge said. */
const words = ['R-', 'It is done', 'it says what the tools said', 'everything was done', 'a tool gave it'];

/** Which of the words an evaluation has in its cases, traces, labels and votes. */
async function wordsStored(run: string): Promise<string[]> {
  const text = await runInDurableObject(env.EVALUATION_RUN.getByName(run), (_, { storage }) =>
    ['cases', 'traces', 'labels', 'votes', 'events', 'claims', 'kept_answers', 'case_figures', 'facts']
      .map((table) => JSON.stringify(storage.sql.exec(`SELECT * FROM ${table}`).toArray()))
      .join('\n'),
  );
  return words.filter((word) => text.includes(word));
}

/** Everything that an evaluation says in figures. */
const figuresOf = async (run: string): Promise<unknown[]> =>
  Promise.all(
    ['results', 'results/units', 'results/servers', 'results/transitions'].map(async (path) =>
      expectStatus(await bed.workspace.get(`/v1/evaluations/${run}/${path}`), 200),
    ),
  );

const deleteTexts = (run: string, id: string, query = '') =>
  bed.workspace.remove(`/v1/evaluations/${run}/cases/${id}/texts${query}`);

describe('deleting the texts of attempts', () => {
  test('leaves all figures as they are, also when they are made again, and nothing of the texts', async () => {
    const { run, cases, record } = await evaluateToEnd(bed, ['one'], { recording: 'record' });
    const [first] = cases;
    if (first === undefined) throw new Error('there is no case');
    const { id, unit, agent } = first;
    const place = { unit, agent, trial: 1, request: 'source' };
    const said = { labels: [{ ...place, verdict: 'success', note: 'It is done, says a person' }] };
    expectStatus(await bed.workspace.post(`/v1/evaluations/${run}/labels`, said), 200);
    const votes = { judge: 'elsewhere', votes: [{ ...place, verdict: true, why: 'It is done, says a judge' }] };
    expectStatus(await bed.workspace.post(`/v1/evaluations/${run}/votes`, votes), 200);
    const before = await figuresOf(run);
    const whole = await caseOf(bed, run, id);
    expect((await wordsStored(run)).length).toBeGreaterThan(3);

    const one = deletedTexts.parse(expectStatus(await deleteTexts(run, id, '?request=source'), 200));
    expect(one).toEqual({ case: id, attempts: [{ request: 'source', textsDeleted: expect.any(String) }] });
    const half = await caseOf(bed, run, id);
    expect(half.traces.followUp).toEqual(whole.traces.followUp);
    expect(half.traces.source?.textsDeleted).toBe(one.attempts[0]?.textsDeleted);
    const kept = ({
      tool,
      outcome,
      sha256,
      failure,
      latencyMs,
    }: NonNullable<typeof half.traces.source>['steps'][number]) => ({
      tool,
      outcome,
      sha256,
      failure,
      latencyMs,
    });
    expect(half.traces.source?.steps.map(kept)).toEqual(whole.traces.source?.steps.map(kept));
    expect(half.traces.source?.steps.every((step) => step.arguments === null && step.text === '')).toBe(true);
    const values = ({ scores }: (typeof whole.case.attempts)[string]) =>
      Object.entries(scores).map(([key, { value, parts }]) => [
        key,
        value,
        Object.entries(parts).filter(([name]) => name !== 'reasons'),
      ]);
    const attempt = half.case.attempts['source'];
    expect(attempt && values(attempt)).toEqual(whole.case.attempts['source'] && values(whole.case.attempts['source']));

    const all = deletedTexts.parse(expectStatus(await deleteTexts(run, id), 200));
    expect(all.attempts.map(({ request }) => request)).toEqual(['source', 'followUp']);
    expect(all.attempts[0]).toEqual(one.attempts[0]);
    expect(await wordsStored(run)).toEqual([]);
    const stub = env.EVALUATION_RUN.getByName(run);
    const stored = await storedText(stub);
    expect(expectStatus(await deleteTexts(run, id), 200)).toEqual(all);
    expect(await storedText(stub)).toBe(stored);

    expect(await figuresOf(run)).toEqual(before);
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec('DELETE FROM kept_answers');
      storage.sql.exec("UPDATE figures_layout SET layout = 'of an earlier release'");
    });
    await evictDurableObject(stub);
    expect(await figuresOf(run)).toEqual(before);

    const recording = `/v1/recordings/${record.config.recordingId}`;
    expect(recordingRecord.parse(expectStatus(await bed.workspace.get(recording), 200))).toMatchObject({ calls: 0 });
    expect(await storedText(env.RECORDING.getByName(record.config.recordingId ?? ''))).not.toContain('R-');
  });

  test('is said wherever the texts would be needed', async () => {
    const { run, cases } = await evaluateToEnd(bed, ['one', 'two']);
    const at = `/v1/evaluations/${run}`;
    const id = cases.find(({ agent }) => agent === 'one')?.id ?? '';
    expectStatus(await deleteTexts(run, id, '?request=followUp'), 200);
    expect(problemOf(await bed.workspace.post(`${at}/rejudge`, {}))).toEqual([409, 'texts-deleted']);
    expect(problemOf(await bed.workspace.get(`${at}/traces?agent=one`))).toEqual([409, 'texts-deleted']);
    expect((await bed.workspace.get(`${at}/traces?agent=two`)).status).toBe(200);
    expect(expectStatus(await bed.workspace.get(`${at}/report`), 200)).toContain('The texts of 1 attempt are deleted');
    const lines = String(expectStatus(await bed.workspace.get(`${at}/export?format=jsonl`), 200));
    expect(lines.match(/"textsDeleted":"20/g)).toHaveLength(1);
    const table = String(expectStatus(await bed.workspace.get(`${at}/export?format=csv`), 200));
    expect(table.split('\r\n')[0]).toMatch(/texts_deleted$/);
  });

  test('is refused for cases that are not there, or not done, and to others', async () => {
    const { run, cases } = await evaluateToEnd(bed, ['one']);
    const id = cases[0]?.id ?? '';
    expect(problemOf(await deleteTexts(run, 'nothing'))).toEqual([404, 'not-found']);
    expect(problemOf(await deleteTexts(run, id, '?request=fuzzy'))).toEqual([404, 'not-found']);
    const path = `/v1/evaluations/${run}/cases/${id}/texts`;
    expect(problemOf(await call(await keyFor(bed.workspace.id, 'read'), 'DELETE', path))).toEqual([403, 'forbidden']);
    expect(problemOf(await (await newWorkspace()).remove(path))).toEqual([404, 'not-found']);
    const waiting = await evaluate(bed, [], { agents: [{ name: 'guest', loop: 'external' }] });
    const [open] = await casesOf(bed, waiting);
    expect(problemOf(await deleteTexts(waiting, open?.id ?? ''))).toEqual([409, 'wrong-state']);
  });
});

test('texts are deleted by themselves when the days are over for which an evaluation keeps them', async () => {
  const dayMs = 24 * 60 * 60_000;
  const run = await evaluate(bed, ['one'], { keepTextsDays: 2 });
  await followEvaluation(bed, run);
  const before = await figuresOf(run);
  const stub = env.EVALUATION_RUN.getByName(run);
  const alarmAt = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
  const due = await alarmAt();
  expect(Math.abs((due ?? 0) - Date.now() - 2 * dayMs)).toBeLessThan(60_000);

  // An alarm that comes too early changes nothing.
  await runDurableObjectAlarm(stub);
  expect((await wordsStored(run)).length).toBeGreaterThan(2);
  expect(await alarmAt()).toBe(due);

  await runInDurableObject(stub, (_, { storage }) => {
    const ended = new Date(Date.now() - 3 * dayMs).toISOString();
    storage.sql.exec("UPDATE facts SET json = json_set(json, '$.endedAt', ?) WHERE key = 'standing'", ended);
  });
  await evictDurableObject(stub);
  for (let alarms = 0; (await alarmAt()) !== null && alarms < 5; alarms += 1) await runDurableObjectAlarm(stub);
  expect(await alarmAt()).toBeNull();
  expect(await wordsStored(run)).toEqual([]);
  expect(await figuresOf(run)).toEqual(before);
});
