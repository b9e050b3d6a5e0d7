import { abortAllDurableObjects, introspectWorkflow, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import {
  casesOf,
  evaluate,
  evaluationOf,
  followEvaluation,
  frozen,
  turnsIn,
  withRules,
  type TestBed,
} from '../support/evaluation.ts';
import { board, rankedEntries, received, serviceBody, settled, submitter, type Board } from '../support/board.ts';
import { explore, follow, prepare, recordOf, wholeUnitsOf, type Ground } from '../support/exploration.ts';
import { expectStatus } from '../support/workspace.ts';

/** Resets an object as a deployment does, in the middle of its work. */
async function resetObject(stub: DurableObjectStub): Promise<void> {
  await runInDurableObject(stub, (_object, state) => state.abort('Durable Object reset because its code was updated.'))
    // The call that resets the object is itself cut off by it.
    .catch((error: unknown) => expect(String(error)).toContain('code was updated'));
}

/** Waits until the model was asked so often for a form. */
const askedFor = ({ model }: Ground, form: string, times: number): Promise<unknown> =>
  vi.waitFor(
    async () => expect((await model.asked()).filter((each) => each.form === form).length).toBeGreaterThanOrEqual(times),
    { timeout: 30_000, interval: 20 },
  );

/** How often the model was asked for each form. */
async function formsOf({ model }: Ground): Promise<Record<string, number>> {
  const forms = (await model.asked()).map(({ form }) => form);
  return Object.fromEntries([...new Set(forms)].map((form) => [form, forms.filter((each) => each === form).length]));
}

describe('after a reset of any object in the middle of a run', { timeout: 90_000 }, () => {
  test('an exploration completes, and no stage is lost or paid for twice', async () => {
    const ground = await prepare({
      rules: ['scenario', 'metamorphic-pair', 'audit'].map((form) => ({ form, behaviour: { kind: 'slow', ms: 120 } })),
    });
    const run = await explore(ground, { rounds: 3, batch: 4 });
    const stub = () => env.EXPLORATION_RUN.getByName(run);
    for (const [form, times] of [
      ['scenario', 1],
      ['audit', 2],
      ['scenario', 8],
      ['metamorphic-pair', 13],
    ] as const) {
      await askedFor(ground, form, times);
      await resetObject(stub());
    }
    await expectWholeExploration(ground, run, { rounds: 3, batch: 4 });
    // It was this driver that went on.
    const { events } = await follow(ground.workspace.key, run);
    expect(events.filter(({ event }) => event.type === 'run.driven')).toEqual([]);
    expect(await formsOf(ground)).toMatchObject({ scenario: 15, 'metamorphic-pair': 15, audit: 15 });
  });

  test('an evaluation completes, and no attempt or judgement is lost or paid for twice', async () => {
    const bed = await withRules(await frozen(3), { form: 'attempt-reading', behaviour: { kind: 'slow', ms: 120 } });
    const run = await evaluate(bed, ['one'], { trials: 3, concurrency: 4 });
    const stub = () => env.EVALUATION_RUN.getByName(run);
    for (const times of [1, 6, 12]) {
      await askedFor(bed, 'attempt-reading', times);
      await resetObject(stub());
    }
    await expectWholeEvaluation(bed, run, 18);
    expect(await formsOf(bed)).toMatchObject({ 'attempt-reading': 18, 'back-requests': 18 });
    expect((await bed.model.asked()).filter(({ model }) => model === 'one')).toHaveLength(await turnsIn(bed, run));
  });

  test('a submission is published once, with all its attempts', async () => {
    const bed = await board({ units: 3, trials: 2 });
    const ground = await withRules(bed, { form: 'turn', behaviour: { kind: 'slow', ms: 120 } });
    const guest = await submitter();
    const { id } = received(await guest.post('/v1/submissions', serviceBody(bed, ground.model, 'Steady')));
    const objects = [
      () => env.SUBMISSION.getByName(id),
      () => env.EVALUATION_RUN.getByName(scoredBy(id)),
      () => env.LEADERBOARD.getByName(bed.leaderboard.id),
    ];
    for (const [index, stub] of objects.entries()) {
      await askedFor(ground, 'turn', 1 + 6 * index);
      await resetObject(stub());
    }
    await expectPublishedOnce(bed, guest, id);
    const opening = (await ground.model.asked()).filter(({ messages }) => messages.length === 2);
    expect(opening).toHaveLength(12);
  });
});

const aborted = new Error('Aborting engine: Grace period complete');

describe('an aborted engine', { timeout: 90_000 }, () => {
  test('leaves an exploration running, and the next driver completes it', async () => {
    const ground = await prepare();
    const workflow = await introspectWorkflow(env.UNIT_SHARD_WORKFLOW);
    await workflow.modifyAll(async (m) => {
      await m.disableRetryDelays();
      await m.mockStepError({ name: 'unit r0002-u00' }, aborted);
    });
    const run = await explore(ground, { rounds: 2, batch: 3 });
    // The other three of the second round come to their end beside it.
    const ended = new Set<string>();
    await follow(ground.workspace.key, run, {
      enough({ event }) {
        if (event.type === 'unit.ended' && event.unit.startsWith('r0002-')) ended.add(event.unit);
        return ended.size === 3;
      },
    });
    expect([...ended]).not.toContain('r0002-u00');
    await workflow.dispose();
    expect((await recordOf(ground, run)).status).toBe('running');
    await env.EXPLORATION_RUN.getByName(run).wake(true);
    await expectWholeExploration(ground, run, { rounds: 2, batch: 3 });
  });

  test('loses nothing of an exploration, an evaluation and a submission, even with all objects reset', async () => {
    const slow = { form: 'audit', behaviour: { kind: 'slow', ms: 400 } } as const;
    const slowJudge = { form: 'attempt-reading', behaviour: { kind: 'slow', ms: 400 } } as const;
    const bed = await board({ units: 3, trials: 2 });
    const guest = await submitter();
    const ground = await prepare({ rules: [slow] });
    const evaluated = await withRules(bed, slowJudge);
    const submitted = await withRules(bed, { form: 'turn', behaviour: { kind: 'slow', ms: 400 } });
    const exploration = await explore(ground, { rounds: 2, batch: 4 });
    const evaluation = await evaluate(evaluated, ['one'], { trials: 3, concurrency: 4 });
    const { id } = received(await guest.post('/v1/submissions', serviceBody(bed, submitted.model, 'Steady')));
    await Promise.all([
      askedFor(ground, 'audit', 2),
      askedFor(evaluated, 'attempt-reading', 2),
      askedFor(submitted, 'turn', 2),
    ]);
    await abortAllDurableObjects();
    await env.EXPLORATION_RUN.getByName(exploration).wake(true);
    await env.EVALUATION_RUN.getByName(evaluation).wake(true);
    await env.EVALUATION_RUN.getByName(scoredBy(id)).wake(true);
    await env.SUBMISSION.getByName(id).wake(true);
    await expectWholeExploration(ground, exploration, { rounds: 2, batch: 4 });
    await expectWholeEvaluation(evaluated, evaluation, 18);
    await expectPublishedOnce(bed, guest, id);
  });
});

const scoredBy = (submission: string): string => `evl_${submission.slice(submission.indexOf('_') + 1)}`;

async function expectWholeExploration(
  ground: Ground,
  run: string,
  { rounds, batch }: { readonly rounds: number; readonly batch: number },
): Promise<void> {
  const { events } = await follow(ground.workspace.key, run);
  const count = rounds * (batch + 1);
  expect(await recordOf(ground, run)).toMatchObject({
    status: 'completed',
    rounds,
    units: { accepted: rounds * batch, probes: rounds },
  });
  expect(await wholeUnitsOf(ground, run)).toHaveLength(count);
  const ended = events.flatMap(({ event }) => (event.type === 'unit.ended' ? [event.unit] : []));
  expect(ended).toHaveLength(count);
  expect(new Set(ended).size).toBe(count);
}

async function expectWholeEvaluation(bed: TestBed, run: string, attempts: number): Promise<void> {
  const events = await followEvaluation(bed, run);
  expect(await evaluationOf(bed, run)).toMatchObject({
    status: 'completed',
    progress: { attempts, made: attempts, notEvaluated: 0 },
  });
  expect((await casesOf(bed, run)).filter(({ stage }) => stage.kind !== 'done')).toEqual([]);
  for (const type of ['attempt.ended', 'attempt.judged'] as const) {
    const told = events.flatMap(({ event }) => (event.type === type ? [`${event.case} ${event.side}`] : []));
    expect(told).toHaveLength(attempts);
    expect(new Set(told).size).toBe(attempts);
  }
}

async function expectPublishedOnce(
  bed: Board,
  guest: Awaited<ReturnType<typeof submitter>>,
  id: string,
): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(expectStatus(await guest.get(`/v1/submissions/${id}`), 200)).toMatchObject({ state: 'published' }),
    { timeout: 60_000, interval: 100 },
  );
  const { record } = await settled(guest, id);
  expect(record.progress).toMatchObject({ attempts: 12, made: 12, notEvaluated: 0, units: 3, unitsDone: 3 });
  expect(record.history.map(({ state }) => state)).toEqual(['queued', 'validating', 'scoring', 'published']);
  const entries = (await rankedEntries(bed)).filter(({ entry }) => entry.id === id);
  expect(entries).toHaveLength(1);
}
