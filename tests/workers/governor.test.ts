import { evictDurableObject, introspectWorkflow } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { evaluate, evaluationOf, followEvaluation, frozen, withRules } from '../support/evaluation.ts';
import { explore, follow, prepare, recordOf } from '../support/exploration.ts';

const busy = { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } as const;

test('a run whose endpoint asks for an hour says until when it waits, and drops nothing', async () => {
  const ground = await prepare({ rules: [{ form: 'scenario', times: 1, behaviour: busy }] });
  const { key } = ground.workspace;
  const run = await explore(ground, { rounds: 1, batch: 4 });
  const { events } = await follow(key, run, { enough: ({ event }) => event.type === 'run.waiting' });
  const [waiting] = events.flatMap(({ event }) => (event.type === 'run.waiting' ? [event] : []));
  expect(waiting?.model).toBe('scripted');
  expect((Date.parse(waiting?.until ?? '') - Date.now()) / 1_000).toBeCloseTo(3_600, -2);
  const record = await recordOf(ground, run);
  expect(record).toMatchObject({
    status: 'running',
    units: { dropped: 0 },
    waiting: { model: 'scripted', until: waiting?.until },
  });
  // All of its other requests wait for the same.
  expect((await ground.model.asked()).length).toBeLessThanOrEqual(5);
  await ground.workspace.post(`/v1/explorations/${run}/cancel`);
});

test('a unit whose endpoint rested is driven again afterwards', async () => {
  const shards = await introspectWorkflow(env.UNIT_SHARD_WORKFLOW);
  try {
    await shards.modifyAll(async (shard) => {
      await shard.disableSleeps();
      await shard.mockStepResult(
        { name: 'unit r0001-u00' },
        { why: 'endpoint-rests', untilMs: Date.now(), requests: 1 },
      );
    });
    const ground = await prepare();
    const run = await explore(ground, { rounds: 1, batch: 2 });
    await follow(ground.workspace.key, run);
    const record = await recordOf(ground, run);
    expect(record).toMatchObject({ status: 'completed', rounds: 1, units: { dropped: 0 } });
    const [shard] = await shards.get();
    // Another shard may have ended the run before this one asks for more work.
    expect(await shard?.waitForStepResult({ name: 'unit r0001-u00, after rest 1' })).toMatchObject({
      why: expect.stringMatching(/^(?:nothing-left|over)$/),
    });
  } finally {
    await shards.dispose();
  }
});

test('an attempt whose endpoint rests for long is neither made nor broken, and what it took counts once', async () => {
  const normal = { kind: 'normal' } as const;
  const bed = await withRules(
    await frozen(1),
    { form: 'turn', times: 1, behaviour: normal },
    { form: 'turn', times: 1, behaviour: busy },
  );
  const run = await evaluate(bed, ['solver'], { concurrency: 1 });
  await followEvaluation(bed, run, ({ event }) => event.type === 'run.waiting');
  await vi.waitFor(async () => expect((await evaluationOf(bed, run)).usage.calls).toBe(1));
  expect(await evaluationOf(bed, run)).toMatchObject({
    status: 'running',
    progress: { made: 0, notEvaluated: 0, relaunched: 0 },
  });
  await bed.workspace.post(`/v1/evaluations/${run}/cancel`);
});

test('a governor that loses its memory still knows the pause that an endpoint asked for, and the requests under way a second before', async () => {
  const governor = env.ENDPOINT_GOVERNOR.getByName(`evicted ${crypto.randomUUID()}`);
  const ask = (lease: string) => governor.askForLeave({ lease, tokens: 1, sinceMs: Date.now() });
  await ask('first');
  await ask('second');
  await governor.reportRequestEnd({ lease: 'first', outcome: 'busy', told: { pauseMs: 3_600_000 } });
  await evictDurableObject(governor);
  const standing = await governor.describe();
  expect(standing.underWay).toBe(1);
  expect((standing.restsUntilMs - Date.now()) / 1_000).toBeCloseTo(3_600, -2);

  const calm = env.ENDPOINT_GOVERNOR.getByName(`evicted ${crypto.randomUUID()}`);
  await calm.askForLeave({ lease: 'only', tokens: 1, sinceMs: Date.now() });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await evictDurableObject(calm);
  expect((await calm.describe()).underWay).toBe(1);
});
