import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newborn, RunLifecycle, runStanding } from '#durable-objects/run-lifecycle.ts';
import { unique } from '../support/workspace.ts';

/** What happens to a life in some object's storage, when entering it in the directory does what `enter` does. */
function living(enter: (id: string) => Promise<void>, check: (life: Life, started: string[]) => Promise<void>) {
  return runInDurableObject(env.ATTEMPT.getByName(unique('life')), async (_object, { storage }) => {
    const started: string[] = [];
    const life = new RunLifecycle({
      kind: 'submission',
      storage,
      birth: z.object({ id: z.string() }),
      standing: runStanding,
      directory: { getByName: () => ({ runStarted: enter, runEnded: async () => undefined }) },
      start: async (id, driver) => void started.push(`${id}-${driver}`),
    });
    await check(life, started);
  });
}
type Life = RunLifecycle<{ id: string }, typeof newborn>;

test('a run is entered in the directory before it is born: none that was is lost to a crash', async () => {
  const lost = async () => {
    throw new Error('the directory is not there');
  };
  await living(lost, async (life, started) => {
    await expect(life.beBorn({ id: 'r' }, newborn, () => undefined)).rejects.toThrow('not there');
    expect(life.exists).toBe(false);
    expect(started).toEqual([]);
  });
});

test('of two births at once there is one, and its driver is the same', async () => {
  const entered: string[] = [];
  await living(
    async (id) => void entered.push(id),
    async (life, started) => {
      let births = 0;
      const born = () => life.beBorn({ id: 'r' }, newborn, () => void (births += 1));
      await Promise.all([born(), born()]);
      expect(births).toBe(1);
      expect(new Set(entered)).toEqual(new Set(['r']));
      expect(new Set(started)).toEqual(new Set(['r-1']));
    },
  );
});
