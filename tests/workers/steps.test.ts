import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { stepsPerRound } from '#core/exploration/steps.ts';
import { evaluateToEnd, frozen, turnsIn } from '../support/evaluation.ts';
import { exploreToEnd, prepare } from '../support/exploration.ts';

/** As the settings of the tests have it. */
const limit = 40;
const stepResultBytes = 64 * 1024;

/** Local Workflows say what each step returned. */
const localStatus = z.object({ status: z.string(), __LOCAL_DEV_STEP_OUTPUTS: z.array(z.unknown()) });

async function stepsOf(run: string, driver: number): Promise<{ status: string; results: readonly unknown[] }> {
  const instance = await env.EXPLORATION_WORKFLOW.get(`${run}-${driver}`);
  const { status, __LOCAL_DEV_STEP_OUTPUTS: results } = localStatus.parse(await instance.status());
  return { status, results };
}

const bytesOf = (result: unknown): number => new TextEncoder().encode(JSON.stringify(result) ?? '').length;

describe('steps of the workflow', () => {
  test.each(['sgvef', 'gve'] as const)(
    '%s: a round of 10 units takes as many as were reckoned with, and none returns much',
    async (strategy) => {
      const ground = await prepare();
      const { run, record } = await exploreToEnd(ground, { rounds: 2, batch: 10, more: { strategy } });
      expect(record.status).toBe('completed');
      const { status, results } = await stepsOf(run, 1);
      expect(status).toBe('complete');
      expect(results.length).toBe(2 * stepsPerRound({ batch: 10, strategy, review: 'park' }));
      // So 60 rounds stay below the platform's limit.
      expect((60 * results.length) / 2).toBeLessThan(1_024);
      const largest = Math.max(...results.map(bytesOf));
      expect(largest).toBeGreaterThan(0);
      // A round opens with the ids of its units: at 50 of them it would be five times as much.
      expect(largest * 5).toBeLessThan(stepResultBytes);
    },
  );

  test('an instance near its limit hands over to a new one, which goes on where it stood', async () => {
    const ground = await prepare();
    const rounds = 11;
    const { run, record, units, events } = await exploreToEnd(ground, { rounds, batch: 1 });
    expect(record).toMatchObject({ status: 'completed', rounds, units: { accepted: rounds, probes: rounds } });
    expect(units.length).toBe(2 * rounds);
    const committed = events.flatMap(({ event }) => (event.type === 'round.committed' ? [event.round] : []));
    expect(committed).toEqual(Array.from({ length: rounds }, (_, place) => place + 1));
    const [first, second] = [await stepsOf(run, 1), await stepsOf(run, 2)];
    expect([first.status, second.status]).toEqual(['complete', 'complete']);
    expect(first.results.length).toBeLessThanOrEqual(limit);
    expect(first.results.length + second.results.length).toBe(
      rounds * stepsPerRound({ batch: 1, strategy: 'sgvef', review: 'park' }) + 1,
    );
    const forms = (await ground.model.asked()).filter(({ form }) => form === 'scenario');
    expect(forms.length).toBe(units.length);
  });

  test('a shard near the limit goes on in a new instance, which finds its next case', async () => {
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
