import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { explore, follow, prepare, type Ground } from '../support/exploration.ts';
import { rootKey } from '../support/root-key.ts';
import { call, expectStatus, newWorkspace } from '../support/workspace.ts';

const driven = z.object({ driver: z.int() });
const driverOf = (run: string): Promise<number> =>
  runInDurableObject(env.EXPLORATION_RUN.getByName(run), (_object, { storage }) => {
    const { json } = storage.sql.exec("SELECT json FROM facts WHERE key = 'standing'").one();
    return driven.parse(JSON.parse(z.string().parse(json))).driver;
  });

const wake = async (key: string): Promise<number> =>
  z.object({ runs: z.int() }).parse(expectStatus(await call(key, 'POST', '/v1/wake'), 200)).runs;

async function slowRun(): Promise<{ ground: Ground; run: string }> {
  const ground = await prepare({ rules: [{ form: 'scenario', behaviour: { kind: 'slow', ms: 2_500 } }] });
  const run = await explore(ground, { batch: 1 });
  await follow(ground.workspace.key, run, { enough: ({ event }) => event.type === 'round.opened' });
  return { ground, run };
}

test('a key wakes the runs of its own workspace, and the root key wakes all', async () => {
  const [own, other] = [await slowRun(), await slowRun()];
  const stranger = await newWorkspace();
  for (let n = 0; n < 5; n += 1) expect(await wake(stranger.key)).toBe(0);
  expect([await driverOf(own.run), await driverOf(other.run)]).toEqual([1, 1]);
  expect(await wake(own.ground.workspace.key)).toBe(1);
  expect([await driverOf(own.run), await driverOf(other.run)]).toEqual([2, 1]);
  expect(await wake(rootKey)).toBeGreaterThanOrEqual(1);
  expect([await driverOf(own.run), await driverOf(other.run)]).toEqual([2, 2]);
  for (const { ground, run } of [own, other]) await ground.workspace.post(`/v1/explorations/${run}/cancel`);
});

test('repeated wake-ups drive a run once a minute, or at once after a crash of everything', async () => {
  const { ground, run } = await slowRun();
  expect(await wake(ground.workspace.key)).toBe(1);
  for (let n = 0; n < 5; n += 1) expect(await wake(ground.workspace.key)).toBe(0);
  expect(await driverOf(run)).toBe(2);
  // The memory of what was woken is the directory's own: where that is gone, drivers may be gone as well.
  await evictDurableObject(env.DIRECTORY.getByName('directory'));
  expect(await wake(ground.workspace.key)).toBe(1);
  expect(await driverOf(run)).toBe(3);
  await ground.workspace.post(`/v1/explorations/${run}/cancel`);
});
