import fc from 'fast-check';
import { expect, test } from 'vitest';
import { strategyName } from '#core/exploration/config.ts';
import { handsOver, stepsPerRound } from '#core/exploration/steps.ts';

const platformLimit = 1_024;

/** Steps of each instance that a run of full rounds takes, as the workflow counts them. */
function instances(rounds: number, perRound: number, limit: number): number[] {
  const taken: number[] = [];
  let used = 0;
  for (let round = 1; round <= rounds; round += 1) {
    used += perRound;
    if (round < rounds && !handsOver(used, perRound, limit)) continue;
    taken.push(used + 1);
    used = 0;
  }
  return taken;
}

test.each(strategyName.options)(
  '60 rounds of 10 units with %s stay below the limit in a single instance',
  (strategy) => {
    const taken = instances(60, stepsPerRound({ batch: 10, strategy, review: 'park' }), 1_000);
    expect(taken.length).toBe(1);
    expect(Math.max(...taken)).toBeLessThan(platformLimit);
  },
);

test('no instance goes beyond its limit, whatever the batch, and every one gets at least a round done', () => {
  fc.assert(
    fc.property(
      fc.record({
        batch: fc.integer({ min: 1, max: 50 }),
        strategy: fc.constantFrom(...strategyName.options),
        review: fc.constantFrom('park' as const, 'wait' as const),
      }),
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 70, max: 1_000 }),
      (config, rounds, limit) => {
        const perRound = stepsPerRound(config);
        const taken = instances(rounds, perRound, limit);
        expect(Math.max(...taken)).toBeLessThanOrEqual(Math.max(limit, perRound + 1));
        expect(Math.max(...taken)).toBeLessThan(platformLimit);
        expect(Math.min(...taken)).toBeGreaterThanOrEqual(perRound);
      },
    ),
  );
});
