import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { initialStanding, RunLifecycle, runStanding } from '#durable-objects/shared/run-lifecycle.ts';
import { unique } from '../support/workspace.ts';

/** What happens to a life in some object's storage, when entering it in the directory does what `enter` does. */
function living(
  enter: (id: string) => Promise<void>,
  check: (life: Life, started: string[]) => Promise<void>,
  leave: (id: string) => Promise<void> = async () => undefined,
) {
  return runInDurableObject(env.SUBMISSION.getByName(unique('life')), async (_object, { storage }) => {
    const started: string[] = [];
    const life = new RunLifecycle({
      kind: 'submission',
      storage,
      creation: z.object({ id: z.string() }),
      standing: runStanding,
      workspace: () => 'nobody',
      directory: { getByName: () => ({ addRun: enter, removeRun: leave }) },
      start: async (id, driver) => void started.push(`${id}-${driver}`),
    });
    await check(life, started);
  });
}
type Life = RunLifecycle<{ id: string }, typeof initialStanding>;

test('a run is registered in the directory before it is created, so no crash loses it', async () => {
  const lost = async () => {
    throw new Error('the directory is not there');
  };
  await living(lost, async (life, started) => {
    await expect(life.createIfAbsentAndStartDriver({ id: 'r' }, initialStanding, () => undefined)).rejects.toThrow(
      'not there',
    );
    expect(life.exists).toBe(false);
    expect(started).toEqual([]);
  });
});

test('two simultaneous creations give one run with one driver', async () => {
  const entered: string[] = [];
  await living(
    async (id) => void entered.push(id),
    async (life, started) => {
      let births = 0;
      const born = () => life.createIfAbsentAndStartDriver({ id: 'r' }, initialStanding, () => void (births += 1));
      await Promise.all([born(), born()]);
      expect(births).toBe(1);
      expect(new Set(entered)).toEqual(new Set(['r']));
      expect(new Set(started)).toEqual(new Set(['r-1']));
    },
  );
});

test('a paused run is not woken until it is resumed, which registers it before it runs', async () => {
  const listed = new Set<string>();
  const leave = async (id: string) => void listed.delete(id);
  let running: () => boolean = () => false;
  const statuses: boolean[] = [];
  const enter = async (id: string) => {
    listed.add(id);
    statuses.push(running());
  };
  await living(
    enter,
    async (life) => {
      await life.createIfAbsentAndStartDriver({ id: 'r' }, initialStanding, () => undefined);
      running = () => life.standing.status === 'running';
      life.pause();
      await life.restartLostDriverOrReportEnd(false, 0);
      expect([...listed]).toEqual([]);
      statuses.length = 0;
      await life.resume();
      expect([...listed]).toEqual(['r']);
      expect(statuses).toEqual([false, true]);
    },
    leave,
  );
});

test('a run that is resumed while it is being unregistered stays registered', async () => {
  const listed = new Set<string>();
  const leaving = Promise.withResolvers<void>();
  const leave = async (id: string) => {
    await leaving.promise;
    listed.delete(id);
  };
  await living(
    async (id) => void listed.add(id),
    async (life) => {
      await life.createIfAbsentAndStartDriver({ id: 'r' }, initialStanding, () => undefined);
      life.pause();
      const woken = life.restartLostDriverOrReportEnd(false, 0);
      await life.resume();
      leaving.resolve();
      await woken;
      expect([...listed]).toEqual(['r']);
    },
    leave,
  );
});
