import { expect, test } from 'vitest';
import { waitBeforeNextClaimMs } from '#core/evaluation/claim.ts';

test('a client that finds nothing to claim waits twice as long each time, from 2 up to 30 seconds', () => {
  const waits: number[] = [];
  let quietMs = 0;
  for (let asked = 0; asked < 7; asked += 1) {
    const waitMs = waitBeforeNextClaimMs(quietMs);
    waits.push(waitMs);
    quietMs += waitMs;
  }
  expect(waits).toEqual([2_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('a wait is a whole number of milliseconds, whatever the clocks say', () => {
  expect([waitBeforeNextClaimMs(-5_000), waitBeforeNextClaimMs(2_500.4)]).toEqual([2_000, 2_500]);
});
