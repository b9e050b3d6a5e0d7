import { expect, test } from 'vitest';
import { mayStrangerTakeTurn, ownerAwayMs, type TurnShare } from '#core/catalog/isolation/turn-share.ts';

const now = 10_000_000;
const quiet: TurnShare = { strangers: null, ownersTurns: 0, ownerSeenMs: null, ownerRefusedMs: null };
const held = { fromMs: now - 400_000, toMs: now - 300_000 };

test.each<[string, boolean, Partial<TurnShare>]>([
  ['that its owner has never used', true, {}],
  ['that its owner has just used', true, { ownerSeenMs: now }],
  ['that a run of the owner was refused a moment ago', false, { ownerSeenMs: now, ownerRefusedMs: now - 30_000 }],
  ['that a run of the owner asked for and did not come back', true, { ownerSeenMs: now, ownerRefusedMs: now - 40_000 }],
  ['after three times its turn and three turns', true, { strangers: held, ownersTurns: 3, ownerSeenMs: now }],
  ['after three times its turn and two turns', false, { strangers: held, ownersTurns: 2, ownerSeenMs: now }],
  [
    'after three turns that were too short',
    false,
    { strangers: { ...held, toMs: held.toMs + 1 }, ownersTurns: 3, ownerSeenMs: now },
  ],
  [
    'that its owner has left alone for more than five minutes',
    true,
    { strangers: { fromMs: 0, toMs: now - 1 }, ownerSeenMs: now - ownerAwayMs - 1 },
  ],
])('a stranger asks for a server %s, and may have it: %s', (_, expected, share) => {
  expect(mayStrangerTakeTurn({ ...quiet, ...share }, now)).toBe(expected);
});

test('strangers who always ask, and hold as long as they can, have at most a quarter of the time and of the turns of an owner at work', () => {
  let share: TurnShare = { ...quiet, ownerSeenMs: 0 };
  const had = { owner: { ms: 0, turns: 0 }, stranger: { ms: 0, turns: 0 } };
  // The owner's run makes attempts of 20 seconds, and between two of them the server is free for two.
  for (let nowMs = 0; nowMs < 24 * 3_600_000;) {
    if (mayStrangerTakeTurn(share, nowMs)) {
      const ms = 1_000 + ((had.stranger.turns * 7_919) % 600) * 1_000;
      share = { ...share, strangers: { fromMs: nowMs, toMs: nowMs + ms }, ownersTurns: 0 };
      had.stranger = { ms: had.stranger.ms + ms, turns: had.stranger.turns + 1 };
      nowMs += ms;
    }
    nowMs += 20_000;
    share = { ...share, ownersTurns: share.ownersTurns + 1, ownerSeenMs: nowMs };
    had.owner = { ms: had.owner.ms + 20_000, turns: had.owner.turns + 1 };
    nowMs += 2_000;
  }
  expect(had.stranger.turns).toBeGreaterThan(20);
  expect(had.stranger.ms / (24 * 3_600_000)).toBeLessThanOrEqual(0.25 + 600 / (24 * 3_600));
  expect(had.stranger.turns / (had.stranger.turns + had.owner.turns)).toBeLessThanOrEqual(0.25);
});
