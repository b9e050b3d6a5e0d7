import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { stubWithParts } from '../support/platform/parts.ts';
import { casesOf, evaluate, frozen, withRules } from '../support/evaluation.ts';
import { endOf, explore, prepare, wholeUnitsOf } from '../support/exploration.ts';
import { expectStatus } from '../support/workspace.ts';

/** A process that ends takes the objects in it along: an eviction does the same to one of them. */

const reason = 'it began in 5 processes, and each ended before it did';

describe('a stage that kills its process', () => {
  test('is started in five processes, and then its unit is dropped with the reason', async () => {
    const ground = await prepare({ rules: [{ form: 'scenario', behaviour: { kind: 'hang' } }] });
    const run = await explore(ground, { rounds: 1, batch: 1 });
    const stub = () => env.EXPLORATION_RUN.getByName(run);
    const starts = () =>
      runInDurableObject(stub(), (_, { storage }) =>
        storage.sql.exec("SELECT json FROM facts WHERE key = 'beginnings'").toArray(),
      );
    // Its shard starts it in the first process.
    const id = 'r0001-u00';
    await expect.poll(async () => JSON.stringify(await starts())).toContain(id);
    for (let process = 2; process <= 5; process += 1) {
      await evictDurableObject(stub());
      // However often it is begun in one process, for a failed step or a new driver.
      for (let n = 0; n < 10; n += 1)
        expect(await stubWithParts(stub()).rounds.takeUnitWork(1, id)).toMatchObject({ kind: 'work' });
    }
    await evictDurableObject(stub());
    expect(await stubWithParts(stub()).rounds.takeUnitWork(1, id)).toEqual({ kind: 'stop', why: 'nothing-left' });
    const units = (await wholeUnitsOf(ground, run)).map(({ unit }) => unit);
    const poisoned = units.find((unit) => unit.id === id);
    expect(poisoned && endOf(poisoned)).toMatchObject({ status: 'dropped', reason: expect.stringContaining(reason) });
    // The other unit of the round continues.
    expect(units.filter(({ stage }) => stage.kind === 'done')).toHaveLength(1);
    expectStatus(await ground.workspace.post(`/v1/explorations/${run}/cancel`), 200);
  });

  test('is started in five processes, and then its attempt is not evaluated, with the reason', async () => {
    const bed = await withRules(await frozen(1), { form: 'turn', behaviour: { kind: 'hang' } });
    const run = await evaluate(bed, ['one'], { trials: 1, judges: false });
    const stub = () => env.EVALUATION_RUN.getByName(run);
    const lane = z.object({ lane: z.string() });
    const lanes = () =>
      runInDurableObject(stub(), (_, { storage }) => storage.sql.exec('SELECT lane FROM lanes').toArray());
    await expect.poll(lanes).toHaveLength(1);
    const place = { driver: 1, lane: lane.parse((await lanes())[0]).lane, turn: 1 };
    for (let process = 2; process <= 5; process += 1) {
      await evictDurableObject(stub());
      for (let n = 0; n < 10; n += 1)
        expect(await stubWithParts(stub()).lanes.takeCase(place)).toMatchObject({
          case: { stage: { kind: 'attempt', side: 'source' } },
        });
    }
    await evictDurableObject(stub());
    expect(await stubWithParts(stub()).lanes.takeCase(place)).toMatchObject({
      case: { stage: { kind: 'attempt', side: 'followUp' } },
    });
    const [given] = await casesOf(bed, run);
    expect(given?.attempts.source).toMatchObject({ evaluated: false, fault: { code: 'internal', detail: reason } });
    expectStatus(await bed.workspace.post(`/v1/evaluations/${run}/cancel`), 200);
  });
});
