import { createScheduledController, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { unitsCommitted } from '../support/exploration-state.ts';
import { endOf, explore, follow, prepare, recordOf, wholeUnitsOf, type Ground } from '../support/exploration.ts';
import { problemOf } from '../support/workspace.ts';
import worker from '../../src/index.ts';

const slow = [{ form: 'audit', behaviour: { kind: 'slow', ms: 150 } }] as const;

const control = (ground: Ground, run: string, verb: string) => ground.workspace.post(`/v1/explorations/${run}/${verb}`);

const driven = z.object({ driver: z.int() });

/** The number of the instance that may drive a run. */
const driverOf = (run: string): Promise<number> =>
  runInDurableObject(env.EXPLORATION_RUN.getByName(run), (_run, { storage }) => {
    const { json } = storage.sql.exec("SELECT json FROM facts WHERE key = 'standing'").one();
    return driven.parse(JSON.parse(z.string().parse(json))).driver;
  });

/** Waits until nobody asks the model any more. */
async function quiet({ model }: Ground): Promise<number> {
  for (let before = -1; ;) {
    const now = (await model.asked()).length;
    if (now === before) return now;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
}

describe('the control of an exploration', () => {
  test('keeps what was paid for in a paused run, which then continues without asking anything twice', async () => {
    const ground = await prepare({ rules: slow });
    const { key } = ground.workspace;
    const run = await explore(ground, { rounds: 2, batch: 3 });
    await follow(key, run, { enough: ({ event }) => event.type === 'unit.written' });
    expect((await control(ground, run, 'pause')).body).toMatchObject({ status: 'paused' });
    expect((await control(ground, run, 'pause')).status).toBe(200);
    const asked = await quiet(ground);
    expect((await recordOf(ground, run)).status).toBe('paused');
    expect((await recordOf(ground, run)).rounds).toBe(0);

    expect((await control(ground, run, 'resume')).body).toMatchObject({ status: 'running' });
    expect((await control(ground, run, 'resume')).status).toBe(200);
    const { events } = await follow(key, run);
    const types = events.map(({ event }) => event.type);
    expect(types.filter((type) => type === 'run.paused' || type === 'run.resumed')).toEqual([
      'run.paused',
      'run.resumed',
    ]);
    const record = await recordOf(ground, run);
    expect(record).toMatchObject({ status: 'completed', rounds: 2 });
    expect(unitsCommitted(record.units)).toBe(8);

    // Nothing that was finished was asked again: as many questions as units have stages.
    const forms = (await ground.model.asked()).map(({ form }) => form);
    expect(forms.length).toBeGreaterThan(asked);
    for (const form of ['scenario', 'metamorphic-pair', 'audit'])
      expect([form, forms.filter((each) => each === form).length]).toEqual([form, 8]);
    expect(record.usage.calls).toBe(forms.length);
  });

  test('ends a cancelled run, for which late results do not count', async () => {
    const ground = await prepare({ rules: slow });
    const { key } = ground.workspace;
    const run = await explore(ground, { rounds: 5, batch: 3 });
    await follow(key, run, { enough: ({ event }) => event.type === 'round.committed' });
    expect((await control(ground, run, 'cancel')).body).toMatchObject({
      status: 'cancelled',
      reason: 'cancelled by its owner',
    });
    expect((await control(ground, run, 'cancel')).status).toBe(200);
    const { events, ended } = await follow(key, run);
    expect(ended).toBe(true);
    expect(events.at(-1)?.event).toMatchObject({ type: 'run.ended', status: 'cancelled' });
    await quiet(ground);
    expect((await follow(key, run)).events).toEqual(events);
    for (const verb of ['pause', 'resume'])
      expect(problemOf(await control(ground, run, verb))).toEqual([409, 'wrong-state']);
    const record = await recordOf(ground, run);
    expect(unitsCommitted(record.units)).toBe(4 * record.rounds);
  });

  test('can cancel a paused run, but cannot change a completed one', async () => {
    const ground = await prepare({ rules: slow });
    const run = await explore(ground, { rounds: 3, batch: 1 });
    await control(ground, run, 'pause');
    expect((await control(ground, run, 'cancel')).body).toMatchObject({ status: 'cancelled' });
    const done = await explore(ground, { rounds: 1, batch: 1 });
    await follow(ground.workspace.key, done);
    for (const verb of ['pause', 'resume', 'cancel'])
      expect(problemOf(await control(ground, done, verb))).toEqual([409, 'wrong-state']);
    expect((await wholeUnitsOf(ground, done)).map(({ unit }) => endOf(unit).status)).toEqual(['accepted', 'accepted']);
  });

  test('gives a silent run a new driver when it is woken, and nothing is done twice', async () => {
    const ground = await prepare({ rules: slow });
    const run = await explore(ground, { rounds: 2, batch: 2 });
    await follow(ground.workspace.key, run, { enough: ({ event }) => event.type === 'unit.written' });
    expect((await ground.workspace.post('/v1/wake')).status).toBe(200);
    await follow(ground.workspace.key, run);
    const record = await recordOf(ground, run);
    expect(record).toMatchObject({ status: 'completed', rounds: 2, units: { accepted: 4, probes: 2 } });
    expect((await wholeUnitsOf(ground, run)).length).toBe(6);
  });

  test('lets the schedule drive a silent run and leave the others alone', async () => {
    const ground = await prepare({ rules: [{ form: 'scenario', behaviour: { kind: 'slow', ms: 1_500 } }] });
    const [lively, silent] = [await explore(ground, { batch: 1 }), await explore(ground, { batch: 1 })];
    for (const run of [lively, silent]) {
      await follow(ground.workspace.key, run, { enough: ({ event }) => event.type === 'round.opened' });
    }
    await runInDurableObject(env.EXPLORATION_RUN.getByName(silent), (_run, { storage }) => {
      storage.sql.exec("UPDATE events SET at = '2020-01-01T00:00:00.000Z'");
    });
    await worker.scheduled(createScheduledController({ cron: '*/5 * * * *' }), env);
    // The new driver gets its time: the next tick leaves it alone.
    await worker.scheduled(createScheduledController({ cron: '*/5 * * * *' }), env);
    expect([await driverOf(lively), await driverOf(silent)]).toEqual([1, 2]);
    await Promise.all([lively, silent].map((run) => follow(ground.workspace.key, run)));
    for (const run of [lively, silent]) {
      expect(await recordOf(ground, run)).toMatchObject({ status: 'completed', units: { accepted: 1, probes: 1 } });
    }
  });
});
