import { introspectWorkflow } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { explore, follow, prepare, recordOf } from '../support/exploration.ts';

test('a run whose endpoint asks for an hour says until when it waits, and drops nothing', async () => {
  const busy = { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } as const;
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
    expect(await shard?.waitForStepResult({ name: 'unit r0001-u00, after rest 1' })).toMatchObject({
      why: 'nothing-left',
    });
  } finally {
    await shards.dispose();
  }
});
