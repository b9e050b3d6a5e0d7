import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { evaluateToEnd, frozen, turnsIn } from '../support/evaluation.ts';
import { exploreToEnd, prepare } from '../support/exploration.ts';

/** As the settings of the tests have it. */
const limit = 40;
const stepResultBytes = 64 * 1024;

/** Local Workflows say what each step returned. */
const localStatus = z.object({ status: z.string(), __LOCAL_DEV_STEP_OUTPUTS: z.array(z.unknown()) });

async function stepsOf(instance: {
  status(): Promise<unknown>;
}): Promise<{ status: string; results: readonly unknown[] }> {
  const { status, __LOCAL_DEV_STEP_OUTPUTS: results } = localStatus.parse(await instance.status());
  return { status, results };
}

const bytesOf = (result: unknown): number => new TextEncoder().encode(JSON.stringify(result) ?? '').length;

describe('the steps of a workflow', () => {
  test.each([
    ['sgvef', { steps: [6 + 1, 5 + 1] }],
    ['gve', { steps: [1 + 5 + 1, 1 + 5 + 1, 1 + 1] }],
  ] as const)(
    'are small in %s: an instance opens a round and ends, and shards drive a few units each',
    async (strategy, expected) => {
      const ground = await prepare();
      const { run, record } = await exploreToEnd(ground, { rounds: 2, batch: 10, more: { strategy } });
      expect(record).toMatchObject({ status: 'completed', rounds: 2 });
      const drivers = await Promise.all(
        ['1', '1-after-r1', '1-after-r2'].map(async (name) =>
          stepsOf(await env.EXPLORATION_WORKFLOW.get(`${run}-${name}`)),
        ),
      );
      // Opening and starting; committing, opening and starting; committing the last.
      expect(drivers.map(({ results }) => results.length)).toEqual([2, 4, 2]);
      const shards = await Promise.all(
        expected.steps.map(async (_, place) =>
          stepsOf(await env.UNIT_SHARD_WORKFLOW.get(`${run}-1-r2-${place + 1}-1`)),
        ),
      );
      expect(shards.map(({ results }) => results.length)).toEqual(expected.steps);
      expect([...drivers, ...shards].filter(({ status }) => status !== 'complete')).toEqual([]);
      const largest = Math.max(...[...drivers, ...shards].flatMap(({ results }) => results).map(bytesOf));
      expect(largest).toBeGreaterThan(0);
      // A round opens with the ids of its units: at 50 of them it would be five times as much.
      expect(largest * 5).toBeLessThan(stepResultBytes);
    },
  );

  test('continue in a new instance near the limit, which finds its next case', async () => {
    const bed = await frozen(2);
    const trials = 20;
    const { run, record, cases } = await evaluateToEnd(bed, ['one'], { trials, concurrency: 1, judges: false });
    expect(record).toMatchObject({ status: 'completed', progress: { made: 2 * 2 * trials } });
    expect(cases.every(({ stage }) => stage.kind === 'done')).toBe(true);
    const legs = await Promise.all(
      [1, 2].map((leg) => env.EVALUATION_SHARD_WORKFLOW.get(`${run}-1-shard-1-${leg}`).then((each) => each.status())),
    );
    const results = legs.map((leg) => localStatus.parse(leg).__LOCAL_DEV_STEP_OUTPUTS.length);
    // A step a case, and the hand-over; the second instance may still have to hear that it is over.
    expect(results[0]).toBe(limit - 1);
    expect(results[1]).toBeGreaterThanOrEqual(2 * trials - (limit - 2));
    expect((await bed.model.asked()).filter(({ model }) => model === 'one')).toHaveLength(await turnsIn(bed, run));
  });
});
